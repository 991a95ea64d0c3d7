internal import ManagedModels
internal import RehearsalHarness
internal import SchemaEvolution
internal import SchemaModel

/// Properties whose combined values may occur only once among rows of some entities.
struct UniqueRule: Hashable {
  var entities: [String]
  var properties: [String]
  /// Whether nulls count as equal, because all of them will get the same value.
  var nullsAreEqual = false
}

/// A constraint that a later version adds, in terms of the present version's properties.
struct ComingConstraint {
  var entity: String
  /// The present version's properties from which the key is made.
  var origins: [String]
  var nullsAreEqual: Bool
  /// Whether the step that adds the constraint merges equal rows, by `dedupe:` or by the author's code.
  var isDeduped: Bool
}

/// Finds what must be distinct in rows of one version.
struct UniquenessReader {
  let evolution: Evolution
  let rowLineage: RowLineage
  let version: Int

  func rules() -> [UniqueRule] {
    let lookup = rowLineage.lookups[version]
    return lookup.version.models.sorted { $0.name < $1.name }.flatMap { model in
      Self.constraints(of: model).map {
        UniqueRule(entities: lookup.family(of: model.name), properties: $0)
      }
    }
  }

  static func constraints(of model: Model) -> [[String]] {
    model.properties.filter(\.isUnique).map { [$0.name] } + model.uniques.map(\.names)
  }

  /// Constraints of later versions, each from the first version that has it.
  func coming() -> [ComingConstraint] {
    let tracer = ValueTracer(rowLineage: rowLineage)
    var found: [ComingConstraint] = []
    var known: Set<[String]> = Set(
      rules().flatMap { rule in rule.entities.map { [$0] + rule.properties.sorted() } })
    let last = rowLineage.history.count - 1
    for entity in rowLineage.lookups[version].models.keys.sorted() {
      for later in (version + 1)..<max(version + 1, last + 1) {
        let lookup = rowLineage.lookups[later]
        for rowPath in rowLineage.rowPaths(of: entity, from: version, to: later)
        where rowPath.end == later {
          for model in lookup.lineage(of: rowPath.model(at: later)) {
            for names in Self.constraints(of: model) {
              let traces = names.compactMap { lookup.property($0, of: model.name) }.map {
                tracer.expectation(for: $0, on: rowPath, at: later)
              }
              let origins = Set(traces.flatMap(\.origins)).sorted()
              guard !origins.isEmpty, known.insert([entity] + origins).inserted else { continue }
              let nulls = traces.contains { trace in
                trace.steps.contains { if case .nullBecomes = $0 { true } else { false } }
              }
              found.append(
                ComingConstraint(
                  entity: entity, origins: origins, nullsAreEqual: nulls,
                  isDeduped: isDeduped(names, of: model.name, at: later)))
            }
          }
        }
      }
    }
    return found
  }

  private func isDeduped(_ names: [String], of model: String, at later: Int) -> Bool {
    guard let model = rowLineage.lookups[later].models[model] else { return false }
    let isLeftToCode = evolution.steps[later - 1].constraintsLeftToCode.contains {
      $0.model == model.name && $0.properties == names
    }
    if isLeftToCode { return true }
    if names.count == 1, let attribute = model.property(named: names[0])?.attribute,
      attribute.dedupe != nil
    {
      return true
    }
    return model.uniques.contains { $0.names == names && $0.dedupe != nil }
  }
}

extension RowDrafts {
  mutating func settle(_ rules: [UniqueRule], _ lookup: VersionIndex) {
    for rule in rules {
      var seen: Set<[[PlannedValue]]> = []
      var hopeless: [Int] = []
      for place in places(of: rule.entities) {
        guard let key = key(of: place, rule, lookup) else { continue }
        if seen.insert(key).inserted { continue }
        if !distinguish(place, rule, lookup, &seen) { hopeless.append(place) }
      }
      for place in hopeless.sorted(by: >) { remove(place) }
    }
  }

  /// The key's values; nil if one is null, since nulls never collide.
  private func key(of place: Int, _ rule: UniqueRule, _ lookup: VersionIndex) -> [[PlannedValue]]? {
    let draft = drafts[place]
    var key: [[PlannedValue]] = []
    for name in rule.properties {
      if let links = draft.row.links[name] {
        key.append(links.map { .stored(.text($0)) })
        continue
      }
      let slots = draft.row.values.filter { $0.key == name || $0.key.hasPrefix(name + ".") }
      let isNull = slots.values.allSatisfy { $0 == .stored(.null) }
      if isNull, !rule.nullsAreEqual { return nil }
      key.append(isNull ? [] : slots.sorted { $0.key < $1.key }.map(\.value))
    }
    return key
  }

  private mutating func distinguish(
    _ place: Int, _ rule: UniqueRule, _ lookup: VersionIndex, _ seen: inout Set<[[PlannedValue]]>
  ) -> Bool {
    let before = drafts[place].row.values
    for name in rule.properties {
      // A raw value is not changed, because another value may have no case.
      guard case .stored(let value)? = drafts[place].ordinary[name] else { continue }
      let isBool =
        lookup.property(name, of: drafts[place].row.entity)?.type.unwrapped.description == "Bool"
      guard !isBool, value != .null else { continue }
      for number in 0..<drafts.count + 1 {
        drafts[place].row.values[name] = .stored(value.distinguished(by: number))
        if let key = key(of: place, rule, lookup), seen.insert(key).inserted { return true }
      }
      drafts[place].row.values = before
    }
    return false
  }

  mutating func remove(_ place: Int) {
    let label = drafts.remove(at: place).row.label
    for index in drafts.indices {
      for (relationship, labels) in drafts[index].row.links where labels.contains(label) {
        let kept = labels.filter { $0 != label }
        drafts[index].row.links[relationship] = kept.isEmpty ? nil : kept
      }
    }
  }
}
