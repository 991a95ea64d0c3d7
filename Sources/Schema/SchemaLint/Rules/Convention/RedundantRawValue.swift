internal import SchemaManifest
internal import SchemaModel

struct RedundantRawValue: LintRule, RuleFix {
  let rule = Rule.redundantRawValue

  func findings(in context: LintContext) -> [Diagnostic] {
    guard let document = context.newestDocument else { return [] }
    return context.newest.types.compactMap { type in
      guard let entry = document.entry(at: ["types", .key(type.name), "cases"]),
        !entry.value.entries.isEmpty,
        entry.value.entries.allSatisfy({ $0.value.scalar?.text == $0.key })
      else { return nil }
      return Diagnostic(
        rule, "the raw values of '\(type.name)' are the names of its cases by default",
        element: ElementPath(type.name),
        at: entry.keyLocation, help: ["write 'cases: \(list(of: entry.value))'"])
    }
  }

  private func list(of cases: YAMLNode) -> String {
    "[\(cases.entries.map(\.key).joined(separator: ", "))]"
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding), let cases = context.document?.node(at: path) else {
      return nil
    }
    return context.replacement(
      of: path, with: list(of: cases), finding, "write the cases as a list")
  }
}
