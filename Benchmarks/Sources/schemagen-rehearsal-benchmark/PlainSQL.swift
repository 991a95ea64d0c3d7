import CStoreLibraries
import Foundation

/// The same rows without Swift: what SQLite needs for the new table in one statement.
struct PlainSQL {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: OpaquePointer

  init(_ url: URL) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(url.path, &opened) == SQLITE_OK, let opened else {
      throw Failure(description: "\(url.path) cannot be opened")
    }
    handle = opened
    // As the runtime writes.
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST")
  }

  func close() { sqlite3_close(handle) }

  /// `INSERT … SELECT`, and with the new table's unique index, each up to the moment it is committed.
  func migrate() throws -> (start: Mark, inserted: Mark, indexed: Mark) {
    let start = Mark()
    try run(
      """
      BEGIN;
      CREATE TABLE NEW ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISVALID INTEGER,
        ZFAHRENHEIT FLOAT, ZMEASUREDAT TIMESTAMP, ZCODE VARCHAR, ZNOTE VARCHAR, ZSENSOR VARCHAR,
        ZSTATION VARCHAR, ZID BLOB );
      INSERT INTO NEW SELECT Z_PK, Z_ENT, Z_OPT, ZISVALID, ZCELSIUS * 1.8 + 32, ZMEASUREDAT,
        'R' || ZNUMBER, ZNOTE, ZSENSOR, ZSTATION, ZID FROM ZREADING ORDER BY Z_PK;
      COMMIT
      """)
    let inserted = Mark()
    try run("CREATE UNIQUE INDEX NEW_ID ON NEW (ZID COLLATE BINARY ASC)")
    return (start, inserted, Mark())
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
