internal import SchemaModel

struct CloudKitMissingDefault: LintRule {
  let rule = Rule(
    "cloudkit-missing-default",
    "In a store that syncs, every attribute is optional or has a default",
    basis: .fact(.migration, "cloudkit-optional-or-default", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    Records also arrive from devices with an older app that does not know the attribute. It then
    needs a value, and CloudKit allows no attribute without one. Write the default at the
    declaration; a default in `init` does not help. Lint checks this with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            ‹units›: String
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Entry:
          properties:
            units: String = ""
            note: String?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allAttributes.compactMap { model, property, attribute in
      guard !attribute.type.isOptional, attribute.defaultValue == nil, !property.isTransient else {
        return nil
      }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is neither optional nor has a default", element: element,
        at: property.location,
        help: ["give it a default, or write '\(attribute.type)?' and let it be nil"])
    }
  }
}
