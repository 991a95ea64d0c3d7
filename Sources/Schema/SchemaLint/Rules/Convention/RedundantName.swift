internal import SchemaManifest
internal import SchemaModel

struct RedundantName: LintRule, RuleFix {
  let rule = Rule.redundantName

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.flatMap { model, property -> [Diagnostic] in
      let node = context.newestProperties[ElementPath(model.name, property.name)]
      return ["entityProperty", "originalName"].compactMap { key in
        guard let entry = node?.entry(key),
          entry.value.scalar?.text == property.name
        else { return nil }
        return Diagnostic(
          rule, "'\(key)' is the property's own name",
          element: ElementPath(model.name, property.name),
          at: entry.keyLocation, help: ["remove '\(key)'"])
      }
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the name")
  }
}
