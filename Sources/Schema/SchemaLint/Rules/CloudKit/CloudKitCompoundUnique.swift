internal import SchemaModel

struct CloudKitCompoundUnique: LintRule, RuleFix {
  let rule = Rule.cloudKitCompoundUnique

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.newest.models.filter { !$0.uniques.isEmpty }.map { model in
      Diagnostic(
        rule, "'\(model.name)' has unique constraints, which CloudKit cannot enforce",
        element: ElementPath(model.name),
        at: context.place(ofKey: "models", model.name, "unique", or: model.location),
        help: ["remove 'unique'"])
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove 'unique'")
  }
}
