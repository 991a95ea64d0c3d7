package import SchemaModel

struct ExpiredAcceptance: LintRule {
  let rule = Rule.expiredAcceptance
  let category = RuleCategory.convention
  let scope = RuleScope.history

  let purpose = """
    `until:` promises that you will look at a finding again by that day. After it, the
    acceptance ends: lint reports the accepted finding again, and this one says why. Fix the
    finding, or write a later day if the reason still holds.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: nullify }
        Day:
          properties:
            trip: { relationship: Trip? }
      accept:
        - rule: redundant-delete-rule
          element: Trip.days
          reason: we decide about cascading in January
          until: ‹2027-01-31›
      """, today: "2027-02-01")
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, deleteRule: nullify }
        Day:
          properties:
            trip: { relationship: Trip? }
      accept:
        - rule: redundant-delete-rule
          element: Trip.days
          reason: we decide about cascading in summer
          until: 2027-08-31
      """, today: "2027-02-01")
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.expiredAcceptances.map { acceptance, until in
      Diagnostic(
        rule, "the acceptance ended on \(until.value): \(acceptance.reason)",
        element: acceptance.element, at: until.location,
        help: ["fix the finding", "or give it another day, if the reason still holds"])
    }
  }
}

extension LintContext {
  /// The acceptances that have run out, of versions that have not shipped, with their last days.
  package var expiredAcceptances: [(acceptance: Acceptance, until: Located<CalendarDay>)] {
    history.filter(isOpen).flatMap(\.acceptances).compactMap { acceptance in
      acceptance.until.flatMap { $0.value < today ? (acceptance, $0) : nil }
    }
  }
}
