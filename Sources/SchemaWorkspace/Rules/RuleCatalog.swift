internal import SchemaEvolution
package import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaReporting

/// Every rule there is.
package enum RuleCatalog {
  /// The rules with a page, by their ids' order; those about Swift code come last.
  package static let pages: [any RulePage] = [RulePages.manifests, RulePages.sources].flatMap {
    $0.sorted { $0.id < $1.id }
  }

  /// The rules with a page, by id.
  package static let rulesByID: [String: any RulePage] = Dictionary(pages, keyedBy: \.id)

  /// What reports tell of rules.
  package static let descriptions: [RuleDescription] = pages.map { page in
    RuleDescription(
      id: page.id, title: page.rule.title, purpose: page.purpose,
      category: page.category.rawValue, severity: page.rule.severity, basis: page.rule.basis,
      isFixable: page.isFixable, documentation: "docs/rules/\(page.fileName)")
  }

  /// Every id under which something can be found.
  package static let all: [Rule] = {
    var seen: Set<String> = []
    let rules =
      YAMLRules.all + ManifestRules.all + ClassificationTable.rows.map(\.rule)
      + EvolutionRules.all + pages.map(\.rule) + DetectionRules.all + AdoptionRules.all + own
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
