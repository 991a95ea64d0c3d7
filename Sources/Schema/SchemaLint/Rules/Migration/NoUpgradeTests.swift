internal import SchemaEvolution
internal import SchemaModel

struct NoUpgradeTests: LintRule {
  let rule = Rule(
    "no-upgrade-tests", .note, "Migrations that change rows have tests",
    basis: .guide(
      .versionedSchema, "don't ship schema changes without fixture-based upgrade tests"),
    isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.version

  let purpose = """
    The migration plan changes rows, but `tests:` names no folder, so nothing runs it on Apple's
    own SwiftData before your users do. With `tests:` and `module:`, schemagen writes a test of
    every upgrade path.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          days: Int
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
      models:
        Trip:
          properties:
            nights: { type: Int, from: days, convert: $0 - 1, revert: $0 + 1 }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            nights: { type: Int, from: days, convert: $0 - 1, revert: $0 + 1 }
      === schemagen.yaml
      tests: ../Tests
      module: Trips
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.tests == nil,
      context.evolution.stages.contains(where: \.isCustom)
    else { return [] }
    return [
      Diagnostic(
        rule, "the plan changes rows, and no test of it is generated",
        element: context.newest.number.name, at: context.newest.location,
        help: ["write 'tests: ../Tests/Migrations' and 'module: …' in schemagen.yaml"])
    ]
  }
}
