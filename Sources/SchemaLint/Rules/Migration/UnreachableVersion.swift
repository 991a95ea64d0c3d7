internal import SchemaDiagnostics
internal import SchemaModel

struct UnreachableVersion: LintRule {
  let rule = Rule(
    "unreachable-version", .note, "Every version but the newest has shipped",
    basis: .swiftData("3", .certain), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    A version that never shipped stands between two others: no store was ever written with it, so nobody starts from
    it. It costs a stage at every upgrade, and its mistakes can never be met. Fold it into the version after it while
    both are drafts; or mark it with `schemagen release`, if it did ship.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
        rule, "\(version.number.name) never shipped: no store can be of it",
        element: version.number.name, at: version.location,
        help: [
          "fold it into the next version, or run 'schemagen release \(version.number.name)' if it shipped"
        ])
    }
  }
}
