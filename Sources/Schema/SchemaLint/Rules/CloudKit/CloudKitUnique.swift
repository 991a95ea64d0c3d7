internal import SchemaModel

struct CloudKitUnique: LintRule, RuleFix {
  let rule = Rule.cloudKitUnique

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.allProperties.compactMap { model, property in
      guard property.isUnique else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is unique, which CloudKit cannot enforce", element: element,
        at: context.place(of: "unique", in: property, of: model), help: ["remove 'unique'"])
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'unique'")
  }
}
