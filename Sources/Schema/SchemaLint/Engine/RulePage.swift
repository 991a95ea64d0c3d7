internal import SchemaEvolution
package import SchemaModel

/// A rule's page: what docs/rules says of it.
package struct RulePage: Sendable {
  package let rule: Rule
  package let category: RuleCategory
  package let scope: RuleScope
  /// Whether some of its findings have a safe fix.
  package let isFixable: Bool
  /// Why it matters and what to do, as paragraphs of Markdown.
  package let purpose: String
  /// What else stands there: the examples, with what is found in them and what `--fix` writes.
  private let rest: String

  init(
    _ rule: Rule, _ category: RuleCategory, _ scope: RuleScope, isFixable: Bool, purpose: String,
    rest: String
  ) {
    self.rule = rule
    self.category = category
    self.scope = scope
    self.isFixable = isFixable
    self.purpose = purpose
    self.rest = rest
  }

  package var id: String { rule.id }
  /// The page's file in docs/rules.
  package var fileName: String { id + ".md" }

  /// The page as its file has it, less the comments.
  package var markdown: String { page(restsOn: rule.basis.markdown(docs: "../")) }

  /// The page for a terminal: what its head links to is an address.
  package var text: String { page(restsOn: rule.basis.address) }

  private func page(restsOn basis: String) -> String {
    "# \(id)\n\n\(finds).\n\n\(head(restsOn: basis))\n\n\(purpose)\n\n\(rest)\n"
  }

  /// Rows of the classification table are named after the change, other rules after what should hold.
  private var finds: String {
    ChangeKind(rawValue: id) == nil ? rule.title : "The change: \(rule.title)"
  }

  private func head(restsOn basis: String) -> String {
    "Severity: \(rule.severity.rawValue) (\(category.rawValue)). Looks at \(scope.title); rests on "
      + "\(basis)\(rule.basis.shownMark). \(rule.isAcceptable ? "Can" : "Cannot") be accepted."
      + (isFixable ? " `--fix` corrects it." : "")
  }
}

extension Basis {
  /// How sure it is, where that is in question: a guide's practice and the tool's own rules are what they are.
  fileprivate var shownMark: String {
    if case .fact = source { return " (\(mark.rawValue))" }
    return mark == .certain ? "" : " (\(mark.rawValue))"
  }
}
