internal import SchemaEvolution
internal import SchemaModel

struct CascadeToOwner: LintRule {
  let rule = Rule(
    "cascade-to-owner", .warning, "Deleting a part does not delete its owner",
    basis: .guide(.schemaChange, "data integrity test: verify cascade deletes work"),
    isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    `cascade` on the to-one side of a one-to-many relationship deletes the owner with any of its
    parts. If the owner cascades too, all other parts go with it. Nearly always you meant the
    other end.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]" }
        Day:
          properties:
            trip: { relationship: Trip?, inverse: days, ‹deleteRule›: cascade }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", deleteRule: cascade }
        Day:
          properties:
            trip: { relationship: Trip?, inverse: days }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let models = Dictionary(context.newest.models, keyedBy: \.name)
    return context.newest.allRelationships.compactMap { model, property, relationship in
      let destination = relationship.destination.value
      guard relationship.deleteRule == .cascade, !relationship.cardinality.isMany,
        let inverse = relationship.inverse?.value,
        models[destination]?.property(named: inverse)?.relationship?.cardinality.isMany == true
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "deleting one '\(model.name)' deletes the '\(destination)' that others belong to",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "write 'deleteRule: cascade' at '\(destination).\(inverse)' instead",
          context.acceptance(id, element),
        ])
    }
  }
}
