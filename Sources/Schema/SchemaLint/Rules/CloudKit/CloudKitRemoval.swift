internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRemoval: LintRule {
  let rule = Rule(
    "cloudkit-removal", .warning, "A cloud schema loses nothing",
    basis: .fact(.migration, "cloudkit-additive-only", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    CloudKit's production schema only grows. A field or record type that a version removes stays
    there, and has to stay in every schema that somebody imports (`schemagen cloud schema
    --into` keeps it). Devices with an older app still read and write it, but no longer get its
    values from this version. Leave the property and stop using it, or accept the finding with a reason once
    no older app is in use.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          units: String = ""
          legacy: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      drops:
        Entry.legacy: never shown
      models:
        ‹Entry›:
          properties:
            units: String = ""
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
            units: String = ""
            legacy: String?
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  private static let removals: Set<ChangeKind> = [
    .modelRemoved, .attributeRemoved, .relationshipRemoved, .storedToTransient,
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      step.changes.filter { Self.removals.contains($0.kind) }.map { change in
        Diagnostic(
          rule, "'\(change.element)' is removed here, and stays in the cloud's schema for good",
          element: change.element, at: change.location,
          help: [
            "leave it, and stop using it",
            context.acceptance(id, change.element),
          ])
      }
    }
  }
}
