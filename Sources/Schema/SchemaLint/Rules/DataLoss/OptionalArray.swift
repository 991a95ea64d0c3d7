internal import SchemaEvolution
internal import SchemaModel

struct OptionalArray: LintRule {
  let rule = Rule.optionalArray

  func findings(in context: LintContext) -> [Diagnostic] {
    let storage = StorageTypes(version: context.newest)
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.type.isOptional, attribute.transformer == nil, !property.isTransient,
        case .archived = storage.storage(of: attribute.type)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is an optional array of values, which has crashed an app on save",
        element: element, at: property.location,
        help: [
          "write '\(attribute.type.unwrapped)' with the default [], and 'fill: []' for rows of an older version",
          context.acceptance(id, element),
        ])
    }
  }
}
