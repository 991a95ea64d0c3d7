internal import ManagedModels
internal import StoreFormat

/// What an expectation is broken by, as a child tells it.
struct BrokenExpectation: Codable, Hashable {
  /// The expectation's place among all.
  var number: Int
  /// The row of the newer version; nil where the number of rows is wrong, or where the check ended.
  var row: ObjectID?
  var found: String
  var note: String?
  /// Whether the row holds what its type does not read.
  var isUnreadable = false
}

/// Holds the expectations of one step for all rows.
struct ExpectationCheck {
  let expectations: [(number: Int, expectation: RehearsalRuntime.Expectation)]
  let before: StoreDump
  let after: StoreDump
  /// The row before, of each row after that has one.
  let origins: [ObjectID: ObjectID]
  /// Rows that the app's types cannot read, on purpose.
  let unreadable: Set<ObjectID>

  /// - Parameter each: Takes what breaks each of them, in order.
  func run(_ each: ([BrokenExpectation]) throws -> Void) rethrows {
    for (number, expectation) in expectations { try each(broken(expectation, number)) }
  }

  private func broken(
    _ expectation: RehearsalRuntime.Expectation, _ number: Int
  ) -> [BrokenExpectation] {
    let rows = Self.rows(of: expectation.model, in: after)
    switch expectation.claim {
    case .count(let sources):
      // A model and one below it may both be sources.
      let old = before.tables.values.filter { table in
        sources.contains(where: table.lineage.contains)
      }
      .reduce(0) { $0 + $1.rows.count }
      return old == rows.count
        ? []
        : [
          BrokenExpectation(
            number: number, found: "\(old) rows before, \(rows.count) after")
        ]
    case .present(let property, let former):
      return rows.filter { row in
        guard !row.has(property) else { return false }
        // What a row lacked before, the step has not taken.
        guard let former, let old = origin(of: row) else { return true }
        return old.has(former)
      }.map { BrokenExpectation(number: number, row: $0.id, found: "none") }
    case .holds(let holds):
      return rows.compactMap { row in
        guard !unreadable.contains(row.id) else { return nil }
        do {
          return try holds(origin(of: row)?.values, row.values)
            ? nil : BrokenExpectation(number: number, row: row.id, found: "it does not hold")
        } catch {
          return BrokenExpectation(
            number: number, row: row.id, found: "\(error)",
            isUnreadable: error is RowValues.Mismatch)
        }
      }
    }
  }

  /// The row that one comes from.
  private func origin(of row: FoundRow) -> FoundRow? {
    origins[row.id].flatMap { id in before.tables[id.entity]?.row(id.key) }
  }

  /// The rows of a model and of those below it.
  private static func rows(of model: String, in dump: StoreDump) -> [FoundRow] {
    dump.tables.values.filter { $0.lineage.contains(model) }.sorted { $0.entity < $1.entity }
      .flatMap { table in table.rows.map { FoundRow(table: table, row: $0) } }
  }
}

/// A row with what its values are called.
private struct FoundRow {
  let table: StoreDump.Table
  let row: StoreDump.Row

  var id: ObjectID { ObjectID(entity: table.entity, key: row.key) }

  var values: RowValues {
    let (slots, values) = (table.slots, row.values)
    // An enum's column is that of its raw value.
    return RowValues { name in
      slots.firstIndex { $0 == name || $0 == "\(name).rawValue" }.map { values[$0] }
    }
  }

  /// Whether a property has a value, or leads to a row.
  func has(_ property: String) -> Bool {
    if let links = row.links[property] { return !links.isEmpty }
    return (table.places[property] ?? []).contains { !row.values[$0].isNull }
  }
}

extension StoreDump.Table {
  fileprivate func row(_ key: Int64) -> FoundRow? {
    // Rows are in the order of their keys.
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].key == key ? FoundRow(table: self, row: rows[low]) : nil
  }
}
