internal import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import YAMLSource

/// Every rule there is.
enum RuleBook {
  static let all: [Rule] =
    YAMLRules.all + ManifestRules.all + ClassificationTable.rows.map(\.rule) + EvolutionRules.all
    + [
      .template, .conflictingName, .unreadable, .foreignFile, .refusedLevel, .unknownID,
      .unwrittenFunction, .notCopied, .notReleasable, .notRebased, .rebaseConflict,
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

extension Rule {
  static let unknownID = Rule(
    "unknown-rule", "A rule's id is one that there is", basis: .manifest)
}
