package import SchemaModel

/// A difference between two versions with its classification, adjusted by the policy.
package struct SchemaChange: Sendable {
  package var kind: ChangeKind
  /// The element that changes. A removed element has its old name.
  package var element: ElementPath
  package var detail: String
  package var mechanism: Mechanism
  package var effect: DataEffect
  package var constraint: [String] = []
  /// The old rows that violate a new unique constraint, whatever their values are.
  package var repetition: Repetition?
  /// The location in the newer manifest. For a removed element it is the location of the element's model, or of the
  /// manifest.
  package var location: SourceLocation?
  package var acknowledgement: Acknowledgement?

  package var classification: Classification { ClassificationTable[kind] }
  package var reason: String { classification.reason }
  package var ruleID: String { kind.rawValue }
}

extension SchemaChange: Equatable {}

extension SchemaChange {
  package enum Repetition: String, Hashable, Sendable {
    case everyRow = "every old row would get the same value"
    case everyNil = "every row that holds nil would get the same value"
  }
}

extension [SchemaChange] {
  /// The first three changes: `Trip.notes: add an optional attribute, and 2 more`.
  package var sentence: String {
    prefix(3).map { "\($0.element): \($0.classification.title)" }.joined(separator: ", ")
      + (count > 3 ? ", and \(count - 3) more" : "")
  }
}
