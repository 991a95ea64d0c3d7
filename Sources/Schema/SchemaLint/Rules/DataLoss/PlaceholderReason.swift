internal import SchemaModel

struct PlaceholderReason: LintRule {
  let rule = Rule(
    "placeholder-reason", "A reason is not a placeholder",
    basis: .fact(.tooling, "linter-complaints", .certain))
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    Messages show you what to write, with `"why"` for the reason, which only you know. If you
    copy it unchanged, it says that values may go and that nobody thought about it. Write a
    sentence for the reviewer: who looked, and why it is right.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            note: String?
      === V2.yaml
      version: 2.0.0
      drops:
        ‹Trip.note›: "why"
      models:
        Trip:
          properties:
            name: String
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      accept:
        - { rule: ‹shared-default›, element: Trip.added, reason: todo }
      models:
        Trip:
          properties:
            name: String
            added: Date = Date()
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            note: String?
      === V2.yaml
      version: 2.0.0
      drops:
        Trip.note: never shown, empty in all stores that support has seen
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  fileprivate static let placeholders: Set<String> = [
    "why", "reason", "because", "x", "xxx", "n a", "na", "none", "ok", "fine", "test", "temp",
    "temporary",
  ]
  fileprivate static let notes: Set<String> = ["todo", "tbd", "fixme", "wip", "hack"]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.history.filter(context.isOpen).flatMap { version -> [Diagnostic] in
      let drops = version.drops.compactMap { drop -> Diagnostic? in
        guard case .reason(let reason) = drop.acknowledgement, isPlaceholder(reason) else {
          return nil
        }
        return finding(
          "'\(drop.element.value)' may go", reason, drop.element.value.description,
          drop.element.location)
      }
      let acceptances = version.acceptances.filter { isPlaceholder($0.reason) }.map { entry in
        finding(
          "'\(entry.rule.value)' is accepted", entry.reason, entry.element, entry.rule.location)
      }
      return drops + acceptances
    }
  }

  private func finding(
    _ what: String, _ reason: String, _ element: String?, _ location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      rule, "\(what), and the reason is '\(reason)'", element: element, at: location,
      help: ["say who looked, and why it is right"])
  }

  private func isPlaceholder(_ reason: String) -> Bool { reason.isPlaceholder }
}

extension String {
  /// Whether it says nothing as a reason: `why`, `todo: ask`.
  package var isPlaceholder: Bool {
    let words = lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    // Signs alone say nothing, and a note to oneself is not a reason yet.
    guard let first = words.first else { return true }
    return PlaceholderReason.notes.contains(first)
      || PlaceholderReason.placeholders.contains(words.joined(separator: " "))
  }
}
