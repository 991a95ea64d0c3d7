internal import SchemaEvolution
internal import SchemaModel

struct CloudKitCustomStage: LintRule {
  let rule = Rule(
    "cloudkit-custom-stage", .warning, "A store that syncs migrates with lightweight stages",
    basis: .fact(.migration, "cloudkit-custom-stages", .unverified), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    Nobody knows whether custom stages work with a store that syncs. The bridge versions that
    copy values may also add their columns to the cloud's schema, where they stay for ever.
    Prefer additive steps: a new optional property that the app fills. If you have tried the
    stage with a synced store, accept the finding and say so.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          amount: Int = 0
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
      models:
        Entry:
          properties:
            amount: Int = 0
            share: { type: Double?, from: amount, convert: Double($0) / 100 }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          properties:
            amount: Int = 0
            share: Double?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.compactMap { step in
      guard context.evolution.stages(of: step).contains(where: { $0.isCustom || $0.isBarrier })
      else {
        return nil
      }
      let version = context.history[step.to]
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
