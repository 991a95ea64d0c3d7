internal import SchemaModel

/// Facts about the rules of a step's review.
package enum EvolutionRules {
  /// The rules about steps whose findings may be accepted.
  package static let acceptableIDs: Set<String> = Set(
    (ClassificationTable.rows.map(\.rule) + [.unlinkedRows]).filter(\.isAcceptable).map(\.id))
}
