internal import SchemaEvolution
internal import SchemaModel

struct CascadeManyToMany: LintRule {
  let rule = Rule.cascadeManyToMany

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
        rule,
        "deleting one '\(model.name)' also deletes each '\(destination)' that it shares with other rows of '\(model.name)'",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "remove 'deleteRule': a deletion then removes links, and the rows stay",
          context.acceptance(id, element),
        ])
    }
  }
}
