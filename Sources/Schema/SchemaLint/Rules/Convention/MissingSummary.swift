internal import SchemaModel

struct MissingSummary: LintRule {
  let rule = Rule.missingSummary

  func findings(in context: LintContext) -> [Diagnostic] {
    context.history.dropFirst().filter { context.isOpen($0) && $0.summary == nil }.map { version in
      Diagnostic(
        rule, "\(version.number.name) has no summary", element: version.number.name,
        at: version.location, help: ["write 'summary: …' with a few words"])
    }
  }
}
