internal import SchemaModel

struct CloudKitDeny: LintRule {
  let rule = Rule(
    "cloudkit-deny", "In a store that syncs no deletion is denied",
    basis: .fact(.migration, "cloudkit-no-deny", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    A deletion that another device has made cannot be denied here any more, so CloudKit does not know `deny`. Ask in
    code before deleting, and choose `nullify` or `cascade` for what happens then. Looked at with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]?", inverse: trip, ‹deleteRule›: deny }
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
      guard relationship.deleteRule == .deny else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' denies deletions, which CloudKit cannot", element: element,
        at: context.place(
          ofKey: "models", model.name, "properties", property.name, "deleteRule",
          or: property.location), help: ["choose nullify or cascade"])
    }
  }
}
