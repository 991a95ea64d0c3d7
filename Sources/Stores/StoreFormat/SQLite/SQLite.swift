internal import CStoreLibraries
internal import Foundation
package import ManagedModels

/// One connection to an SQLite database, with the statements that were prepared on it.
package final class SQLite {
  /// How a database is opened.
  package enum Access {
    case readWrite
    /// As `readWrite`, but only a file that is there; a write-ahead log is left to whoever opens it next. Otherwise to
    /// look at a damaged database would write its log into it.
    case existing
    case readOnly
    /// There are no other writers: SQLite takes no lock and leaves no file next to the database.
    case immutable
    /// Others may write. Only what they have left next to the database is used, and nothing of it is changed:
    /// SQLite would make a missing "-shm" again, and reset one that a crash has left.
    case observing
  }

  /// SQLite's own handle: for what only its C interface can do.
  package let handle: OpaquePointer
  /// The file, or ":memory:".
  let path: String
  /// What statements may still do. SQLite holds on to its address.
  private let allowance = UnsafeMutablePointer<Allowance>.allocate(capacity: 1)
  private var statements: [String: Statement] = [:]

  private struct Allowance {
    /// What is left of `restrict`'s steps, in checks.
    var checks = 0
    var heedsCancellation = false
    var wasCancelled = false
  }

  /// Opens `path`, or a database of its own in memory for ":memory:".
  ///
  /// - Parameters:
  ///   - patience: How long to wait for another connection's lock, in milliseconds: another process that is just
  ///     committing is waited for.
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

  /// Fails for an empty file with a log: SQLite would take the log for a stale one and remove it, also from a connection
  /// that only reads. It may have every row.
  private static func requireFileOfLog(_ path: String) throws {
    // Not opened, which would drop the locks of other connections.
    var (file, log) = (stat(), stat())
    // SQLite takes a file of one byte for an empty one.
    guard stat(path, &file) == 0, file.st_size <= 1, stat(path + "-wal", &log) == 0, log.st_size > 0
    else { return }
    throw StoreError(
      DatabaseFailure(
        code: SQLITE_CORRUPT, systemCode: 0,
        message: "the file is empty, and its log has \(log.st_size) bytes", path: path))
  }

  /// What a file that means harm can make SQLite do: rows that lead in circles end, and no value is taken that is
  /// larger than any of a store's own.
  ///
  /// Steps are counted and no clock is asked: an app that is suspended meanwhile has not waited, and a slow device may
  /// take as long as it needs.
  ///
  /// - Parameters:
  ///   - steps: Instructions of SQLite's machine that all statements together may take from here on.
  ///   - valueSize: Of the longest value or row, in bytes.
  ///   - heedsCancellation: Whether statements end with `CancellationError` when the task that runs them is cancelled.
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

  /// Takes nothing for granted that a file's own schema says.
  ///
  /// - Parameter isDamaged: Whether what is left of a damaged database is to be read: SQLite takes that for an attempt to
  ///   write its schema, and would refuse whole pages for one row that makes no sense.
  package func distrustSchema(isDamaged: Bool = false) throws {
    // The schema cannot make SQLite call functions of an extension's or the system's, nor read beyond its pages.
    try execute("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0")
    // Said in either case: Apple's SQLite defends every connection, others none.
    _ = schemagen_defend(handle, isDamaged ? 0 : 1)
    guard !isDamaged else { return }
    try execute("PRAGMA cell_size_check = ON")
  }

  /// Throws `StoreError.notAStore` where a table computes one of its columns: who asks for its value runs what the file
  /// says, and a single function of SQLite's may take gigabytes, and seconds in which nothing stops it.
  ///
  /// Tables that cannot be read are left to whoever reads them.
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
        "'\(table)' computes its column '\(column)', which no store of Core Data's does")
    }
  }

  private static let stepsBetweenChecks = 1_000

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
    allowance.deallocate()
  }

  /// Runs statements that take no values and give no rows.
  package func execute(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
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
    guard let prepared, status == SQLITE_OK else { throw error(status) }
    let statement = Statement(prepared, of: self)
    statements[sql] = statement
    return statement
  }

  /// Runs one statement to its end; what it gives is ignored.
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

  /// Runs a query that is asked once, with one row in memory at a time. `body` says whether to go on.
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

  /// All rows of a query that is run once and gives few.
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

  /// The whole number that a query gives; 0 where it gives none.
  package func number(_ sql: String, _ values: [StoredValue] = []) throws -> Int64 {
    try rows(sql, values) { $0.integer(at: 0) }.first ?? 0
  }

  /// The first column of a query's rows, as text.
  package func texts(_ sql: String) throws -> [String] { try rows(sql) { $0.text(at: 0) } }

  /// The first column of the first row, or `nil` when there is no row.
  package func value(_ sql: String, _ values: [StoredValue] = []) throws -> StoredValue? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  package static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// Forgets the prepared statements: a change of the tables makes them useless.
  package func forgetStatements() { statements.removeAll() }

  /// Whether the database cannot be written to, whatever was asked for when it was opened.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How many rows the last `INSERT`, `UPDATE` or `DELETE` changed.
  package var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// What a statement that has failed throws.
  func error(_ status: Int32) -> any Error {
    status & 0xFF == SQLITE_INTERRUPT && allowance.pointee.wasCancelled
      ? CancellationError() : failure(status)
  }

  /// SQLite's last failure, as the kind of `StoreError` that it is.
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
      self.init(.notAStore, "it takes more steps than a valid database of its size")
    case SQLITE_TOOBIG: self.init(.notAStore, "it has a value that is longer than it could be")
    case SQLITE_NOTADB, SQLITE_CORRUPT: self.init(.notAStore, reason)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self.init(.cannotOpen, reason)
    case SQLITE_CONSTRAINT: self.init(.notUnique, reason)
    default: self.init(.sqlite, "\(reason) [\(failure.code)]")
    }
    self.failure = failure
  }
}
