internal import SchemaEvolution
internal import SchemaModel

struct CustomDeclared: LintRule {
  let rule = Rule(
    "custom-declared", .warning, "A step declared custom has work to do",
    basis: .guide(.versionedSchema, "lightweight vs custom rule"), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    `stage: custom` says that the step works on values. This one does not: the engine can infer
    all of it. Either the manifest lacks the conversion that you meant, and old rows keep what
    they hold, or the word is wrong.
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
      stage: ‹custom›
      models:
        Trip:
          properties:
            days: Int = 1
            nights: Int?
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      stage: custom
      models:
        Trip:
          properties:
            days: Int = 1
            nights: { type: Int, default: 0, from: days, convert: $0 - 1 }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = context.history[step.to]
      let stages = context.evolution.stages(of: step)
      guard let stage = version.expectedStage, stage.value == .custom, !stages.isEmpty,
        !stages.contains(where: { $0.isCustom || $0.isBarrier })
      else { return nil }
      return Diagnostic(
        rule,
        "the step to \(version.number.name) is declared custom, but the engine infers all of it",
        element: version.number.name, at: stage.location,
        help: ["declare a conversion or a fill, or write 'stage: lightweight'"])
    }
  }
}
