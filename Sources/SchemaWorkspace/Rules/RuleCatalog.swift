internal import SchemaEvolution
package import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaReporting

/// Every rule there is.
package enum RuleCatalog {
  /// The rules about manifests, by id.
  package static let rulesByID: [String: any LintRule] = Dictionary(LintRules.all, keyedBy: \.id)

  /// The rules about manifests, by their ids' order. Each has a page.
  package static let pages: [any LintRule] = LintRules.all.sorted { $0.id < $1.id }

  /// The rules about Swift code, by their ids' order. Each has a page.
  package static let sourcePages: [any SourceRule] = SourceRules.all.sorted { $0.id < $1.id }

  /// What reports tell of rules.
  package static let descriptions: [RuleDescription] =
    pages.map { rule in
      RuleDescription(
        id: rule.id, title: rule.rule.title, purpose: rule.purpose,
        category: rule.category.rawValue,
        severity: rule.rule.severity, basis: rule.rule.basis, isFixable: rule.isFixable,
        documentation: "docs/rules/\(rule.id).md")
    }
    + sourcePages.map { rule in
      RuleDescription(
        id: rule.id, title: rule.rule.title, purpose: rule.purpose,
        category: RuleCategory.sources.rawValue, severity: rule.rule.severity,
        basis: rule.rule.basis, isFixable: rule.isFixable,
        documentation: "docs/rules/\(rule.id).md")
    }

  /// Every id under which something can be found.
  package static let all: [Rule] = {
    var seen: Set<String> = []
    let rules =
      YAMLRules.all + ManifestRules.all + ClassificationTable.rows.map(\.rule)
      + EvolutionRules.all + LintRules.all.map(\.rule)
      + SourceRules.all.map(\.rule) + DetectionRules.all + AdoptionRules.all + own
    return rules.filter { seen.insert($0.id).inserted }
  }()

  private static let own: [Rule] =
    [
      .template, .conflictingName, .cloudField, .unreadable, .foreignFile, .unwrittenFunction,
      .notCopied,
      .notReleasable, .unusedAcceptance, .expiredAcceptance,
      .staleBaseline, .brokenBaseline,
    ] + LockRules.all

  /// Findings about ids in `rules:` and `accept:` that no rule has.
  static func unknownRules(_ history: History) -> [Diagnostic] {
    let known = Set(all.map(\.id))
    var found: [Diagnostic] = []
    for (id, level) in history.configuration.rules where !known.contains(id) {
      found.append(unknown(id, level.location, known))
    }
    for version in history.versions {
      for entry in version.acceptances where !known.contains(entry.rule.value) {
        found.append(unknown(entry.rule.value, entry.rule.location, known))
      }
    }
    return found
  }

  private static func unknown(
    _ id: String, _ location: SourceLocation?, _ known: Set<String>
  ) -> Diagnostic {
    Diagnostic(
      .unknownID, "no rule is called '\(id)'", at: location,
      help: Suggestion.help(for: id, among: known))
  }
}
