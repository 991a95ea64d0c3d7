internal import SchemaEvolution
internal import SchemaModel

struct CloudKitEncryptedAsset: LintRule {
  let rule = Rule.cloudKitEncryptedAsset

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
        "'\(element)' is not encrypted in CloudKit if its value does not fit into the record",
        element: element, at: property.location,
        help: [
          "encrypt the value in code before you store it, and remove 'allowsCloudEncryption'",
          context.acceptance(id, element),
        ])
    }
  }
}
