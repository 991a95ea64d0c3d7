internal import CStoreLibraries
internal import Foundation
internal import ManagedModels

extension SQLite {
  private var lastSystemCode: Int32 {
    var code: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
    return code
  }

  /// Copies the whole database into an empty one, some pages at a time.
  ///
  /// A read transaction of this connection fixes the copied state. Without one, every change by another process would
  /// restart the copy.
  package func copy(
    to destination: SQLite, pagesAtOnce: Int32,
    _ afterPages: (_ done: Int64, _ all: Int64) throws -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw destination.failure(sqlite3_extended_errcode(destination.handle))
    }
    defer { sqlite3_backup_finish(backup) }
    var status = SQLITE_OK
    while status == SQLITE_OK {
      status = sqlite3_backup_step(backup, pagesAtOnce)
      guard status == SQLITE_OK || status == SQLITE_DONE else {
        // Neither connection records this failure. Only the system's error code shows which of the two files caused it.
        let culprit = destination.lastSystemCode == 0 ? self : destination
        throw StoreError(
          DatabaseFailure(
            code: status, systemCode: culprit.lastSystemCode,
            message: String(cString: sqlite3_errstr(status)),
            path: status & 0xFF == SQLITE_FULL ? destination.path : culprit.path))
      }
      let all = Int64(sqlite3_backup_pagecount(backup))
      try afterPages(all - Int64(sqlite3_backup_remaining(backup)), all)
    }
  }

  /// Errors that SQLite finds in the database's structure; empty if there are none.
  ///
  /// `integrity_check` would also compare every index with its table. That would take far longer, and `REINDEX`
  /// corrects indexes. This only checks whether the rows can be read.
  package func damage() throws -> [String] {
    do {
      let findings = try texts("PRAGMA quick_check(5)")
      return findings == ["ok"] ? [] : findings
    } catch let error as StoreError {
      guard let failure = error.failure, failure.isDamage else { throw error }
      return [failure.message]
    }
  }

  /// Limits statements to what reading every row of a database of this size can take.
  ///
  /// Validating half a million rows of small, linked and unique numbers took two instructions per byte of the file; 64
  /// are allowed.
  package func restrictToSize(heedsCancellation: Bool = false) {
    // The file is not opened, which would drop the locks of other connections.
    let size = ["", "-wal"].reduce(Int64(0)) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
    // Divided first to avoid overflow, since a file may claim any size.
    let steps = min(size, .max / 128) * 64 + 50_000_000
    restrict(
      steps: Int(clamping: steps), valueSize: max(64 << 20, Int(clamping: size)),
      heedsCancellation: heedsCancellation)
  }

  /// A connection in a read transaction, which sees the present state of the store, whatever others write.
  ///
  /// - Parameter heedsCancellation: Whether statements end when their task is cancelled.
  package static func snapshot(
    of path: String, heedsCancellation: Bool = false
  ) throws -> SQLite {
    func begin(_ access: Access) throws -> SQLite {
      let connection = try SQLite(path: path, access: access, isShared: true)
      try connection.distrustSchema()
      connection.restrictToSize(heedsCancellation: heedsCancellation)
      try connection.execute("BEGIN; SELECT count(*) FROM sqlite_master")
      return connection
    }
    do {
      return try begin(.readOnly)
    } catch let error as StoreError where error.failure?.needsWriting == true {
      // A writer was killed during a transaction. SQLite must roll it back, as any connection would.
      return try begin(.existing)
    }
  }
}
