internal import SchemaModel

struct CloudKitDeny: LintRule {
  let rule = Rule(
    "cloudkit-deny", "A store that syncs denies no deletion",
    basis: .fact(.migration, "cloudkit-no-deny", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    When another device has already deleted a row, this device can no longer deny the deletion,
    so CloudKit does not support `deny`. Check in code before you delete, and choose `nullify`
    or `cascade` as the rule. Lint checks this with `cloudKit: private`.
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
        rule, "'\(element)' denies deletions, which CloudKit does not support", element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: ["choose nullify or cascade"])
    }
  }
}
