internal import SchemaModel

/// The rules of a step's review.
package enum EvolutionRules {
  package static let acceptableIDs: Set<String> = Set(
    (ClassificationTable.rows.map(\.rule) + [.unlinkedRows]).filter(\.isAcceptable).map(\.id))
}
