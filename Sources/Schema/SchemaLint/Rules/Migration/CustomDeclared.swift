internal import SchemaEvolution
internal import SchemaModel

struct CustomDeclared: LintRule {
  let rule = Rule.customDeclared

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.compactMap { step in
      let version = step.new
      let stages = step.stages
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
