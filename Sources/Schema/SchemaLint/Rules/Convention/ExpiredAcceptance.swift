package import SchemaModel

struct ExpiredAcceptance: LintRule {
  let rule = Rule.expiredAcceptance

  func findings(in context: LintContext) -> [Diagnostic] {
    context.expiredAcceptances.map { acceptance, until in
      Diagnostic(
        rule, "the acceptance ended on \(until.value); its reason was: \(acceptance.reason)",
        element: acceptance.element, at: until.location,
        help: ["fix the finding", "or set a later day, if the reason still holds"])
    }
  }
}

extension LintContext {
  package var expiredAcceptances: [(acceptance: Acceptance, until: Located<CalendarDay>)] {
    history.filter(isOpen).flatMap(\.acceptances).compactMap { acceptance in
      acceptance.until.flatMap { $0.value < today ? (acceptance, $0) : nil }
    }
  }
}
