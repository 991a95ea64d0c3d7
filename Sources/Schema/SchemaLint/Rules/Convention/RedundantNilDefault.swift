internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct RedundantNilDefault: LintRule, RuleFix {
  let rule = Rule.redundantNilDefault

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allAttributes.compactMap { model, property, attribute in
      guard attribute.type.isOptional, attribute.defaultValue?.text == "nil" else { return nil }
      let element = ElementPath(model.name, property.name)
      return Diagnostic(
        rule, "'\(element)' is nil by default", element: element, at: property.location,
        help: ["remove the default"])
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding), let file = finding.location?.file,
      let node = context.document?.node(at: path)
    else { return nil }
    let title = "remove the default"
    if node.entry("default") != nil {
      return Fix(title, in: file, .remove(path.appending("default")))
    }
    guard let text = node.scalar?.text, let equals = text.lastIndex(of: "=") else { return nil }
    let type = String(text[..<equals]).trimmingSpaces()
    return Fix(title, in: file, .set(path, to: ManifestEdit.scalar(type)))
  }
}
