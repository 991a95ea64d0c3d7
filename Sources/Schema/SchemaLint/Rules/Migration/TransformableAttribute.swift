internal import SchemaEvolution
internal import SchemaModel

struct TransformableAttribute: LintRule {
  let rule = Rule.transformableAttribute

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.transformer != nil else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is stored in a form that only its transformer can read",
        element: element,
        at: context.place(of: "transformable", in: property, of: model),
        help: [
          "store JSON in a Data property with 'encodes:'",
          context.acceptance(id, element),
        ])
    }
  }
}
