internal import SchemaEvolution
internal import SchemaModel

struct StopNeeded: LintRule {
  let rule = Rule(
    "stop-needed", .note, "Skipping a release gives the same result as taking every step",
    basis: .fact(.migration, "lightweight-run-is-one-inference", .likely), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    The engine takes a run of lightweight stages as one inference, from the store's version
    directly to the last. For users who skip a release, the result here would differ from the
    single steps, or the migration would fail. schemagen therefore inserts a barrier stage at
    this step: a custom stage without work, at which the engine stops inferring. You need not do
    anything. A name that no version had would make the barrier stage unnecessary.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          score: Int?
    === V2.yaml
    version: 2.0.0
    drops:
      Trip.score: always nil
    models:
      Trip:
        properties:
          name: String
    === V3.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 3.0.0
      accept:
        - { rule: revived-name, element: Trip.score, reason: it is a score again }
      models:
        Trip:
          properties:
            name: String
            score: Int?
      """)
  ]

  let good = [
    Example(
      """
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String
            rating: Int?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      guard let stop = context.evolution.stages(of: step).first(where: \.isBarrier),
        let hazard = stop.barrierReasons.first
      else { return nil }
      let version = context.history[step.to]
      let from = context.evolution.chain[hazard.from].identifier.name
      let to = context.evolution.chain[hazard.to].identifier.name
      return Diagnostic(
        rule,
        "a barrier stage is inserted before \(version.number.name): directly from \(from) to \(to), "
          + "'\(hazard.element)' would be \(hazard.direct), not \(hazard.stepwise)",
        element: version.number.name, at: version.location,
        help: ["no action is needed; 'schemagen diff' shows the reasons"])
    }
  }
}
