internal import SchemaEvolution
internal import SchemaModel

struct TransformableAttribute: LintRule {
  let rule = Rule(
    "transformable-attribute", .warning, "The engine can migrate every stored value",
    basis: .fact(.swiftData, "transformer-values-are-opaque", .unverified), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.version

  let purpose = """
    A value transformer writes an archive that only this transformer can read. The engine cannot
    look into it and infers nothing, and a renamed class may make it unreadable. Store JSON with
    `encodes:`, which converters and migrations understand, or a Codable type.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            colour: { type: Data?, ‹transformable›: ColourTransformer }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            colour: { type: Data?, encodes: Colour }
      types:
        Colour: { struct: { red: Double, green: Double, blue: Double } }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.transformer != nil else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is stored in a form that only its transformer reads", element: element,
        at: context.place(of: "transformable", in: property, of: model),
        help: [
          "store JSON in a Data property with 'encodes:'",
          context.acceptance(id, element),
        ])
    }
  }
}
