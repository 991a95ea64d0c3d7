internal import SchemaEvolution
internal import SchemaModel

struct CloudKitDecimal: LintRule {
  let rule = Rule(
    "cloudkit-decimal", .warning, "A number that must be exact stays exact in the cloud",
    basis: .fact(.cloudKit, "attribute-fraction", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    CloudKit keeps a `Decimal` as a floating-point number, so what another device reads is not
    exactly what this one wrote. For money that is a difference somebody notices. Store whole
    numbers of the smallest unit (`priceCents: Int`) or text. Lint checks this with `cloudKit:
    private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Item:
          properties:
            ‹price›: Decimal = 0
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Item:
          properties:
            priceCents: Int = 0
      === schemagen.yaml
      cloudKit: private
      """),
    Example(
      """
      version: 1.0.0
      models:
        Item:
          properties:
            price: Decimal = 0
      === V2.yaml
      version: 2.0.0
      models:
        Item:
          properties:
            price: Decimal = 0
            note: String?
      === shipped V1.yaml
      version: 1.0.0
      models:
        Item:
          properties:
            price: Decimal = 0
      === schemagen.yaml
      cloudKit: private
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    // A shipped version stays as it is.
    guard context.isOpen(context.newest) else { return [] }
    let before = context.history.last { !context.isOpen($0) }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.type.unwrapped == .named("Decimal"), !property.isTransient,
        !context.localModels.contains(model.name)
      else { return nil }
      let element = ElementPath(model.name, property.name)
      // What devices have sent already is a DOUBLE for good.
      guard before?.property(at: element)?.attribute?.type.unwrapped != attribute.type.unwrapped
      else { return nil }
      return Diagnostic(
        rule, "'\(element)' is a DOUBLE in CloudKit, which does not hold every Decimal exactly",
        element: element, at: property.location,
        help: [
          "store whole numbers of the smallest unit, or text",
          context.acceptance(id, element),
        ])
    }
  }
}
