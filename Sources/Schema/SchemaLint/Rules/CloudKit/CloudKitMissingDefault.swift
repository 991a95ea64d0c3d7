internal import SchemaModel

struct CloudKitMissingDefault: LintRule {
  let rule = Rule.cloudKitMissingDefault

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard !attribute.type.isOptional, attribute.defaultValue == nil, !property.isTransient else {
        return nil
      }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is not optional and has no default", element: element,
        at: property.location,
        help: ["add a default, or write '\(attribute.type)?' and let the value be nil"])
    }
  }
}
