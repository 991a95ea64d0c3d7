package import SchemaModel

/// The code of a rule, in one file: a check, a fix, or both.
package protocol RuleCode: Sendable {
  var rule: Rule { get }
}

extension RuleCode {
  package var id: String { rule.id }
}

/// A rule that lint checks after reading a history.
package protocol LintRule: RuleCode {
  func findings(in context: LintContext) -> [Diagnostic]
}

/// The fix for a rule's findings, whether lint or a reader reports them.
package protocol RuleFix: RuleCode {
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix?
}

/// The rules with code in this module.
package enum LintRules {
  package static let checks: [any LintRule] = all.compactMap { $0 as? any LintRule }

  package static let fixes: [String: any RuleFix] = Dictionary(
    all.compactMap { $0 as? any RuleFix }, keyedBy: \.id)
}
