internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRename: LintRule {
  let rule = Rule(
    "cloudkit-rename", .warning, "What a cloud schema has keeps its name",
    basis: .fact(.migration, "cloudkit-additive-only", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    For CloudKit a new name is a new field or a new record type. The old one stays in the production schema with the
    values that other devices wrote; an older app does not see what this one writes under the new name. Keep the name
    in the store, and give it another one in the domain entity with `entityProperty:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            units: String = ""
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          properties:
            ‹unit›: { type: String, default: '""', renamedFrom: units }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            units: String = ""
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          entity: Intake
          properties:
            units: { type: String, default: '""', entityProperty: unit }
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  private static let renames: Set<ChangeKind> = [
    .modelRenamed, .attributeRenamed, .relationshipRenamed,
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      step.changes.filter { Self.renames.contains($0.kind) }.map { change in
        Diagnostic(
          rule, "'\(change.element)' (\(change.detail)) is new for the cloud's schema",
          element: change.element, at: change.location,
          help: [
            "keep the name in the store, and write 'entityProperty:' for another in the entity",
            "to accept it: " + ManifestEdit.acceptance(id, change.element),
          ])
      }
    }
  }
}
