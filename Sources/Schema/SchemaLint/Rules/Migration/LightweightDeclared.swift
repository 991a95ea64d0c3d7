internal import SchemaEvolution
internal import SchemaModel

struct LightweightDeclared: LintRule {
  let rule = Rule(
    "lightweight-declared", "A step declared lightweight needs no code",
    basis: .guide(
      .schemaMigration, "pitfall 7: used lightweight migration when heavyweight was needed"))
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    `stage: lightweight` promises the reviewer that a step needs no code. This one does: it
    converts, fills or deduplicates values, or users who skip releases need a barrier stage.
    Look at it with `schemagen diff`, then write `stage: custom` or make the step smaller.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          days: Int = 1
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      stage: ‹lightweight›
      models:
        Trip:
          properties:
            nights: { type: Int, default: 0, from: days, convert: $0 - 1, revert: $0 + 1 }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      stage: lightweight
      models:
        Trip:
          properties:
            days: Int = 1
            nights: Int?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = context.history[step.to]
      guard let stage = version.expectedStage, stage.value == .lightweight,
        context.evolution.stages(of: step).contains(where: { $0.isCustom || $0.isBarrier })
      else { return nil }
      return Diagnostic(
        rule,
        "the step to \(version.number.name) is declared lightweight but is \(context.evolution.kind(of: step))",
        element: version.number.name, at: stage.location,
        help: ["write 'stage: custom' if it is meant; 'schemagen diff' shows what needs code"])
    }
  }
}
