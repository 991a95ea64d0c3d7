internal import CStoreLibraries
internal import Foundation
package import ManagedModels

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite.
package final class Statement {
  private let handle: OpaquePointer
  /// The connection outlives the statement.
  private unowned let database: SQLite

  package init(_ handle: OpaquePointer, of database: SQLite) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  package func step() throws -> Bool {
    let status = sqlite3_step(handle)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(status)
    }
  }

  /// Prepares the statement for the next run, since an open statement would lock its table.
  package func reset() { sqlite3_reset(handle) }

  package func run(_ values: [StoredValue] = []) throws {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  // MARK: Values in

  package func bind(_ values: [StoredValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  package func bind(_ value: StoredValue, at index: Int) throws {
    let index = Int32(index)
    let status: Int32
    switch value {
    case .null: status = sqlite3_bind_null(handle, index)
    case .integer(let value): status = sqlite3_bind_int64(handle, index, value)
    // NaN becomes NULL, since SQLite has no NaN.
    case .real(let value): status = sqlite3_bind_double(handle, index, value)
    case .text(let value):
      status = sqlite3_bind_text64(
        handle, index, value, UInt64(value.utf8.count), Self.copied, UInt8(SQLITE_UTF8))
    case .blob(let value):
      status = value.withUnsafeBytes { bytes in
        // Without an address, SQLite would bind NULL.
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_zeroblob(handle, index, 0)
        }
        return sqlite3_bind_blob64(handle, index, address, UInt64(bytes.count), Self.copied)
      }
    }
    guard status == SQLITE_OK else { throw database.failure(status) }
  }

  /// Binds a column of another statement's row, unchanged.
  package func bind(_ column: Int, of other: Statement, at index: Int) throws {
    let status = sqlite3_bind_value(
      handle, Int32(index), sqlite3_column_value(other.handle, Int32(column)))
    guard status == SQLITE_OK else { throw database.failure(status) }
  }

  /// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite copies the bytes at once.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Values out

  package func real(at column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  package func integer(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// A string; empty for NULL.
  package func text(at column: Int) -> String {
    let column = Int32(column)
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    // Invalid UTF-8 is replaced, since a file may contain anything.
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes of a string or a blob as in the database; empty for other values.
  package func bytes(at column: Int) -> [UInt8] {
    let place = Int32(column)
    guard [SQLITE_TEXT, SQLITE_BLOB].contains(sqlite3_column_type(handle, place)),
      let bytes = sqlite3_column_blob(handle, place)
    else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, place))))
  }

  package func isText(at column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT
  }

  package func value(at column: Int) -> StoredValue {
    let place = Int32(column)
    switch sqlite3_column_type(handle, place) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, place))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, place))
    case SQLITE_TEXT: return .text(text(at: column))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_column_blob(handle, place) else { return .blob(Data()) }
      return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, place))))
    default: return .null
    }
  }

  /// The value of an attribute's column; a whole number of a floating type is returned as a real.
  ///
  /// TIMESTAMP has a numeric affinity in SQLite, which stores 5.0 as the integer 5.
  package func value(at column: Int, as type: AttributeType?) -> StoredValue {
    let value = value(at: column)
    switch type {
    case .double, .float, .date:
      if case .integer(let whole) = value { return .real(Double(whole)) }
      return value
    default: return value
    }
  }
}
