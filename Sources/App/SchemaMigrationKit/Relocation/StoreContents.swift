internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// What a store's tables of models hold: how many rows, and a digest of their values.
///
/// Two stores with the same contents have the same rows with the same values. Opening a store, bringing its log into the
/// database, and what Core Data notes for itself change nothing of it.
struct StoreContents: Codable, Hashable, Sendable {
  private(set) var tables: [String: Table] = [:]

  /// What one table holds.
  struct Table: Codable, Hashable, Sendable {
    var rows: Int
    var sha256: String
  }

  /// Whether no table has a row.
  var isEmpty: Bool { tables.values.allSatisfy { $0.rows == 0 } }

  init(of database: SQLite) throws {
    try database.requireStoredColumns()
    let names = try database.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    for name in names where StoreStructure.isModels(name) {
      let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(name)]) {
        $0.text(at: 0)
      }
      let list = columns.map(SQLite.quoted).joined(separator: ", ")
      var digest = SHA256()
      digest.update(list)
      var count = 0
      // In the order of the table itself: an index would give the same rows in another one.
      try database.forEach("SELECT \(list) FROM \(SQLite.quoted(name)) NOT INDEXED") { row in
        count += 1
        for column in columns.indices { Self.add(row.value(at: column), to: &digest) }
        return true
      }
      tables[name] = Table(rows: count, sha256: digest.finalize().hexadecimal)
    }
  }

  /// Each value with its type and its length, so that no two rows of other values look the same.
  private static func add(_ value: StoredValue, to digest: inout SHA256) {
    func number(_ type: UInt8, _ bits: UInt64) {
      digest.update([type] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
    }
    switch value {
    case .null: digest.update([0])
    case .integer(let value): number(1, UInt64(bitPattern: value))
    case .real(let value): number(2, value.bitPattern)
    case .text(let value):
      number(3, UInt64(value.utf8.count))
      digest.update(value)
    case .blob(let value):
      number(4, UInt64(value.count))
      value.withUnsafeBytes { digest.update($0) }
    }
  }

  /// The tables that hold something else than they did.
  func changes(since earlier: StoreContents) -> [StoreRelocation.Change] {
    Set(tables.keys).union(earlier.tables.keys).sorted().compactMap { name in
      let (now, then) = (tables[name], earlier.tables[name])
      guard now != then else { return nil }
      return StoreRelocation.Change(table: name, rowsThen: then?.rows ?? 0, rowsNow: now?.rows ?? 0)
    }
  }
}
