package import SchemaModel

/// A difference with what it means: the row of the table, and what the policy makes of it.
package struct SchemaChange: Sendable {
  package var kind: ChangeKind
  /// `Model`, `Model.property`, `Type.case` or `Type.field`; removed things by their old names.
  package var element: String
  /// What exactly: `String? → String`, `default ""`.
  package var detail: String
  package var mechanism: Mechanism
  package var effect: DataEffect
  /// Where the newer manifest says so; for what is gone, where its model or the manifest stands.
  package var location: SourceLocation?
  /// The reason that the author gave under `drops:`.
  package var acknowledgement: String?

  package var classification: Classification { ClassificationTable[kind] }
  package var reason: String { classification.reason }
  package var ruleID: String { kind.rawValue }
}

extension SchemaChange: Equatable {}

extension SchemaChange {
  /// The detail of a constraint that every old row would break, whatever it held.
  package static let sameForAll = "every old row would get the same value"
  /// The detail of one that rows without a value would break.
  package static let sameForNils = "every row that holds nil would get the same value"
}
