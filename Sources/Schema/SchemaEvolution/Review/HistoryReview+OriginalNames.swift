internal import SchemaModel

/// Checks original names, which must be consistent over the whole history.
extension HistoryReview {
  /// Reports original names in manifests that are not the first name that any store had for the property
  /// (docs/facts/migration.md#first-name-only).
  func originalNames(_ chain: VersionChain) -> [Diagnostic] {
    let versions = Dictionary(history, keyedBy: \.number)
    return chain.versions.indices.flatMap { position -> [Diagnostic] in
      let version = chain.versions[position]
      guard !version.isBridge, let declared = versions[version.identifier] else { return [] }
      let resolved = version.schema
      let before = position == 0 ? nil : chain.versions[position - 1].schema
      return declared.models.flatMap { model -> [Diagnostic] in
        model.properties.compactMap { property in
          guard let said = property.originalName, property.isStored,
            let known = resolved.model(named: model.name)?.property(named: property.name)
          else { return nil }
          let element = ElementPath(model.name, property.name)
          let first = known.originalName ?? known.name
          if said != first { return otherName(said, first, element, at: property.location) }
          // The engine would find a column for a property that is new according to the step.
          guard let was = before?.model(named: model.name),
            let source = was.properties.first(where: {
              $0.isStored && ($0.originalName ?? $0.name) == said
            }),
            source.name != property.name,
            version.renames[model.name]?[property.name] != source.name
          else { return nil }
          return unsaidRename(property, of: model, from: source.name, element)
        }
      }
    }
  }

  private func otherName(
    _ said: String, _ first: String, _ element: ElementPath, at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      ClassificationTable[.originalNameChanged].rule,
      "'\(element)' has the original name '\(said)', but the first stores call it '\(first)'",
      element: element, at: location,
      help: [
        "write 'originalName: \(first)', or omit 'originalName:', which follows from 'renamedFrom:'"
      ])
  }

  private func unsaidRename(
    _ property: Property, of model: Model, from source: String, _ element: ElementPath
  ) -> Diagnostic {
    Diagnostic(
      ClassificationTable[.originalNameChanged].rule,
      "'\(element)' would take the values of '\(source)' through its originalName, but no 'renamedFrom:' says that it was renamed",
      element: element, at: property.location,
      help: [
        "if the property was renamed: "
          + ManifestEdit.property(property, adding: [("renamedFrom", source)]),
        "if the property is new, remove 'originalName'",
      ])
  }

  /// Reports two properties of one version with the same original name. Both take the old column's values, and the next
  /// migration from that version fails (docs/facts/migration.md#two-identifiers). Each pair is reported once.
  func sharedNames(_ chain: [ChainVersion]) -> [Diagnostic] {
    var told: Set<[ElementPath]> = []
    var found: [Diagnostic] = []
    for version in chain {
      // Names in a model are unique, so only an original name can equal another name.
      for model in version.schema.models
      where model.properties.contains(where: { $0.originalName != nil }) {
        var first: [String: Property] = [:]
        for property in model.properties where property.isStored {
          let name = property.originalName ?? property.name
          guard let other = first[name] else {
            first[name] = property
            continue
          }
          let elements = [other, property].map { ElementPath(model.name, $0.name) }
          guard told.insert(elements.sorted()).inserted else { continue }
          // The finding is about the property that has the name now, because its name can be changed.
          let isNamed = other.name == name
          found.append(
            Diagnostic(
              .reusedName,
              "'\(elements[0])' and '\(elements[1])' both have the original name '\(name)' in \(version.name): both take the "
                + "same values, and the next migration fails (134140, underlying error 134190)",
              element: elements[isNamed ? 0 : 1],
              at: (isNamed ? other : property).location ?? version.schema.location,
              help: ["give the property a name that no version had"]))
        }
      }
    }
    return found
  }
}
