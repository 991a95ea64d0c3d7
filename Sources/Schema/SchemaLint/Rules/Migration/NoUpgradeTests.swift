internal import SchemaEvolution
internal import SchemaModel

struct NoUpgradeTests: LintRule {
  let rule = Rule.noUpgradeTests

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.tests == nil,
      context.evolution.steps.contains(where: \.plan.isCustom)
    else { return [] }
    return [
      Diagnostic(
        rule, "the plan changes rows, but no test of it is generated",
        element: context.newest.number.name, at: context.newest.location,
        help: ["write 'tests: ../Tests/Migrations' and 'module: …' in schemagen.yaml"])
    ]
  }
}
