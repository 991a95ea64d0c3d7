package import SchemaModel

/// A difference with what it means: the row of the table, and what the policy makes of it.
package struct SchemaChange: Sendable {
  package var kind: ChangeKind
  /// What changes; removed things by their old names.
  package var element: ElementPath
  /// What exactly: `String? → String`, `default ""`.
  package var detail: String
  package var mechanism: Mechanism
  package var effect: DataEffect
  /// The properties of the constraint that comes or goes.
  package var constraint: [String] = []
  /// Which old rows a new constraint finds alike, whatever they hold.
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
  /// Old rows that get one value in what is to be unique.
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
