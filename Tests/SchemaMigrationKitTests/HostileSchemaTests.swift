import Foundation
import ManagedModels
import StoreFormat
import Testing

@testable import SchemaMigrationKit

/// Stores whose tables would keep SQLite working forever are refused at once, without using memory.
@Suite struct HostileSchemaTests {
  let folder: TemporaryFolder
  let store: URL
  let plan = Sample.plan()

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    try Sample.make(store, Sample.v3)
  }

  /// Statements, and the reason for refusing the store.
  static let computed = [
    (
      """
      DROP TABLE Z_METADATA;
      CREATE TABLE Z_METADATA (
        Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB AS (zeroblob(900000000)));
      INSERT INTO Z_METADATA (Z_VERSION, Z_UUID) VALUES (1, 'id');
      """, "Z_METADATA", "Z_PLIST"
    ),
    (
      """
      ALTER TABLE Z_PRIMARYKEY RENAME TO before;
      CREATE TABLE Z_PRIMARYKEY (
        Z_ENT INTEGER PRIMARY KEY, Z_SUPER INTEGER, Z_MAX INTEGER,
        Z_NAME VARCHAR AS (replace(hex(zeroblob(50000000)), '0', 'ab')));
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_SUPER, Z_MAX) SELECT Z_ENT, Z_SUPER, Z_MAX FROM before;
      DROP TABLE before;
      """, "Z_PRIMARYKEY", "Z_NAME"
    ),
    (
      "ALTER TABLE ZNOTE ADD COLUMN ZMORE INTEGER AS (length(hex(zeroblob(50000000))))", "ZNOTE",
      "ZMORE"
    ),
  ]

  @Test(arguments: computed)
  func computedColumns(statements: String, table: String, column: String) throws {
    try Connection(store).run(statements)
    let why = "'\(table)' computes its column '\(column)', which no Core Data store does"
    let memory = greatestMemory()
    let time = try ContinuousClock().measure {
      #expect(try StorePreflight(of: store, plan: plan).check().verdict == .damaged(why))
      let found = try StoreValidation(of: store, plan: plan).report(
        from: one, counts: ["Note": 40])
      #expect(found.issues.map(\.description).contains(why))
      #expect(found.losesRows)
      let error = try #require(throws: BackupError.self) {
        try StoreSalvage(of: store).write(
          to: folder.url.appendingPathComponent("rows.json"))
      }
      #expect(error.reason.contains(why))
    }
    #expect(time < .seconds(5))
    #expect(greatestMemory() - memory < 100_000)
  }

  /// Pages that form a cycle: a file of a few hundred kilobytes has more rows than can ever be counted.
  @Test func rowsWithoutEnd() throws {
    try endless()
    let why = "the file takes more steps to read than a valid database of its size"
    #expect(try StorePreflight(of: store, plan: plan).check().verdict == .damaged(why))
    let error = try #require(throws: BackupError.self) {
      try StoreValidation(of: store, plan: plan).report()
    }
    #expect(error.kind == .corrupt)
    let report = try StoreSalvage(of: store).write(
      to: folder.url.appendingPathComponent("rows.json"))
    #expect(report.tables.first { $0.table == "ZTAG" }?.expected == nil)
    #expect(report.tables.first { $0.table == "ZNOTE" }?.read == 40)
  }

  private func endless() throws {
    let connection = try Connection(store)
    try connection.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 3, 1, 'Tag number ' || i FROM n;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    let text = try connection.texts("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'")
    let root = try #require(text.first.flatMap { Int($0) })
    var bytes = Array(try Data(contentsOf: store))
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    /// The positions of the page numbers in a page.
    func places(_ page: Int) -> [Int] {
      let start = (page - 1) * 4096
      let cells = 0..<(Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]))
      return [start + 8]
        + cells.map {
          start + (Int(bytes[start + 12 + $0 * 2]) << 8 | Int(bytes[start + 13 + $0 * 2]))
        }
    }
    #expect(bytes[(root - 1) * 4096] == 5, "the root is a page of pages")
    let leaf = places(root)[1]
    let target = bytes[leaf..<leaf + 4].reduce(0) { $0 << 8 | Int($1) }
    let last = bytes.count / 4096
    for _ in 0..<6 { bytes += bytes[(root - 1) * 4096..<root * 4096] }
    for (level, page) in ([root] + (1...6).map { last + $0 }).enumerated() {
      for place in places(page) {
        bytes.replaceSubrange(
          place..<place + 4, with: number(level == 6 ? target : last + level + 1))
      }
    }
    bytes.replaceSubrange(28..<32, with: number(last + 6))
    try Data(bytes).write(to: store)
  }

  @Test func aCancelledTaskStopsInTheMiddle() async throws {
    try Connection(store).run(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 3, 1, 'Tag number ' || i FROM n;
      """)
    let before = try await StorePreflight(of: store, plan: plan).check()
    let task = Task { [store, plan] () throws -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(throws: CancellationError.self) {
        try StorePreflight(of: store, plan: plan).check()
      }
      #expect(throws: CancellationError.self) {
        try StoreValidation(of: store, plan: plan).report(since: before)
      }
      // A migration that has run is validated, even if it was cancelled.
      return try StoreValidation(of: store, plan: plan).report(from: nil, counts: [:]).isValid
    }
    #expect(try await task.value)
  }

  @Test func connectionsTrustNoSchema() throws {
    let database = try SQLite.snapshot(of: store.path)
    #expect(try database.texts("PRAGMA trusted_schema") == ["0"])
    let error = try #require(throws: StoreError.self) {
      try database.execute("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql")
    }
    #expect(error.reason.contains("table sqlite_master may not be modified"))
  }
}
