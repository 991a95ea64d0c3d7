internal import SchemaEvolution
internal import SchemaModel

struct CloudKitReservedName: LintRule {
  let rule = Rule.cloudKitReservedName

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allProperties.compactMap { model, property in
      let isReserved =
        ["entityName", "moveReceipt"].contains(property.name)
        || property.name.hasSuffix(CloudRecords.assetSuffix)
      guard isReserved, !property.isTransient else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' has the name of a field that Core Data creates itself",
        element: element, at: property.location, help: ["choose another name"])
    }
  }
}
