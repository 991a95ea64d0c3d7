internal import SchemaManifest
internal import SchemaModel

struct VersionSpelling: LintRule, RuleFix {
  let rule = Rule.versionSpelling

  func findings(in context: LintContext) -> [Diagnostic] {
    guard let node = context.newestDocument?.entry("version")?.value, let text = node.scalar?.text,
      text != context.newest.number.description
    else { return [] }
    return [
      Diagnostic(
        rule, "'\(text)' means \(context.newest.number)", element: context.newest.number.name,
        at: node.location, help: ["write '\(context.newest.number)'"])
    ]
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.printing(finding, "write three numbers")
  }
}
