internal import SchemaModel

struct CloudKitMissingDefault: LintRule {
  let rule = Rule(
    "cloudkit-missing-default",
    "In a store that syncs every attribute is optional or has a default",
    basis: .fact(.migration, "cloudkit-optional-or-default", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    Records arrive from other devices, also from older ones that do not know an attribute. There has to be a value for it: CloudKit allows nothing else. The default must stand at the declaration; one in `init` does
    not count. Looked at with `cloudKit: private`.
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
