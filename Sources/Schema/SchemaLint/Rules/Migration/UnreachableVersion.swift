internal import SchemaModel

struct UnreachableVersion: LintRule {
  let rule = Rule(
    "unreachable-version", .note, "Every version but the newest has shipped",
    basis: .page("lock", "released-versions"), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    Between two other versions is one that the lock does not mark as shipped: as far as it
    knows, no release wrote stores of it, yet it costs a stage at every upgrade. If it shipped,
    mark it with `schemagen release`. If not, merge it into the next version while both are
    drafts, but think of your testers: their devices may hold stores of it.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int?
      === V3.yaml
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int?
            budget: Int?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int?
            budget: Int?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    // Where nothing is marked as shipped, nothing can be said.
    guard !context.released.isEmpty else { return [] }
    return context.history.dropLast().filter(context.isOpen).map { version in
      Diagnostic(
        rule, "\(version.number.name) is not marked as shipped, but later versions follow",
        element: version.number.name, at: version.location,
        help: [
          "fold it into the next version, or run 'schemagen release \(version.number.name)' if it shipped"
        ])
    }
  }
}
