internal import SchemaModel

/// What a step's review must know about its own rules.
package enum EvolutionRules {
  /// The rules about steps whose findings may be accepted.
  package static let acceptableIDs: Set<String> = Set(
    (ClassificationTable.rows.map(\.rule) + [.unlinkedRows]).filter(\.isAcceptable).map(\.id))
}
