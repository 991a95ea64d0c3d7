internal import CStoreLibraries
internal import Foundation
package import ManagedModels

/// One connection to an SQLite database, with its prepared statements.
package final class SQLite {
  /// How a database is opened.
  package enum Access {
    case readWrite
    /// Like `readWrite`, but only for an existing file, whose write-ahead log is left to the next connection. With
    /// `readWrite`, inspecting a damaged database would write the log into the database.
    case existing
    case readOnly
    /// There are no other writers: SQLite takes no locks and creates no file next to the database.
    case immutable
    /// Others may write. The files next to the database are used but not changed: SQLite would recreate a missing
    /// "-shm", and reset one left by a crash.
    case observing
  }

  package let handle: OpaquePointer
  let path: String
  /// What statements may still take. SQLite keeps the address of this value.
  private let allowance = UnsafeMutablePointer<Allowance>.allocate(capacity: 1)
  private var statements: [String: Statement] = [:]

  private struct Allowance {
    /// The number of checks left, one after every `stepsBetweenChecks` steps.
    var checks = 0
    var heedsCancellation = false
    var wasCancelled = false
  }

  /// Opens `path`, or a private database in memory for ":memory:".
  ///
  /// - Parameters:
  ///   - patience: The time to wait for another connection's lock, in milliseconds, such as for a process that is
  ///     committing.
  ///   - isShared: Whether several threads may use the connection.
  package init(
    path: String, access: Access, patience: Int32 = 10_000, isShared: Bool = false
  ) throws {
    if access != .readWrite, access != .immutable { try Self.requireFileOfLog(path) }
    var flags = isShared ? SQLITE_OPEN_FULLMUTEX : SQLITE_OPEN_NOMUTEX
    var name = path
    switch access {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .existing: flags |= SQLITE_OPEN_READWRITE
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
      var error = StoreError(.cannotOpen, "'\(path)' cannot be opened: \(reason)")
      error.failure = DatabaseFailure(
        code: opened.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM,
        systemCode: opened.map { sqlite3_system_errno($0) } ?? 0, message: reason, path: path)
      sqlite3_close_v2(opened)
      allowance.deallocate()
      throw error
    }
    handle = opened
    self.path = path
    allowance.initialize(to: Allowance())
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience)
    if access == .existing { _ = schemagen_leave_wal_on_close(handle) }
  }

  /// Throws for an empty file with a log, which may contain every row: SQLite would consider the log stale and remove
  /// it, even on a read-only connection.
  private static func requireFileOfLog(_ path: String) throws {
    // The files are not opened, which would drop the locks of other connections.
    var (file, log) = (stat(), stat())
    // SQLite treats a file of one byte as empty.
    guard stat(path, &file) == 0, file.st_size <= 1, stat(path + "-wal", &log) == 0, log.st_size > 0
    else { return }
    throw StoreError(
      DatabaseFailure(
        code: SQLITE_CORRUPT, systemCode: 0,
        message: "the file is empty, and its log has \(log.st_size) bytes", path: path))
  }

  /// Limits what a hostile file can make SQLite do: cyclic rows end, and no value larger than a store's own is
  /// accepted.
  ///
  /// Steps are counted instead of time: a suspended app does not wait, and a slow device may take as long as it needs.
  ///
  /// - Parameters:
  ///   - steps: The number of SQLite instructions that all statements together may take from now on.
  ///   - valueSize: The maximum size of a value or row, in bytes.
  ///   - heedsCancellation: Whether statements end with `CancellationError` when their task is cancelled.
  package func restrict(steps: Int, valueSize: Int, heedsCancellation: Bool = false) {
    allowance.pointee = Allowance(
      checks: steps / Self.stepsBetweenChecks, heedsCancellation: heedsCancellation)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: valueSize))
    sqlite3_progress_handler(
      handle, Int32(Self.stepsBetweenChecks),
      { allowance in
        guard let allowance = allowance?.assumingMemoryBound(to: Allowance.self) else { return 1 }
        allowance.pointee.checks -= 1
        if allowance.pointee.heedsCancellation, Task.isCancelled {
          allowance.pointee.wasCancelled = true
          return 1
        }
        return allowance.pointee.checks < 0 ? 1 : 0
      }, allowance)
  }

  /// Makes SQLite distrust a file's own schema.
  ///
  /// - Parameter isDamaged: Whether the rest of a damaged database is read. SQLite would treat that as an attempt to
  ///   write its schema, and refuse whole pages because of one invalid row.
  package func distrustSchema(isDamaged: Bool = false) throws {
    // The schema cannot make SQLite call functions of extensions or the system, nor read beyond its pages.
    try execute("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0")
    // This is set in either case, since Apple's SQLite defends every connection by default, and other builds defend no
    // connection.
    _ = schemagen_defend(handle, isDamaged ? 0 : 1)
    guard !isDamaged else { return }
    try execute("PRAGMA cell_size_check = ON")
  }

  /// Throws `StoreError.notAStore` if a table has a computed column. Reading its value runs an expression from the
  /// file, and a single SQLite function may take gigabytes, and seconds without interruption.
  ///
  /// Tables that cannot be read are skipped: whoever reads their rows gets the error.
  package func requireStoredColumns() throws {
    var tables: [String] = []
    try? forEach("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0") {
      tables.append($0.text(at: 0))
      return true
    }
    for table in tables {
      let computed = try? rows(
        "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3) LIMIT 1", [.text(table)]
      ) { $0.text(at: 0) }
      guard let column = computed?.first else { continue }
      throw StoreError(
        .notAStore,
        "'\(table)' computes its column '\(column)', which no Core Data store does")
    }
  }

  private static let stepsBetweenChecks = 1_000

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
    allowance.deallocate()
  }

  package func execute(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// A statement that is prepared once and kept. The returned statement is reset.
  package func prepare(_ sql: String) throws -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard let prepared, status == SQLITE_OK else { throw error(status) }
    let statement = Statement(prepared, of: self)
    statements[sql] = statement
    return statement
  }

  package func run(_ sql: String, _ values: [StoredValue] = []) throws {
    try prepare(sql).run(values)
  }

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

  /// Runs a query that is used once, with one row in memory at a time. `body` returns whether to continue.
  package func forEach(
    _ sql: String, _ values: [StoredValue] = [], _ body: (Statement) throws -> Bool
  ) throws {
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard let prepared, status == SQLITE_OK else { throw error(status) }
    let statement = Statement(prepared, of: self)
    try statement.bind(values)
    while try statement.step() {
      if try !body(statement) { return }
    }
  }

  /// All rows of a query that is run once and has few results.
  package func rows<Element>(
    _ sql: String, _ values: [StoredValue] = [], _ transform: (Statement) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEach(sql, values) {
      elements.append(try transform($0))
      return true
    }
    return elements
  }

  /// The integer that a query returns; 0 if it returns none.
  package func number(_ sql: String, _ values: [StoredValue] = []) throws -> Int64 {
    try rows(sql, values) { $0.integer(at: 0) }.first ?? 0
  }

  package func texts(_ sql: String) throws -> [String] { try rows(sql) { $0.text(at: 0) } }

  package func value(_ sql: String, _ values: [StoredValue] = []) throws -> StoredValue? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  package static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// Discards the prepared statements, which a change of the tables invalidates.
  package func forgetStatements() { statements.removeAll() }

  /// Whether the database cannot be written to, whatever was requested on opening.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  package var changeCount: Int { Int(sqlite3_changes(handle)) }

  func error(_ status: Int32) -> any Error {
    status & 0xFF == SQLITE_INTERRUPT && allowance.pointee.wasCancelled
      ? CancellationError() : failure(status)
  }

  package func failure(_ status: Int32) -> StoreError {
    let failure = DatabaseFailure(
      code: status, systemCode: sqlite3_system_errno(handle),
      message: String(cString: sqlite3_errmsg(handle)), path: path)
    return StoreError(failure)
  }
}

extension StoreError {
  package init(_ failure: DatabaseFailure) {
    let reason = failure.message
    switch failure.code & 0xFF {
    case SQLITE_INTERRUPT:
      self.init(.notAStore, "the file takes more steps to read than a valid database of its size")
    case SQLITE_TOOBIG:
      self.init(.notAStore, "the file has a value that is longer than a store's values can be")
    case SQLITE_NOTADB, SQLITE_CORRUPT: self.init(.notAStore, reason)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self.init(.cannotOpen, reason)
    case SQLITE_CONSTRAINT: self.init(.notUnique, reason)
    default: self.init(.sqlite, "\(reason) [\(failure.code)]")
    }
    self.failure = failure
  }
}
