internal import SchemaModel

struct PlaceholderReason: LintRule {
  let rule = Rule.placeholderReason

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
          "'\(drop.element.value)' is dropped", reason, drop.element.value.description,
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
      rule, "\(what), but the reason is only '\(reason)'", element: element, at: location,
      help: ["say who checked the decision, and why it is right"])
  }

  private func isPlaceholder(_ reason: String) -> Bool { reason.isPlaceholder }
}

extension String {
  /// Whether the string is a placeholder instead of a reason: `why`, `todo: ask`.
  package var isPlaceholder: Bool {
    let words = lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    // Punctuation alone says nothing, and a note to oneself is not a reason yet.
    guard let first = words.first else { return true }
    return PlaceholderReason.notes.contains(first)
      || PlaceholderReason.placeholders.contains(words.joined(separator: " "))
  }
}
