internal import SchemaEvolution
internal import SchemaModel

struct CascadeManyToMany: LintRule {
  let rule = Rule(
    "cascade-many-to-many", .warning, "Deleting a row does not delete rows that others share",
    basis: .guide(.schemaChange, "data integrity test: verify cascade deletes work"),
    isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    In a many-to-many relationship, a row at the other end may belong to other rows too.
    `cascade` deletes it with the first of them: if a user deletes a trip, its tags vanish from
    every other trip.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            tags: { relationship: "[Tag]", inverse: trips, ‹deleteRule›: cascade }
        Tag:
          properties:
            trips: { relationship: "[Trip]" }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            tags: { relationship: "[Tag]", inverse: trips }
        Tag:
          properties:
            trips: { relationship: "[Trip]" }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let models = Dictionary(context.newest.models, keyedBy: \.name)
    return context.newest.allRelationships.compactMap { model, property, relationship in
      let destination = relationship.destination.value
      guard relationship.deleteRule == .cascade, relationship.cardinality.isMany,
        let inverse = relationship.inverse?.value,
        models[destination]?.property(named: inverse)?.relationship?.cardinality.isMany == true
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "deleting one '\(model.name)' deletes each '\(destination)' that others share",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "leave 'deleteRule' out: the links go, the rows stay",
          context.acceptance(id, element),
        ])
    }
  }
}
