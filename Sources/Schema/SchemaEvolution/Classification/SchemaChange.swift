package import SchemaModel

/// A difference with its classification: the row of the table, adjusted by the policy.
package struct SchemaChange: Sendable {
  package var kind: ChangeKind
  /// The element that changes; removed elements have their old names.
  package var element: ElementPath
  /// What exactly: `String? → String`, `default ""`.
  package var detail: String
  package var mechanism: Mechanism
  package var effect: DataEffect
  /// The properties of the constraint that is added or removed.
  package var constraint: [String] = []
  /// Which old rows violate a new constraint, whatever their values.
  package var repetition: Repetition?
  /// The place in the newer manifest; for a removed element, that of its model or of the manifest.
  package var location: SourceLocation?
  /// The `drops:` entry for it, if any.
  package var acknowledgement: Acknowledgement?

  package var classification: Classification { ClassificationTable[kind] }
  package var reason: String { classification.reason }
  package var ruleID: String { kind.rawValue }
}

extension SchemaChange: Equatable {}

extension SchemaChange {
  /// Old rows that get the same value in a unique property.
  package enum Repetition: String, Hashable, Sendable {
    case everyRow = "every old row would get the same value"
    case everyNil = "every row that holds nil would get the same value"
  }
}

extension [SchemaChange] {
  /// The first of them, in words: `Trip.notes: add an optional attribute, and 2 more`.
  package var sentence: String {
    prefix(3).map { "\($0.element): \($0.classification.title)" }.joined(separator: ", ")
      + (count > 3 ? ", and \(count - 3) more" : "")
  }
}
