internal import SchemaManifest
internal import SchemaModel

struct RedundantDeleteRule: LintRule, RuleFix {
  let rule = Rule.redundantDeleteRule

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

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'deleteRule: nullify'")
  }
}
