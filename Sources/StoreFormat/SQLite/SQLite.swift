internal import CSQLite
internal import Foundation
package import StoreModel

/// One connection to an SQLite database, with the statements that were prepared on it.
package final class SQLite {
  /// How a database is opened.
  package enum Access {
    case readWrite
    case readOnly
    /// Nobody else writes: SQLite takes no lock and leaves no file beside the database.
    case immutable
    /// Others may write. Only what they have left beside the database is used, and nothing of it is changed:
    /// SQLite would make a missing "-shm" anew, and reset one that a crash has left.
    case observing
  }

  private let handle: OpaquePointer
  /// What is left of `restrict`'s steps, in checks. SQLite holds on to its address.
  private let budget = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private var statements: [String: Statement] = [:]

  /// Opens `path`, or a database of its own in memory for ":memory:".
  package init(path: String, access: Access) throws {
    var flags = SQLITE_OPEN_NOMUTEX
    var name = path
    switch access {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable, .observing:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
      name = "file:\(escaped)?" + (access == .immutable ? "immutable=1" : "readonly_shm=1")
    }
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened, status == SQLITE_OK else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      budget.deallocate()
      throw StoreError(.cannotOpen, "'\(path)' cannot be opened: \(reason)")
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    // Another process that is just committing is waited for.
    sqlite3_busy_timeout(handle, 10_000)
  }

  /// What a file that means harm can make SQLite do: rows that lead in circles end, and no value is taken that is
  /// larger than any of a store's own.
  ///
  /// `steps`: instructions of SQLite's machine that all statements together may take from here on.
  package func restrict(steps: Int, valueSize: Int) {
    budget.pointee = steps / Self.stepsBetweenChecks
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: valueSize))
    sqlite3_progress_handler(
      handle, Int32(Self.stepsBetweenChecks),
      { budget in
        guard let budget = budget?.assumingMemoryBound(to: Int.self) else { return 1 }
        budget.pointee -= 1
        return budget.pointee < 0 ? 1 : 0
      }, budget)
  }

  private static let stepsBetweenChecks = 1_000

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
    budget.deallocate()
  }

  /// Runs statements that take no values and give no rows.
  package func execute(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  /// A statement that is prepared once and kept; it is handed out reset.
  package func prepare(_ sql: String) throws -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard let prepared, status == SQLITE_OK else { throw failure(status) }
    let statement = Statement(prepared, of: self)
    statements[sql] = statement
    return statement
  }

  /// Runs one statement to its end; what it gives is ignored.
  package func run(_ sql: String, _ values: [StoredValue] = []) throws {
    try prepare(sql).run(values)
  }

  /// All rows of a query, each made into something else.
  package func query<Element>(
    _ sql: String, _ values: [StoredValue] = [], _ transform: (Statement) throws -> Element
  ) throws -> [Element] {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var elements: [Element] = []
    while try statement.step() { elements.append(try transform(statement)) }
    return elements
  }

  /// The first column of the first row, or `nil` when there is no row.
  package func value(_ sql: String, _ values: [StoredValue] = []) throws -> StoredValue? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Forgets the prepared statements: a change of the tables makes them useless.
  package func forgetStatements() { statements.removeAll() }

  /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed.
  package var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// What SQLite says of its last failure, as the kind of `StoreError` that it is.
  package func failure(_ status: Int32) -> StoreError {
    let reason = String(cString: sqlite3_errmsg(handle))
    switch status & 0xFF {
    case SQLITE_INTERRUPT:
      return StoreError(.notAStore, "it takes more steps than a sound database of its size can")
    case SQLITE_NOTADB, SQLITE_CORRUPT: return StoreError(.notAStore, reason)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return StoreError(.cannotOpen, reason)
    case SQLITE_CONSTRAINT: return StoreError(.notUnique, reason)
    default: return StoreError(.sqlite, "\(reason) [\(status)]")
    }
  }
}
