internal import SchemaModel

struct CloudKitDeny: LintRule {
  let rule = Rule.cloudKitDeny

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
