internal import SchemaEvolution
internal import SchemaModel

struct NullifyRequired: LintRule {
  let rule = Rule.nullifyRequired

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
          "make '\(destination).\(inverse)' a '\(model.name)?', or write 'deleteRule: cascade' here if these rows may be deleted as well",
          context.acceptance(id, element),
        ])
    }
  }
}
