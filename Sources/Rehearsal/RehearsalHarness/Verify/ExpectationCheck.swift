internal import ManagedModels

/// What a manifest asserts about the step to its version.
public struct Expectation: Sendable {
  enum Claim: Sendable {
    /// Every row has a value or a link of the property, except rows that had none before the step. `before` is the
    /// property's name before the step; nil makes no exception.
    case present(String, before: String?)
    /// A condition on the row after the step and on the row before it, if there is one.
    case holds(@Sendable (ExpectedRow?, ExpectedRow) throws -> Bool)
  }

  let version: String
  let model: String
  let text: String
  let claim: Claim

  /// Every row has a value or a link of `property`, except rows that had none before the step, when the property's name
  /// was `before`.
  public static func present(
    _ version: String, _ model: String, _ property: String, before: String?, _ text: String
  ) -> Expectation {
    Expectation(
      version: version, model: model, text: text, claim: .present(property, before: before))
  }

  /// `holds` gets the row after the step.
  public static func after(
    _ version: String, _ model: String, _ text: String,
    _ holds: @escaping @Sendable (ExpectedRow) throws -> Bool
  ) -> Expectation {
    Expectation(
      version: version, model: model, text: text, claim: .holds { _, new in try holds(new) })
  }

  /// `holds` gets the row before the step and the row after it; rows that come from no older row are left out.
  public static func pair(
    _ version: String, _ model: String, _ text: String,
    _ holds: @escaping @Sendable (_ old: ExpectedRow, _ new: ExpectedRow) throws -> Bool
  ) -> Expectation {
    Expectation(
      version: version, model: model, text: text,
      claim: .holds { old, new in try old.map { try holds($0, new) } ?? true })
  }
}

/// A row that breaks an expectation, as a child process reports it.
struct BrokenExpectation: Codable, Hashable {
  /// The row of the newer version; nil if the check's process ended early.
  var row: ObjectID?
  var found: String
  var note: String?
  var isUnreadable = false
}

/// Compares the rows of one step with its expectations.
struct ExpectationCheck {
  let before: StoreDump
  let after: StoreDump
  /// The older row from which each newer row comes, by the newer row. A new row has no entry.
  let origins: [ObjectID: ObjectID]

  func broken(_ expectation: Expectation) -> [BrokenExpectation] {
    // The rows of a model and of its submodels.
    let rows = after.tables.values.filter { $0.lineage.contains(expectation.model) }
      .sorted { $0.entity < $1.entity }
      .flatMap { table in table.rows.map { ExpectedRow(table: table, row: $0) } }
    switch expectation.claim {
    case .present(let property, let former):
      return rows.filter { row in
        guard !row.has(property) else { return false }
        // A row that already lacked the value before the step is no failure.
        guard let former, let old = origin(of: row) else { return true }
        return old.has(former)
      }.map { BrokenExpectation(row: $0.id, found: "none") }
    case .holds(let holds):
      return rows.compactMap { row in
        do {
          return try holds(origin(of: row), row)
            ? nil : BrokenExpectation(row: row.id, found: "the condition does not hold")
        } catch {
          return BrokenExpectation(
            row: row.id, found: "\(error)", isUnreadable: error is ExpectedRow.Mismatch)
        }
      }
    }
  }

  private func origin(of row: ExpectedRow) -> ExpectedRow? {
    guard let id = origins[row.id], let table = before.tables[id.entity] else { return nil }
    return table.place(of: id.key).map { ExpectedRow(table: table, row: table.rows[$0]) }
  }
}
