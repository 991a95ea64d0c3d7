internal import SchemaEvolution
internal import SchemaModel

struct CloudKitTransformer: LintRule {
  let rule = Rule.cloudKitTransformer

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private, context.isOpen(context.newest) else {
      return []
    }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard let transformer = attribute.transformer, !property.isTransient,
        !context.localModels.contains(model.name)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "'\(element)' syncs through '\(transformer)', which every process that opens the store must register first",
        element: element, at: property.location,
        help: [
          "call 'ValueTransformer.setValueTransformer' before you create the container",
          context.acceptance(id, element),
        ])
    }
  }
}
