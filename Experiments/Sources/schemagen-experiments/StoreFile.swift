import Foundation

#if canImport(SQLite3)
  import SQLite3
#else
  import SystemSQLite
#endif

/// A store as SQLite sees it.
final class StoreFile {
  private let database: OpaquePointer

  init(_ url: URL) throws {
    var database: OpaquePointer?
    // Not SQLITE_OPEN_READONLY: a log that a killed process left could not be read then.
    guard sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let database
    else {
      sqlite3_close(database)
      throw Failure("\(url.lastPathComponent) cannot be opened")
    }
    self.database = database
    sqlite3_busy_timeout(database, 5_000)
  }

  deinit { sqlite3_close(database) }

  /// What SQLite said.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// A value of a column, as SQLite keeps it.
  enum Value: Equatable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    var description: String {
      switch self {
      case .null: "NULL"
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let value): "'\(value)'"
      case .blob(let value): value.map { String(format: "%02x", $0) }.joined()
      }
    }
  }

  func query(_ statement: String) throws -> [[Value]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure("\(String(cString: sqlite3_errmsg(database))): \(statement)")
    }
    defer { sqlite3_finalize(prepared) }
    var rows: [[Value]] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(prepared)).map { Self.value(prepared, $0) })
      case SQLITE_DONE: return rows
      default: throw Failure(String(cString: sqlite3_errmsg(database)))
      }
    }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(statement, column).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column)))
        } ?? Data())
    default: .null
    }
  }

  // MARK: Tables

  /// Tables of models and their joins: not SQLite's own, nor Core Data's records.
  func tables() throws -> [String] {
    try texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").filter {
      $0.hasPrefix("Z") && !["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains($0)
    }
  }

  /// The columns of a table with the types they are declared with, but Core Data's own; sorted.
  func columns(_ table: String) throws -> [String] {
    try query("PRAGMA table_info(\(table))").map { row in
      guard case .text(let name) = row[1], case .text(let type) = row[2] else { return "?" }
      return "\(name) \(type)"
    }.filter { !["Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER"].contains($0) }.sorted()
  }

  /// The names of a table's indexes, but those that SQLite makes by itself.
  func indexes(_ table: String) throws -> [String] {
    try texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table)' AND sql IS NOT NULL "
        + "ORDER BY name")
  }

  /// The one column of a query, as words.
  func values(_ statement: String) throws -> [String] { try query(statement).map { "\($0[0])" } }

  /// The one column of a query, for text.
  func texts(_ statement: String) throws -> [String] {
    try query(statement).compactMap { if case .text(let text) = $0[0] { text } else { nil } }
  }

  /// All that the schema of the file says, to tell whether it changed.
  func structure() throws -> [String] {
    try texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name, type")
  }

  // MARK: Metadata

  /// The property list that Core Data keeps beside the rows.
  func metadata() throws -> [String: Any] {
    guard case .blob(let list)? = try query("SELECT Z_PLIST FROM Z_METADATA").first?[0],
      let metadata = try PropertyListSerialization.propertyList(from: list, format: nil)
        as? [String: Any]
    else { throw Failure("the store has no metadata") }
    return metadata
  }

  /// Whether the portable runtime wrote it.
  func isPortable() throws -> Bool { try metadata()["PortableSwiftData"] != nil }

  /// The version of Apple's framework that wrote it.
  func framework() throws -> Int? { try metadata()["NSPersistenceFrameworkVersion"] as? Int }

  /// By which the framework knows the store's version: 32 bytes for each entity, in hexadecimal.
  func hashes() throws -> [String: String] {
    guard let hashes = try metadata()["NSStoreModelVersionHashes"] as? [String: Data] else {
      throw Undecidable(
        "the store has no hashes: the portable runtime gives none where one of them is not certain")
    }
    return hashes.mapValues { $0.map { String(format: "%02x", $0) }.joined() }
  }
}
