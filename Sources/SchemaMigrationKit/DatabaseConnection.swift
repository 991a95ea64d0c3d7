internal import CSQLite
internal import Foundation

/// What SQLite says of a failure.
struct DatabaseFailure: Error {
  /// The extended result code.
  var code: Int32
  /// `errno` of the call of the system that made SQLite fail, or 0.
  var systemCode: Int32
  var message: String
  var path: String

  /// The result code without its extension.
  var kind: Int32 { code & 0xFF }

  /// The file is no database, or not a whole one.
  var isDamage: Bool { kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT }
  /// Somebody else holds a lock.
  var isContention: Bool { kind == SQLITE_BUSY || kind == SQLITE_LOCKED }
  /// Only a connection that may write can repair what a killed writer left.
  var needsWriting: Bool {
    // SQLITE_READONLY_RECOVERY and SQLITE_READONLY_ROLLBACK: Swift does not see macros with operators.
    [1, 3].contains { code == SQLITE_READONLY | $0 << 8 }
  }

  var backupError: BackupError {
    let name = URL(fileURLWithPath: path).lastPathComponent
    switch kind {
    case SQLITE_NOTADB:
      return BackupError(
        .notADatabase, "'\(name)' is not an SQLite database, or it is encrypted (\(message)).")
    case SQLITE_CORRUPT:
      return BackupError(.corrupt, "The database '\(name)' is damaged (\(message)).")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return BackupError(.storeInUse, "'\(name)' is in use by another connection.")
    case SQLITE_FULL:
      return SystemFailure(code: ENOSPC, path: path).backupError
    case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
      return SystemFailure(code: EACCES, path: path).backupError
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      if systemCode != 0 { return SystemFailure(code: systemCode, path: path).backupError }
      return BackupError(.system(code), "'\(path)' cannot be opened or read (\(message)).")
    default:
      return BackupError(.system(code), "'\(path)': \(message) [\(code)].")
    }
  }
}

/// One connection to an SQLite database.
final class DatabaseConnection {
  enum Access {
    case readOnly
    case readWrite
    /// A new file.
    case create
    /// Nobody writes: no lock is taken and no file is left beside the database.
    case immutable
  }

  let handle: OpaquePointer
  let path: String

  /// - Parameter patience: How long to wait for another connection's lock, in milliseconds.
  init(_ path: String, _ access: Access, patience: Int32 = 10_000) throws {
    var flags = SQLITE_OPEN_FULLMUTEX
    var name = path
    switch access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      // Without '?', '#' and '%', which would end the path or be read as something else.
      let plain = CharacterSet.urlPathAllowed
      name = "file:\(path.addingPercentEncoding(withAllowedCharacters: plain) ?? path)?immutable=1"
    }
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened, status == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw DatabaseFailure(
        code: opened.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM,
        systemCode: opened.map { sqlite3_system_errno($0) } ?? 0,
        message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory", path: path)
    }
    handle = opened
    self.path = path
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience)
    // Otherwise looking at a damaged database would write its WAL into it.
    if access == .readWrite { _ = schemagen_leave_wal_on_close(handle) }
  }

  deinit { sqlite3_close_v2(handle) }

  func failure(_ code: Int32) -> DatabaseFailure {
    DatabaseFailure(
      code: code, systemCode: sqlite3_system_errno(handle),
      message: String(cString: sqlite3_errmsg(handle)), path: path)
  }

  /// `errno` of the last call of the system on the database's file that failed, or 0.
  private var lastSystemCode: Int32 {
    var code: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
    return code
  }

  /// Runs statements and ignores what they give.
  func execute(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  /// The first column of the rows of a query, as text.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    var status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK else { throw failure(status) }
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while true {
      status = sqlite3_step(statement)
      guard status == SQLITE_ROW else { break }
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    guard status == SQLITE_DONE else { throw failure(status) }
    return texts
  }

  /// Copies the whole database into an empty one, some pages at a time.
  ///
  /// A read transaction of this connection holds the moment that is copied: without one, every change by another
  /// process would make the copy begin anew.
  func copy(
    to destination: DatabaseConnection, pagesAtOnce: Int32,
    _ afterPages: (_ done: Int64, _ all: Int64) throws -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw destination.failure(sqlite3_extended_errcode(destination.handle))
    }
    do {
      defer { sqlite3_backup_finish(backup) }
      var status = SQLITE_OK
      while status == SQLITE_OK {
        status = sqlite3_backup_step(backup, pagesAtOnce)
        guard status == SQLITE_OK || status == SQLITE_DONE else {
          // Neither connection records this failure; their files do.
          let culprit = destination.lastSystemCode == 0 ? self : destination
          throw DatabaseFailure(
            code: status, systemCode: culprit.lastSystemCode,
            message: String(cString: sqlite3_errstr(status)),
            path: status & 0xFF == SQLITE_FULL ? destination.path : culprit.path)
        }
        let all = Int64(sqlite3_backup_pagecount(backup))
        try afterPages(all - Int64(sqlite3_backup_remaining(backup)), all)
      }
    }
  }

  /// What SQLite finds wrong with the database's structure; nothing when it is sound.
  ///
  /// Not `integrity_check`: that one also compares every index with its table, which takes far longer and
  /// which `REINDEX` mends; here it is asked whether the rows can be read.
  func damage() throws -> [String] {
    do {
      let findings = try texts("PRAGMA quick_check(5)")
      return findings == ["ok"] ? [] : findings
    } catch let failure as DatabaseFailure where failure.isDamage {
      return [failure.message]
    }
  }
}
