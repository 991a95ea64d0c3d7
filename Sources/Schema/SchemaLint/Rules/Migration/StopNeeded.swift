internal import SchemaEvolution
internal import SchemaModel

struct StopNeeded: LintRule {
  let rule = Rule.stopNeeded

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      guard let stop = step.stages.first(where: \.isBarrier),
        let hazard = stop.barrierReasons.first
      else { return nil }
      let version = step.new
      let from = hazard.from.name
      let to = hazard.to.name
      return Diagnostic(
        rule,
        "a barrier stage is inserted before \(version.number.name): directly from \(from) to \(to), "
          + "'\(hazard.element)' would be \(hazard.direct), not \(hazard.stepwise)",
        element: version.number.name, at: version.location,
        help: ["no action is needed; 'schemagen diff' shows the reasons"])
    }
  }
}
