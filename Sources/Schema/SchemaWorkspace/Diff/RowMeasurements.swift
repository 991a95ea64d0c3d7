package import SchemaModel

/// What the rows of one store say of the changes between versions.
package struct RowMeasurements: Sendable {
  /// What becomes of the rows.
  package enum Outcome: String, Encodable, Sendable, CaseIterable, Comparable {
    /// Nothing that anybody would have to know of.
    case kept
    /// The manifest says what to do, and it will be done.
    case handled
    /// Cannot be told from the rows.
    case unknown
    /// Values or rows go, as the author has acknowledged.
    case acknowledged
    /// Values or rows go, and nobody has acknowledged it.
    case lost
    /// The migration fails, or the app does when it reads the rows.
    case fails

    package static func < (left: Outcome, right: Outcome) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }

  /// What was found out about one change.
  package struct Finding: Encodable, Sendable, Equatable {
    package var outcome: Outcome
    /// In one sentence, with the numbers.
    package var text: String
    /// How many rows it is about; nil where they cannot be counted.
    package var rows: Int64?
    /// A few of these rows, as the store numbers them: `Trip 3`. Never a value of theirs.
    package var examples: [String]

    package init(_ outcome: Outcome, _ text: String, rows: Int64? = nil, examples: [String] = []) {
      self.outcome = outcome
      self.text = text
      self.rows = rows
      self.examples = examples
    }
  }

  /// The store as the user names it.
  package var store: String
  /// The version that it is of.
  package var version: VersionNumber
  /// What is odd about it, whatever changes.
  package var notes: [String]
  /// For each step by its newer version, for each of its changes in their order: what was found; nil where the
  /// change leaves rows alone.
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

  /// What was found about a change of the step to a version.
  package func finding(stepTo version: VersionNumber, change: Int) -> Finding? {
    guard let changes = findings[version], changes.indices.contains(change) else { return nil }
    return changes[change]
  }
}
