package import SchemaModel

/// What a report includes about a rule in addition to its findings.
package struct RuleDescription: Hashable, Sendable, Encodable {
  package var id: String
  package var title: String
  /// Why the rule exists: a paragraph of Markdown, may be empty.
  package var purpose: String
  /// `data-loss`, `migration`, `cloudkit`, `convention` or `integrity`; nil for rules about reading.
  package var category: String?
  /// The severity of a finding unless the configuration changes it.
  package var severity: Diagnostic.Severity
  package var basis: Basis
  package var isFixable: Bool
  /// What to do about a finding: Markdown, may be empty.
  package var help: String
  /// A URL, or a path below the repository: `docs/rules/missing-default.md`.
  package var documentation: String?

  package init(
    id: String, title: String, purpose: String = "", category: String? = nil,
    severity: Diagnostic.Severity, basis: Basis, isFixable: Bool = false, help: String = "",
    documentation: String? = nil
  ) {
    self.id = id
    self.title = title
    self.purpose = purpose
    self.category = category
    self.severity = severity
    self.basis = basis
    self.isFixable = isFixable
    self.help = help
    self.documentation = documentation
  }

  package init(_ rule: Rule) {
    self.init(id: rule.id, title: rule.title, severity: rule.severity, basis: rule.basis)
  }

  /// The documentation if it is a URL; nil for a path, which readers elsewhere cannot follow.
  var documentationURL: String? {
    documentation.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
  }
}
