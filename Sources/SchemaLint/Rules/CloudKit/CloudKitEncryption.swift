internal import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaModel

struct CloudKitEncryption: LintRule {
  let rule = Rule(
    "cloudkit-encryption", "Whether a field is encrypted in the cloud never changes",
    basis: .swiftData("4", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    A field is encrypted in CloudKit's production schema, or it is not, from its first day on. Changing
    `allowsCloudEncryption` does nothing to the local store and cannot be done in the cloud: syncing of the record type
    fails. Add a property of another name.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            note: String?
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          properties:
            ‹note›: { type: String?, allowsCloudEncryption: true }
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
            note: String?
      === V2.yaml
      version: 2.0.0
      models:
        Entry:
          properties:
            note: String?
            secret: { type: String?, allowsCloudEncryption: true }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openHops.flatMap { hop in
      hop.changes.filter { $0.kind == .cloudEncryptionChanged }.map { change in
        Diagnostic(
          rule, "'\(change.element)' is encrypted in the cloud or not, and stays so",
          element: change.element, at: change.location,
          help: ["leave it, and add a property of another name"])
      }
    }
  }
}
