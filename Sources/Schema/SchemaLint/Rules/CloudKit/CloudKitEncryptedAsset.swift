internal import SchemaEvolution
internal import SchemaModel

struct CloudKitEncryptedAsset: LintRule {
  let rule = Rule(
    "cloudkit-encrypted-asset", .note, "What must be encrypted fits into its record",
    basis: .fact(.cloudKit, "encrypted-fields", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    `allowsCloudEncryption` encrypts the field of a value. A value that is too large for its
    record, about 700,000 bytes, goes to an asset instead, and that field is never encrypted by
    the option. Keep what must be encrypted small, or encrypt it yourself before you store it.
    Lint checks this with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            ‹scan›: { type: Data?, allowsCloudEncryption: true }
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
            scan: Data?
            secret: { type: String?, allowsCloudEncryption: true }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private, context.isOpen(context.newest) else {
      return []
    }
    let types = StorageTypes(version: context.newest)
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.options.contains(.allowsCloudEncryption), !property.isTransient,
        types.cloudForm(of: attribute).content == .bytes,
        !context.localModels.contains(model.name)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "'\(element)' is encrypted in CloudKit only as long as a value fits into its record",
        element: element, at: property.location,
        help: [
          "encrypt the value in code before you store it, and take 'allowsCloudEncryption' out",
          context.acceptance(id, element),
        ])
    }
  }
}
