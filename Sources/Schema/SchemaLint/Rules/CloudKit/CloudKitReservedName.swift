internal import SchemaEvolution
internal import SchemaModel

struct CloudKitReservedName: LintRule {
  let rule = Rule(
    "cloudkit-reserved-name", "No property has the name of a field that Core Data makes itself",
    basis: .fact(.cloudKit, "asset-companion", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    CloudKit's records have fields of Core Data's own beside those of properties:
    `CD_entityName`, `CD_moveReceipt`, and for every value of any length a second field whose
    name ends with `_ckAsset`. A property of such a name would share the field. Rename it before
    the first deployment: a field in production keeps its name for good. Lint checks this with
    `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            ‹entityName›: String?
            photo: Data?
            ‹photo_ckAsset›: Data?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kindName: String?
            photo: Data?
            photoAsset: Data?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allProperties.compactMap { model, property in
      let isReserved =
        ["entityName", "moveReceipt"].contains(property.name)
        || property.name.hasSuffix(CloudRecords.assetSuffix)
      guard isReserved, !property.isTransient else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' has the name of a field that Core Data makes itself",
        element: element, at: property.location, help: ["give it another name"])
    }
  }
}
