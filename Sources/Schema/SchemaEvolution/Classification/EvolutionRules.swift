internal import SchemaModel

/// What the review of a step itself has to know of its rules.
package enum EvolutionRules {
  /// The rules about steps whose findings may be accepted.
  package static let acceptableIDs: Set<String> = Set(
    (ClassificationTable.rows.map(\.rule) + [.unlinkedRows]).filter(\.isAcceptable).map(\.id))
}
