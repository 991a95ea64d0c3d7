internal import SchemaManifest
internal import SchemaModel

struct RedundantDeleteRule: LintRule {
  let rule = Rule(
    "redundant-delete-rule", .note, "The default delete rule is not written out",
    basis: .fact(.swiftData, "delete-rule-default", .certain), isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    A relationship without `deleteRule:` already does `nullify`. Written out, it looks like a
    decision, and the reader looks for its reason.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, ‹deleteRule›: nullify }
        Day:
          properties:
            trip: { relationship: Trip? }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            trip: { relationship: Trip? }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.deleteRule == .nullify,
        let place = context.place(
          ofKey: "models", model.name, "properties", property.name, "deleteRule")
      else { return nil }
      return Diagnostic(
        rule, "'\(model.name).\(property.name)' is nullified by default",
        element: ElementPath(model.name, property.name), at: place, help: ["remove 'deleteRule'"])
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'deleteRule: nullify'")
  }
}
