internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct TypeSpelling: LintRule, RuleFix {
  let rule = Rule.typeSpelling

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.compactMap { model, property in
      guard let whole = context.newestProperties[ElementPath(model.name, property.name)] else {
        return nil
      }
      let node = (whole.entry("type") ?? whole.entry("relationship"))?.value ?? whole
      // Most types have no '<', and searching for a byte is faster.
      guard let text = node.scalar?.text, text.utf8.contains(UInt8(ascii: "<")),
        ["Optional<", "Array<", "Dictionary<"].contains(where: text.contains),
        !text.hasPrefix(property.type.description)
      else { return nil }
      return Diagnostic(
        rule, "the short form of this type is '\(property.type)'",
        element: ElementPath(model.name, property.name), at: node.location,
        help: ["write '\(property.type)'"])
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.printing(finding, "write the short form")
  }
}
