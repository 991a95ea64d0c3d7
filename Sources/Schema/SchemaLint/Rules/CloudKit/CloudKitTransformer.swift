internal import SchemaEvolution
internal import SchemaModel

struct CloudKitTransformer: LintRule {
  let rule = Rule(
    "cloudkit-transformer", .note, "A transformer is registered before a store that syncs opens",
    basis: .fact(.cloudKit, "attribute-transformable", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    What is stored by a transformer goes to CloudKit as the transformer makes it. If the
    transformer is not registered when the container opens, or cannot transform back, a store
    that syncs does not open (134060): a widget or an extension that forgets it does not, even
    though the app does. Register it first thing, in every process; or store a Codable struct.
    Lint checks this with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            ‹tint›: { type: Tint?, transformable: TintTransformer }
      types:
        Tint: { opaque: true }
      === schemagen.yaml
      cloudKit: private
      rules: { transformable-attribute: off }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            tint: Tint?
      types:
        Tint: { struct: { red: Double, green: Double, blue: Double } }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

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
        "'\(element)' syncs by '\(transformer)', which every process that opens the store has to register first",
        element: element, at: property.location,
        help: [
          "call 'ValueTransformer.setValueTransformer' before the container is made",
          context.acceptance(id, element),
        ])
    }
  }
}
