internal import SchemaEvolution
internal import SchemaModel

struct NoActionOrphans: LintRule {
  let rule = Rule(
    "no-action-orphans", .warning, "A deletion leaves no link to a deleted row",
    basis: .guide(.ritualist, "migration validation: no orphaned data created"), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    With `noAction`, the rows at the other end keep a link to a deleted row. Reading such a link
    may trap, often on another screen and weeks later. Use `nullify`, or `cascade` for rows that
    make no sense alone.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip, ‹deleteRule›: noAction }
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
            days: { relationship: "[Day]", inverse: trip, deleteRule: cascade }
        Day:
          properties:
            trip: { relationship: Trip? }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.deleteRule == .noAction else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "when a '\(model.name)' is deleted, the rows in '\(property.name)' keep a link to a row that is gone",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "choose nullify or cascade", context.acceptance(id, element),
        ])
    }
  }
}
