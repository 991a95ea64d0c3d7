internal import SchemaEvolution
internal import SchemaModel

struct CloudKitCustomStage: LintRule {
  let rule = Rule.cloudKitCustomStage

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.compactMap { step in
      guard step.stages.contains(where: { $0.isCustom || $0.isBarrier })
      else {
        return nil
      }
      let version = step.new
      let way = context.evolution.kind(of: step)
      return Diagnostic(
        rule,
        "the step to \(version.number.name) is \(way): whether CloudKit allows that is unverified",
        element: version.number.name, at: version.location,
        help: [
          "let the app fill a new optional property instead",
          "to accept it: " + ManifestEdit.acceptance(id, version.number.name),
        ])
    }
  }
}
