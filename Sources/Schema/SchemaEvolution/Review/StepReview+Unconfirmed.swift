internal import SchemaModel

/// Reviews removals in an adopted plan that no person has confirmed.
extension StepReview {
  var droppable: [SchemaChange] {
    changes.filter {
      $0.classification.needsAcknowledgement || $0.kind == .enumCaseRemoved
        || $0.kind == .enumCaseReplaced
    }
  }

  /// Reports all unconfirmed drops of a step in one finding, because the first question is whether the version has
  /// shipped.
  func unconfirmedDrops() -> [Diagnostic] {
    let places = Dictionary(
      new.drops.filter { $0.acknowledgement == .unconfirmed }.map {
        ($0.element.value, $0.element.location)
      }
    ) { first, _ in first }
    var seen: Set<ElementPath> = []
    let lost = droppable.filter { places[$0.element] != nil && seen.insert($0.element).inserted }
    guard !lost.isEmpty else { return [] }
    let models = lost.filter { $0.element.member == nil }.map(\.element.owner).sorted()
    let parts = lost.filter { $0.element.member != nil }.map(\.element).sorted()
    let name = new.number.name
    let isAll = Set(models) == Set(pairing.oldModels.keys)
    let what = isAll ? "every row of \(oldName)" : "\(Self.counts(lost)) of \(oldName)"
    var help: [String] = []
    if !models.isEmpty {
      help.append("models dropped with all rows: \(models.joined(separator: ", "))")
    }
    let owners = Dictionary(grouping: parts, by: \.owner)
    for owner in owners.keys.sorted() {
      let names = owners[owner, default: []].compactMap(\.member)
      help.append("of \(owner): \(names.joined(separator: ", "))")
    }
    // The questions about an element begin with its best successor.
    help += lost.compactMap { change in
      renameQuestions.first { $0.removed == change.element }.map {
        isShipped ? $0.summary(shippedFrom: oldName) : $0.summary
      }
    }
    if isShipped {
      help.append("if you meant the removals, write the reason instead of 'unconfirmed'")
    } else {
      help += [
        "for each element to drop, write the reason instead of 'unconfirmed'",
        "if \(name) has shipped, record that: schemagen release \(name)",
      ]
    }
    return [
      Diagnostic(
        .unconfirmedDrop,
        isShipped
          ? "\(name) has shipped with this change: it drops \(what) without confirmation"
          : "\(name) drops \(what) without confirmation",
        element: name, at: lost.compactMap { places[$0.element] ?? nil }.min(), help: help,
        severity: isShipped || policy == .inferred ? .warning : .error)
    ]
  }

  private static func counts(_ lost: [SchemaChange]) -> String {
    var counts: [String: Int] = [:]
    for change in lost {
      let noun =
        switch change.kind {
        case .enumCaseRemoved, .enumCaseReplaced, .plainEnumCaseRemoved: "case"
        case .structFieldRemoved: "field"
        default: change.element.member == nil ? "model" : "property"
        }
      counts[noun, default: 0] += 1
    }
    let nouns = [
      ("model", "models"), ("property", "properties"), ("field", "fields"), ("case", "cases"),
    ]
    return nouns.compactMap { one, many in
      counts[one].map { "\($0) \($0 == 1 ? one : many)" }
    }.enumeration
  }
}
