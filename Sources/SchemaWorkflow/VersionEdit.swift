package import SchemaEvolution
package import SchemaModel

/// How one version differs between two states of its manifest: not a step, an edit.
package struct VersionEdit: Sendable {
  /// What the version stores and how its types look.
  package let changes: [SchemaChange]
  /// Parts of the step to the version that say something else: `Trip.title`, `drops: Trip.note`.
  package let steps: [String]

  package init(from old: SchemaVersion, to new: SchemaVersion) {
    changes = SchemaDiffer().changes(from: old.withoutStep, to: new.withoutStep)
    steps = Self.steps(from: old, to: new)
  }

  /// One line for each part.
  package var descriptions: [String] { changeDescriptions + stepDescriptions }

  /// One line for each change, those that the store sees first.
  var changeDescriptions: [String] {
    let isSeen = { (change: SchemaChange) in change.mechanism > .none }
    return (changes.filter(isSeen) + changes.filter { !isSeen($0) }).map { change in
      let detail = change.detail.isEmpty ? "" : ": \(change.detail)"
      return "\(change.element): \(change.classification.title)\(detail)"
    }
  }

  var stepDescriptions: [String] { steps.map { "\($0): what the step to this version does" } }

  private static func steps(from old: SchemaVersion, to new: SchemaVersion) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ name: String, _ old: Value, _ new: Value) {
      if old != new { found.append(name) }
    }
    compare("summary", old.summary, new.summary)
    compare("hooks", old.hooks, new.hooks)
    func compareAll<Value>(
      _ key: String, _ old: [Value], _ new: [Value], _ name: (Value) -> String,
      _ isEqual: (Value, Value) -> Bool
    ) {
      let before = Dictionary(old.map { (name($0), $0) }) { first, _ in first }
      let after = Dictionary(new.map { (name($0), $0) }) { first, _ in first }
      for name in Set(before.keys).union(after.keys).sorted() {
        guard let was = before[name], let now = after[name], isEqual(was, now) else {
          found.append("\(key): \(name)")
          continue
        }
      }
    }
    compareAll("drops", old.drops, new.drops, { $0.element.value }, ==)
    // The reason of an acceptance may be put better at any time.
    compareAll("accept", old.acceptances, new.acceptances, \.accepted) {
      $0.accepted == $1.accepted
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
        if before.hop != property.hop || before.attribute?.dedupe != property.attribute?.dedupe {
          found.append("\(model.name).\(property.name)")
        }
      }
    }
    return found
  }
}

extension Acceptance {
  fileprivate var accepted: String { "\(rule.value) \(element ?? "")" }
}
