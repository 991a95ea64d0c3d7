package import SchemaModel

/// A rule with a page in docs/rules: what the rule is for, and examples, which are its tests.
///
/// A `LintRule` also has its check. Other code makes the findings of the other pages, and they say where.
package protocol RulePage: Sendable {
  /// Id, severity, what it finds in one sentence, and what it rests on.
  var rule: Rule { get }
  var category: RuleCategory { get }
  var scope: RuleScope { get }
  /// Files or folders below `Sources` with the code that makes the findings. Empty for a check in the page's own file.
  var foundIn: [String] { get }
  /// Why it matters and what to do, as paragraphs of Markdown.
  var purpose: String { get }
  /// How each example begins: the versions that all of them have, up to where they differ. Empty if they share none.
  var beginning: String { get }
  /// Files in which it finds exactly what is marked.
  var bad: [Example] { get }
  /// The same, fixed: nothing is found.
  var good: [Example] { get }
  /// Whether some of its findings have a safe fix.
  var isFixable: Bool { get }
  /// The fix, if it is safe.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix?
}

extension RulePage {
  package var id: String { rule.id }

  /// The bad examples, whole.
  package var badExamples: [Example] { bad.map { $0.following(beginning) } }
  /// The good examples, whole.
  package var goodExamples: [Example] { good.map { $0.following(beginning) } }

  package var beginning: String { "" }
  package var isFixable: Bool { false }
  package func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? { nil }
}
