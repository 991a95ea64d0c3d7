internal import SchemaEvolution
internal import SchemaModel

struct NullifyRequired: LintRule {
  let rule = Rule(
    "nullify-required", .warning, "A relationship that can be nullified is optional",
    basis: .publication("Core Data's delete rules", .unverified), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    Deleting a row sets the links that lead to it to nil. This link is not optional, so the save
    may fail, or a later read may trap. Make the link optional, or delete its row too with
    `cascade`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            ‹days›: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            trip: { relationship: Trip }
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
            trip: { relationship: Trip }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let models = Dictionary(context.newest.models, keyedBy: \.name)
    return context.newest.allRelationships.compactMap { model, property, relationship in
      let destination = relationship.destination.value
      guard relationship.deleteRule == .nullify, let inverse = relationship.inverse?.value,
        models[destination]?.property(named: inverse)?.relationship?.cardinality == .one
      else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "deleting a '\(model.name)' nullifies '\(destination).\(inverse)', which is not optional",
        element: element, at: property.location,
        help: [
          "make '\(destination).\(inverse)' a '\(model.name)?', or write 'deleteRule: cascade' here if these rows may go as well",
          context.acceptance(id, element),
        ])
    }
  }
}
