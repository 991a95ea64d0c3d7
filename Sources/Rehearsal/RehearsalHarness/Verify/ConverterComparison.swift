internal import ManagedModels

/// Compares the results of `toEntity()` for the older rows and for the migrated ones.
struct ConverterComparison {
  let path: PlannedPath
  let name: String
  let tags: [ObjectID: RowTag]

  func failures(
    _ before: [ObjectID: [String: [String]]], _ after: [ObjectID: [String: [String]]],
    _ successors: [ObjectID: [ObjectID]]
  ) -> [RehearsalFailure] {
    var failures: [RehearsalFailure] = []
    for flow in path.flows {
      // A merged row has the links of several rows.
      guard let fields = flow.entityFields, flow.merges.isEmpty else { continue }
      for (id, old) in before.sorted(by: { ObjectID.precedes($0.key, $1.key) })
      where id.entity == flow.source {
        guard let successor = successors[id]?.first(where: { $0.entity == flow.target }),
          let new = after[successor]
        else { continue }
        for field in fields {
          let first = texts(old[field.name], field)
          let second = texts(new[field.name], field)
          guard first != second else { continue }
          failures.append(
            RehearsalFailure(
              .convertersDiffer, path: name, entity: id.entity, row: tags[id]?.label,
              category: tags[id]?.category, property: field.name,
              expected: "before: \(shown(first))", found: "after: \(shown(second))"))
        }
      }
    }
    return MigrationVerifier.condensed(failures)
  }

  private func texts(_ texts: [String]?, _ field: EntityFieldExpectation) -> [String] {
    field.isUnordered ? (texts ?? []).sorted() : texts ?? []
  }

  private func shown(_ texts: [String]) -> String {
    StoredValue.text(texts.joined(separator: ", ")).summary
  }
}
