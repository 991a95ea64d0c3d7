internal import SchemaModel

struct CloudEncryptionWithoutSync: LintRule {
  let rule = Rule.cloudEncryptionWithoutSync

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .none else { return [] }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.options.contains(.allowsCloudEncryption) else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is encrypted only in CloudKit, but the store does not sync",
        element: element,
        at: context.place(of: "allowsCloudEncryption", in: property, of: model),
        help: ["write 'cloudKit: private' in schemagen.yaml, or encrypt the value in code"])
    }
  }
}
