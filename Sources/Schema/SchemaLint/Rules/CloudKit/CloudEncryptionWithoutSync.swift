internal import SchemaModel

struct CloudEncryptionWithoutSync: LintRule {
  let rule = Rule(
    "cloud-encryption-without-sync", .warning,
    "A model uses cloud encryption only if its store syncs",
    basis: .fact(.migration, "cloud-encryption-has-no-local-effect", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    `allowsCloudEncryption` has an effect only in CloudKit; the local store holds the value in
    plain form. If the store syncs, write `cloudKit: private` in schemagen.yaml, so that lint
    checks CloudKit's rules. If it does not, encrypt the value in code.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            note: { type: String?, ‹allowsCloudEncryption›: true }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            note: { type: String?, allowsCloudEncryption: true }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .none else { return [] }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.options.contains(.allowsCloudEncryption) else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is encrypted in a cloud that the store does not sync with",
        element: element,
        at: context.place(of: "allowsCloudEncryption", in: property, of: model),
        help: ["write 'cloudKit: private' in schemagen.yaml, or encrypt the value in code"])
    }
  }
}
