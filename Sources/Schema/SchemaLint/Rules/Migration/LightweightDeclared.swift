internal import SchemaEvolution
internal import SchemaModel

struct LightweightDeclared: LintRule {
  let rule = Rule.lightweightDeclared

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = step.new
      guard let stage = version.expectedStage, stage.value == .lightweight,
        step.stages.contains(where: { $0.isCustom || $0.isBarrier })
      else { return nil }
      return Diagnostic(
        rule,
        "the step to \(version.number.name) is declared lightweight but is \(context.evolution.kind(of: step))",
        element: version.number.name, at: stage.location,
        help: ["write 'stage: custom' if you meant it; 'schemagen diff' shows what needs code"])
    }
  }
}
