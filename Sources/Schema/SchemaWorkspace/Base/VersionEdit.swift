package import SchemaEvolution
package import SchemaModel

/// The difference between two states of one version's manifest: an edit, not a step.
package struct VersionEdit: Sendable {
  package let changes: [SchemaChange]
  /// Parts of the step to the version that differ: `Trip.title`, `drops: Trip.note`.
  package let steps: [String]

  package init(from old: SchemaVersion, to new: SchemaVersion) {
    changes = SchemaDiffer().changes(
      from: old.withoutStep,
      to: new.withoutStep.takingConversions(of: new, from: old).namingCases(of: old.withoutStep))
    steps = Self.steps(from: old, to: new)
  }

  /// Whether stored values and the step are unchanged. If so, the edit is allowed after the version has shipped, as
  /// long as the version's stores are still recognised.
  package var keepsRows: Bool { steps.isEmpty && changes.allSatisfy(\.keepsRows) }

  package var descriptions: [String] { changeDescriptions + stepDescriptions }

  /// One line for each change. Changes that the store sees come first.
  package var changeDescriptions: [String] {
    let isSeen = { (change: SchemaChange) in change.mechanism > .none }
    return (changes.filter(isSeen) + changes.filter { !isSeen($0) }).map { change in
      let detail = change.detail.isEmpty ? "" : ": \(change.detail)"
      return "\(change.element): \(change.classification.title)\(detail)"
    }
  }

  package var stepDescriptions: [String] {
    steps.map { "\($0): what the step to this version does" }
  }

  private static func steps(from old: SchemaVersion, to new: SchemaVersion) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ name: String, _ old: Value, _ new: Value) {
      if old != new { found.append(name) }
    }
    compare("hooks", old.hooks, new.hooks)
    func compareAll<Value>(
      _ key: String, _ old: [Value], _ new: [Value], _ name: (Value) -> String,
      _ isEqual: (Value, Value) -> Bool
    ) {
      let before = Dictionary(old, keyedBy: name)
      let after = Dictionary(new, keyedBy: name)
      for name in Set(before.keys).union(after.keys).sorted() {
        guard let was = before[name], let now = after[name], isEqual(was, now) else {
          found.append("\(key): \(name)")
          continue
        }
      }
    }
    // Reasons may be reworded at any time, and acceptances have no effect on rows.
    compareAll("drops", old.drops, new.drops, \.element.value.description) {
      $0.revert == $1.revert && $0.replacedBy == $1.replacedBy
    }
    for type in new.types.sorted(by: { $0.name < $1.name }) {
      guard let was = old.type(named: type.name), was != type, was.withoutStep == type.withoutStep
      else { continue }
      found.append(type.name)
    }
    for model in new.models.sorted(by: { $0.name < $1.name }) {
      guard let was = old.model(named: model.name) else { continue }
      let dedupes = { (model: Model) in
        Dictionary(model.uniques.map { ($0.names, $0.dedupe) }) { first, _ in first }
      }
      if was.sources != model.sources || was.isRenamed != model.isRenamed
        || dedupes(was) != dedupes(model)
      {
        found.append(model.name)
      }
      for property in model.properties.sorted(by: { $0.name < $1.name }) {
        guard let before = was.property(named: property.name) else { continue }
        if before.migration != property.migration
          || before.attribute?.dedupe != property.attribute?.dedupe
        {
          found.append("\(model.name).\(property.name)")
        }
      }
    }
    return found
  }
}

extension SchemaChange {
  /// Whether rows keep their values without a finding or a confirmation, if the version's stores stay recognised.
  fileprivate var keepsRows: Bool {
    // Renamed cases change no rows, whether in the shipped version or in a new one.
    if kind == .enumCasesRenamed { return true }
    guard classification.severity == nil, !classification.needsAcknowledgement else { return false }
    switch kind {
    // Old stores get the index changes with the next migration, and work without them.
    case .indexAdded, .indexRemoved: return true
    // If the struct's fields have no columns, its value is stored as JSON, and the field is nil when old JSON is
    // decoded.
    case .structFieldAddedOptional, .structFieldMadeOptional: return true
    default: return mechanism == .none && effect == .kept
    }
  }
}
