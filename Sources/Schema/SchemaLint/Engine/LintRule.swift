package import SchemaModel

/// A rule that lint checks once a history is read. Its file is the whole rule: the check, the page and the tests.
package protocol LintRule: RulePage {
  /// What it finds.
  func findings(in context: LintContext) -> [Diagnostic]
}

extension LintRule {
  package var foundIn: [String] { [] }
}
