internal import CSQLite
internal import Foundation

/// A statement that is being run; its columns are those of the row it is at.
struct DatabaseRow {
  fileprivate let statement: OpaquePointer

  var columnCount: Int { Int(sqlite3_column_count(statement)) }

  func name(_ column: Int) -> String {
    sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// `SQLITE_INTEGER` and its sisters.
  func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

  func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

  func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

  /// The text, of which bytes that are no UTF-8 are replaced.
  func text(_ column: Int) -> String {
    guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
    let length = Int(sqlite3_column_bytes(statement, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  func blob(_ column: Int) -> Data {
    guard let bytes = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }
}

extension DatabaseConnection {
  /// Runs a query with one row in memory at a time. `body` says whether to go on.
  func forEach(
    _ sql: String, _ parameters: [Parameter] = [], _ body: (DatabaseRow) throws -> Bool
  ) throws {
    var prepared: OpaquePointer?
    var status = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard status == SQLITE_OK, let prepared else { throw failure(status) }
    defer { sqlite3_finalize(prepared) }
    for (place, parameter) in parameters.enumerated() {
      status = parameter.bind(to: prepared, at: Int32(place + 1))
      guard status == SQLITE_OK else { throw failure(status) }
    }
    let row = DatabaseRow(statement: prepared)
    while true {
      status = sqlite3_step(prepared)
      guard status == SQLITE_ROW else { break }
      if try !body(row) { return }
    }
    guard status == SQLITE_DONE else { throw failure(status) }
  }

  /// All rows of a query that has few.
  func rows<Result>(
    _ sql: String, _ parameters: [Parameter] = [], _ body: (DatabaseRow) throws -> Result
  ) throws -> [Result] {
    var found: [Result] = []
    try forEach(sql, parameters) {
      found.append(try body($0))
      return true
    }
    return found
  }

  /// The whole number that a query gives.
  func number(_ sql: String, _ parameters: [Parameter] = []) throws -> Int64 {
    try rows(sql, parameters) { $0.integer(0) }.first ?? 0
  }

  /// A value for a question mark.
  enum Parameter {
    case integer(Int64)
    case text(String)

    fileprivate func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
      switch self {
      case .integer(let value): return sqlite3_bind_int64(statement, place, value)
      case .text(let value):
        // SQLITE_TRANSIENT: SQLite copies it.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return sqlite3_bind_text(statement, place, value, -1, transient)
      }
    }
  }

  /// A connection in a read transaction: it sees the store as it is now, whatever others write.
  static func snapshot(of path: String) throws -> DatabaseConnection {
    func begin(_ access: Access) throws -> DatabaseConnection {
      let connection = try DatabaseConnection(path, access)
      try connection.execute("BEGIN; SELECT count(*) FROM sqlite_master")
      return connection
    }
    do {
      return try begin(.readOnly)
    } catch let failure as DatabaseFailure where failure.needsWriting {
      // A writer was killed in the middle: SQLite must take back what it had begun, as whoever opens the store would.
      return try begin(.readWrite)
    }
  }
}

/// A name as SQL takes it.
func quoted(_ name: String) -> String {
  "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
}
