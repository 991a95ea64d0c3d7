internal import SchemaEvolution
package import SchemaModel

/// A rule's page in docs/rules.
package struct RulePage: Sendable {
  package let rule: Rule
  package let category: RuleCategory
  package let scope: RuleScope
  package let isFixable: Bool
  /// Why a finding matters and what to do, as paragraphs of Markdown.
  package let purpose: String
  /// The rest of the page: examples with their findings and what `--fix` writes.
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
  package var fileName: String { id + ".md" }

  /// The contents of the page's file, without its comments.
  package var markdown: String { page(restsOn: rule.basis.markdown(docs: "../")) }

  /// The page for a terminal. The links at the top are web addresses.
  package var text: String { page(restsOn: rule.basis.address) }

  private func page(restsOn basis: String) -> String {
    "# \(id)\n\n\(finds).\n\n\(head(restsOn: basis))\n\n\(purpose)\n\n\(rest)\n"
  }

  /// The page's first sentence. If the rule classifies a change, its title names the change. Any other title says what
  /// should be true.
  private var finds: String {
    ChangeKind(rawValue: id) == nil ? rule.title : "The change: \(rule.title)"
  }

  private func head(restsOn basis: String) -> String {
    "Severity: \(rule.severity.rawValue) (\(category.rawValue)). Looks at \(scope.title). Basis: "
      + "\(basis)\(rule.basis.shownMark). \(rule.isAcceptable ? "Can" : "Cannot") be accepted."
      + (isFixable ? " `--fix` corrects it." : "")
  }
}

extension Basis {
  /// How certain the evidence is. Guides and the tool's own rules need no mark.
  fileprivate var shownMark: String {
    if case .fact = source { return " (\(mark.rawValue))" }
    return mark == .certain ? "" : " (\(mark.rawValue))"
  }
}
