import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// What can be read from damaged stores.
@Suite struct SalvageTests {
  let folder: TemporaryFolder
  let store: URL
  let file: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    file = folder.url.appendingPathComponent("salvaged.json")
  }

  /// A store of 400 notes in one file, without a log.
  private func make() throws -> Data {
    try Sample.make(store, Sample.v2, notes: 400)
    try Connection(store).run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    return try Data(contentsOf: store)
  }

  private func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
  }

  private func rows(_ table: String, _ group: String = "entities") throws -> [[String: Any]] {
    let entities = try #require(json()[group] as? [String: [String: Any]])
    let found = entities.values.first { $0["table"] as? String == table }
    return try #require(found?["rows"] as? [[String: Any]])
  }

  private func salvage() throws -> SalvageReport {
    try StoreSalvage(of: store).write(to: file)
  }

  private func table(_ report: SalvageReport, _ name: String) throws -> SalvageReport.Table {
    try #require(report.tables.first { $0.table == name })
  }

  @Test func aSoundStore() throws {
    let data = try make()
    let report = try salvage()
    #expect(report.isComplete)
    #expect(report.read == 400 + 2 + 1 + 134)
    let note = try #require(rows("ZNOTE").first { $0["Z_PK"] as? Int == 3 })
    #expect(note["ZTEXT"] as? String == "Note 3")
    #expect(note["ZSTARS"] as? Int == 3)
    #expect(note["ZFOLDER"] as? Int == 2)
    #expect(
      note["ZDATE"] as? NSDictionary == ["date": "2001-01-01T00:00:03.000Z", "raw": 3.0])
    #expect(
      note["ZDATA"] as? [String: String]
        == ["base64": Data(repeating: 3, count: 700).base64EncodedString()])
    #expect(note["Z_ENT"] == nil)
    #expect(try rows("Z_2TAGS", "links").count == 134)
    #expect(try Data(contentsOf: store) == data)
    #expect(folder.names() == ["default.store", "salvaged.json"])
    #expect(report.description.hasPrefix("537 rows are in 'salvaged.json'\n  Folder: 2\n"))
  }

  @Test func withoutMetadata() throws {
    _ = try make()
    try Connection(store).run("DROP TABLE Z_METADATA; DROP TABLE Z_PRIMARYKEY")
    let report = try salvage()
    #expect(try table(report, "ZNOTE").entity == "ZNOTE")
    #expect(try rows("ZNOTE").first?["ZTEXT"] as? String == "Note 1")
    #expect(try (rows("ZNOTE").first?["ZDATE"] as? [String: Any])?["raw"] as? Double == 1)
  }

  @Test func valuesOfAllKinds() throws {
    _ = try make()
    let connection = try Connection(store)
    try connection.run(
      """
      DELETE FROM ZNOTE WHERE Z_PK > 1;
      UPDATE ZNOTE SET ZTEXT = 'a"b\\c' || char(10, 1, 233, 128512), ZDATE = 9e999, ZSTARS = 1.5,
        ZISPINNED = -9e999, ZDATA = NULL;
      """)
    #expect(try salvage().isComplete)
    let note = try #require(rows("ZNOTE").first)
    #expect(note["ZTEXT"] as? String == "a\"b\\c\n\u{1}é😀")
    #expect(note["ZDATE"] as? NSDictionary == ["date": NSNull(), "raw": "inf"])
    #expect(note["ZSTARS"] as? Double == 1.5)
    #expect(note["ZISPINNED"] as? String == "-inf")
    #expect(note["ZDATA"] is NSNull)
  }

  @Test func sharedTables() throws {
    let model = PreflightTests.everything
    try StoreFile(at: .file(store)).create(model)
    let connection = try Connection(store)
    try connection.run(
      """
      INSERT INTO ZMEDIUM (Z_PK, Z_ENT, ZTITLE, ZLENGTH) VALUES
        (1, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Film'), 'f', 1.5);
      INSERT INTO ZMEDIUM (Z_PK, Z_ENT, ZTITLE, ZLENGTH1) VALUES
        (2, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'), 's', 3);
      """)
    #expect(try table(salvage(), "ZMEDIUM").entity == "Medium")
    let found = try rows("ZMEDIUM")
    #expect(found.map { $0["entity"] as? String } == ["Film", "Song"])
    #expect(found[0]["ZLENGTH"] as? Double == 1.5 && found[1]["ZLENGTH1"] as? Double == 3)
    #expect(found[0]["ZLENGTH1"] is NSNull)
  }

  /// Each page of the table except its root is overwritten in turn: only the rows on it are lost.
  @Test(.enabled(if: Checkout.runsEverything), arguments: [0x00, 0xA5, 0x0D] as [UInt8])
  func anyOnePageOverwritten(byte: UInt8) throws {
    let data = try make()
    let keys = Set(1...400)
    var losses: [Int] = []
    let pages = data.count / 4096
    for page in stride(from: 1, to: pages, by: max(1, pages / 25)) {
      var damaged = data
      damaged.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: [UInt8](repeating: byte, count: 4096))
      try damaged.write(to: store)
      let report = try salvage()
      let notes = try table(report, "ZNOTE")
      let read = try rows("ZNOTE").compactMap { $0["Z_PK"] as? Int }
      #expect(Set(read).count == read.count)
      #expect(Set(read).isSubset(of: keys))
      // A page of rows has five of them; a page of keys leads to about a hundred.
      #expect(read.count >= 400 - 150 || !notes.isComplete, "page \(page): \(read.count)")
      #expect(notes.read == read.count)
      losses.append(400 - read.count)
      #expect(try Data(contentsOf: store) == damaged)
    }
    #expect(losses.filter { (1...6).contains($0) }.count > 10, "\(losses)")
  }

  /// Sound pages between two damaged ones are read, starting from keys in between.
  @Test func betweenDamagedPages() throws {
    let data = try make()
    // Pages with notes, found by their text.
    let leaves = (1..<data.count / 4096).filter { page in
      let part = data[page * 4096..<(page + 1) * 4096]
      return part.first == 0x0D && part.range(of: Data("Note ".utf8)) != nil
    }
    try #require(leaves.count > 60)
    var damaged = data
    for page in [leaves[10], leaves[30], leaves[50]] {
      damaged.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: [UInt8](repeating: 0xFF, count: 4096))
    }
    try damaged.write(to: store)
    let notes = try table(try salvage(), "ZNOTE")
    #expect((382...397).contains(notes.read), "\(notes)")
    #expect(!notes.isComplete)
    // The index of links to folders is intact and gives the number of notes.
    #expect(notes.expected == 400)
    #expect(notes.lost == 400 - notes.read)
  }

  /// Sound pages in wrong places: no row is read twice, and a cycle ends.
  @Test(arguments: [0x0D, 0x05] as [UInt8])
  func pagesOfOtherRows(kind: UInt8) throws {
    let data = try make()
    let pages = (1..<data.count / 4096).map { data[$0 * 4096..<($0 + 1) * 4096] }
    let leaves = pages.indices.filter {
      pages[$0].first == 0x0D && pages[$0].range(of: Data("Note ".utf8)) != nil
    }
    let source = try #require(
      kind == 0x0D ? leaves[10] : pages.indices.first { pages[$0].first == 0x05 })
    var damaged = data
    let place = leaves[30] + 1
    damaged.replaceSubrange(place * 4096..<(place + 1) * 4096, with: pages[source])
    try damaged.write(to: store)
    let keys = try {
      _ = try salvage()
      return try rows("ZNOTE").compactMap { $0["Z_PK"] as? Int }
    }()
    #expect(Set(keys).count == keys.count)
    #expect((390..<400).contains(keys.count), "\(keys.count)")
  }

  @Test(arguments: [0.9, 0.5, 0.3])
  func aFileThatWasCutOff(part: Double) throws {
    let data = try make()
    try data.prefix(Int(Double(data.count) * part)).write(to: store)
    let report = try salvage()
    let notes = try table(report, "ZNOTE")
    #expect(notes.read > Int(400 * part) - 80, "\(report)")
    #expect(!report.isComplete)
    // It is read without a copy.
    #expect(report.notes == [])
  }

  /// Random bytes must neither be taken for rows nor crash the process.
  @Test func randomBytes() throws {
    let data = try make()
    var generator = SystemRandomNumberGenerator()
    for _ in 1...30 {
      var damaged = data
      for _ in 1...200 {
        let place = Int.random(in: 4096..<data.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      try damaged.write(to: store)
      do {
        _ = try salvage()
        _ = try json()
      } catch is BackupError {
        continue
      }
    }
  }

  /// A file that SQLite does not open is left for people to examine.
  @Test func aHeaderOfZeros() throws {
    var data = try make()
    data.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
    try data.write(to: store)
    let error = try #require(throws: BackupError.self) { try salvage() }
    #expect(error.kind == .notADatabase)
    #expect(error.store == .unchanged)
    #expect(try Data(contentsOf: store) == data)
    #expect(folder.names() == ["default.store"])
  }

  @Test func rowsOfTheLog() throws {
    try Sample.make(store)
    #expect(try StandIn.run("note", store).wasKilled)
    let wal = try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal"))
    #expect(try table(salvage(), "ZNOTE").read == 41)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal")) == wal)
  }

  @Test func nothingToRead() throws {
    #expect(throws: BackupError.self) { try salvage() }
    try Data(repeating: 0xA5, count: 40_000).write(to: store)
    let error = try #require(throws: BackupError.self) { try salvage() }
    #expect(error.kind == .notADatabase)
    #expect(folder.names() == ["default.store"])
    // The existing file is kept.
    try Data("before".utf8).write(to: file)
    #expect(throws: BackupError.self) { try salvage() }
    #expect(try Data(contentsOf: file) == Data("before".utf8))
  }

  private struct Enough: Error {}

  @Test func itCanBeStopped() throws {
    try Sample.make(store, Sample.v2, notes: 2500)
    var told: [String] = []
    _ = try StoreSalvage(of: store).write(to: file) { told.append("\($0) \($1)") }
    #expect(told == ["Note 1000", "Note 2000"])
    try FileManager.default.removeItem(at: file)
    #expect(throws: Enough.self) {
      _ = try StoreSalvage(of: store).write(to: file) { _, _ in throw Enough() }
    }
    #expect(folder.names() == ["default.store"])
  }
}
