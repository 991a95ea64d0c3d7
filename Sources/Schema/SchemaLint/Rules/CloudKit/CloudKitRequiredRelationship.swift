internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct CloudKitRequiredRelationship: LintRule, RuleFix {
  let rule = Rule.cloudKitRequiredRelationship

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allRelationships.compactMap { model, property, relationship in
      guard !relationship.type.isOptional else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is not optional", element: element,
        at: context.place(
          ofValue: "models", model.name, "properties", property.name, "relationship",
          or: property.location),
        help: ["write '\(relationship.type.optionalized)'"])
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding), path.steps.last == "relationship",
      let text = context.document?.node(at: path)?.scalar?.text
    else { return nil }
    return context.replacement(
      of: path, with: ManifestEdit.scalar(text + "?"), finding, "make the relationship optional")
  }
}
