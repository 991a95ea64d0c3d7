internal import SchemaEvolution
internal import SchemaModel

struct NoActionOrphans: LintRule {
  let rule = Rule.noActionOrphans

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allRelationships.compactMap { model, property, relationship in
      guard relationship.deleteRule == .noAction else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule,
        "when a '\(model.name)' is deleted, the rows in '\(property.name)' keep a link to a deleted row",
        element: element,
        at: context.place(of: "deleteRule", in: property, of: model),
        help: [
          "choose nullify or cascade", context.acceptance(id, element),
        ])
    }
  }
}
