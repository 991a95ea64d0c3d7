internal import SchemaEvolution
internal import SchemaModel

struct StopNeeded: LintRule {
  let rule = Rule.stopNeeded

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
