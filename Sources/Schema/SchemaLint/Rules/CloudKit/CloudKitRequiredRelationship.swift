internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct CloudKitRequiredRelationship: LintRule {
  let rule = Rule(
    "cloudkit-required-relationship", "In a store that syncs, every relationship is optional",
    basis: .fact(.migration, "cloudkit-relationships", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    Records arrive one by one, in any order, so a row may exist for a while before the row that
    it belongs to. CloudKit therefore needs every relationship to be optional, to-many ones too.
    Lint checks this with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: ‹"[Day]"›, inverse: trip, deleteRule: cascade }
        Day:
          properties:
            trip: { relationship: Trip? }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]?", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            trip: { relationship: Trip? }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

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

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding), path.steps.last == "relationship",
      let text = context.document?.node(at: path)?.scalar?.text
    else { return nil }
    return context.replacement(
      of: path, with: ManifestEdit.scalar(text + "?"), finding, "make it optional")
  }
}
