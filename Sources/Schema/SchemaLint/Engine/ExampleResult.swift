package import SchemaModel

/// What lint makes of an example, as a page shows it.
package struct ExampleResult: Sendable {
  /// The findings of the page's rule.
  let findings: [Diagnostic]
  /// The files after `--fix`; empty where nothing has a certain fix.
  let fixed: [SourceFile]

  package init(findings: [Diagnostic], fixed: [SourceFile]) {
    self.findings = findings
    self.fixed = fixed
  }

  /// What an example says itself: finding something in Swift code takes swift-syntax.
  package init(written example: Example, of rule: Rule) {
    self.init(findings: example.diagnostics(of: rule), fixed: example.fixed)
  }
}
