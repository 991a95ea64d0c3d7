internal import SchemaManifest
internal import SchemaModel

struct RedundantOption: LintRule, RuleFix {
  let rule = Rule.redundantOption

  private static let flags =
    Set(Attribute.Option.allCases.map(\.rawValue)).union(["transient"])

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.flatMap { model, property -> [Diagnostic] in
      let node = context.newestProperties[ElementPath(model.name, property.name)]
      return (node?.entries ?? []).filter { isRedundant($0, property) }.map { entry in
        Diagnostic(
          rule, "'\(entry.key): \(entry.value.scalar?.text ?? "")' is the default",
          element: ElementPath(model.name, property.name), at: entry.keyLocation,
          help: ["remove '\(entry.key)'"])
      }
    }
  }

  private func isRedundant(_ entry: YAMLEntry, _ property: Property) -> Bool {
    let value = entry.value.scalar?.text
    if Self.flags.contains(entry.key) { return value == "false" }
    switch entry.key {
    case "minimum", "maximum": return value == "0"
    case "inEntity": return value == (property.relationship == nil ? "value" : "omit")
    default: return false
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the key")
  }
}
