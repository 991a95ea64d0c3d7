internal import SchemaEvolution
internal import SchemaModel

struct CascadeToOwner: LintRule {
  let rule = Rule.cascadeToOwner

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
        rule,
        "deleting one '\(model.name)' also deletes its '\(destination)', to which other rows of '\(model.name)' may belong",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "write 'deleteRule: cascade' at '\(destination).\(inverse)' instead",
          context.acceptance(id, element),
        ])
    }
  }
}
