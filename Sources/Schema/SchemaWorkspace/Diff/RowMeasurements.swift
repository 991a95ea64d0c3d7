package import SchemaModel

/// What changes between versions do to the rows of one store.
package struct RowMeasurements: Sendable, Encodable {
  package enum Outcome: String, Encodable, Sendable, CaseIterable, Comparable {
    case kept
    /// The manifest says what to do with the rows, and the migration does it.
    case handled
    /// The rows do not show the outcome.
    case unknown
    /// Values or rows are lost, as the author has acknowledged.
    case acknowledged
    /// Values or rows are lost without the author's acknowledgement.
    case lost
    /// The migration fails, or the app fails when it reads the rows.
    case fails

    package static func < (left: Outcome, right: Outcome) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }

  /// The measurement of one change.
  package struct Finding: Encodable, Sendable, Equatable {
    package var outcome: Outcome
    package var text: String
    /// The number of affected rows; nil if they cannot be counted.
    package var rows: Int64?
    /// A few of these rows by their numbers in the store: `Trip 3`. Never their values.
    package var examples: [String]

    package init(_ outcome: Outcome, _ text: String, rows: Int64? = nil, examples: [String] = []) {
      self.outcome = outcome
      self.text = text
      self.rows = rows
      self.examples = examples
    }
  }

  package var store: String
  package var version: VersionNumber
  /// Oddities of the store that do not depend on the changes.
  package var notes: [String]
  private enum CodingKeys: String, CodingKey {
    case store = "path"
    case version, notes
  }

  /// The findings by the step's newer version: one for each change of the step, in order. Nil for a change that leaves
  /// rows alone.
  package var findings: [VersionNumber: [Finding?]]

  package init(
    store: String, version: VersionNumber, notes: [String] = [],
    findings: [VersionNumber: [Finding?]] = [:]
  ) {
    self.store = store
    self.version = version
    self.notes = notes
    self.findings = findings
  }

  package func finding(stepTo version: VersionNumber, change: Int) -> Finding? {
    guard let changes = findings[version], changes.indices.contains(change) else { return nil }
    return changes[change]
  }
}
