import Foundation
import SchemaReporting
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Files that are not stores, or malicious ones: each gives a clear error or a note. None crashes or hangs the reader,
/// and none is written to.
@Suite struct HostileFileTests {
  private func write(_ bytes: Data, _ folder: String) throws -> String {
    let path = folder + "/store"
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @Test(
    arguments: [
      (Data(), "the file is empty"),
      (Data("# A text\n".utf8), "the file is text, not a SQLite database"),
      (
        Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }),
        "the file is not a SQLite database, or an encrypted one"
      ),
      (Data("SQLite format 3\0".utf8), "the file was cut off after 16 bytes"),
    ])
  func noDatabase(_ bytes: Data, _ reason: String) throws {
    try withTemporaryFolder { folder in
      let path = try write(bytes, folder)
      #expect(Stores.reason(path) == reason)
    }
  }

  @Test func noFile() throws {
    try withTemporaryFolder { folder in
      #expect(Stores.reason(folder + "/nothing") == "there is no such file")
      #expect(Stores.reason(folder) == "that is a folder, not a store")
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(Stores.reason(folder + "/pipe") == "that is not a regular file")
    }
  }

  @Test(
    "A database that is not a store is refused",
    arguments: [
      ("CREATE TABLE a (b)", "the database is not a Core Data store: it has no Z_METADATA"),
      (
        "CREATE TABLE Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST)",
        "the database is not a Core Data store: it has no Z_PRIMARYKEY"
      ),
      ("CREATE VIEW Z_METADATA AS SELECT 1", "the database has no tables"),
      (
        "CREATE TABLE Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST); CREATE TABLE Z_PRIMARYKEY (Z_ENT)",
        "the store's metadata cannot be read"
      ),
      (
        """
        CREATE TABLE t (a); CREATE VIEW Z_PRIMARYKEY AS WITH RECURSIVE c(Z_ENT, Z_NAME, Z_SUPER) AS
        (SELECT 1, 'a', 0 UNION ALL SELECT Z_ENT, 'a', 0 FROM c) SELECT * FROM c;
        CREATE TABLE Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST)
        """, "it has no Z_PRIMARYKEY"
      ),
    ])
  func noStore(_ statements: String, _ reason: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try SQLite(path: path, access: .readWrite).execute(statements)
      #expect(Stores.reason(path)?.contains(reason) == true, "\(Stores.reason(path) ?? "")")
    }
  }

  @Test func moreEntitiesThanTables() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.run(
          """
          WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 30000)
          INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) SELECT -n, 'E' || n, 0, 0 FROM c
          """)
      }
      #expect(Stores.reason(path) == "the store has more than 20000 entities")
    }
  }

  @Test func metadataThatReferToThemselves() throws {
    var writer = PropertyListWriter()
    let root = writer.add(.dictionary([("NSStoreModelVersionHashes", 0)]))
    let bytes = Data(writer.bytes(root: root))
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(bytes)])
      }
      #expect(Stores.reason(path) == "the store's metadata cannot be read")
    }
  }

  @Test("Metadata of 455 bytes that expand to 2^29 lists are refused")
  func metadataThatWouldFillTheMemory() throws {
    var writer = PropertyListWriter()
    var list = writer.add(.array([]))
    for _ in 0..<29 { list = writer.add(.array([list, list])) }
    let root = writer.add(.dictionary([("NSStoreModelVersionHashes", list)]))
    let bytes = Data(writer.bytes(root: root))
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(bytes)])
      }
      #expect(
        Stores.reason(path)
          == "the store's metadata cannot be read: it has more than 100000 values")
    }
  }

  @Test("A store with a computed column is refused")
  func computedColumn() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.execute(
          "ALTER TABLE ZTRIP ADD COLUMN ZMORE INTEGER AS (length(hex(zeroblob(50000000))))")
      }
      #expect(
        Stores.reason(path)
          == "'ZTRIP' computes its column 'ZMORE', which no Core Data store does")
    }
  }

  static let caches: [(Data, String)] = {
    var selfish = PropertyListWriter()
    let reference = selfish.add(.reference(1))
    let entities = selfish.add(.dictionary([("NS.objects", 0), ("NSEntities", reference)]))
    let objects = selfish.add(.array([reference, entities]))
    let top = selfish.add(.dictionary([("root", reference)]))
    let all = selfish.add(.dictionary([("$objects", objects), ("$top", top)]))
    var two = Stores.trips
    two.entities.append(two.entities[0])
    var lost = Stores.trips
    lost.entities[1].relationships[0].destination = "Nowhere"
    var quoted = Stores.trips
    quoted.entities[0].name = "Trip\"; DROP TABLE ZTRIP; --"
    return [
      (Data([1, 2, 3]), "cannot be expanded"),
      (Data(ModelArchive.content(of: Stores.trips).dropLast(200)), "cannot be expanded"),
      (ModelArchive.deflated(Array("bplist00".utf8)), "not a property list"),
      (ModelArchive.deflated(selfish.bytes(root: all)), "the store's model cache"),
      (ModelArchive.content(of: two), "two entities in it are called 'Trip'"),
      (ModelArchive.content(of: lost), "is not valid"),
      (ModelArchive.content(of: quoted), "is not valid"),
    ]
  }()

  @Test(
    "A broken model cache is noted, and the store is read from tables and metadata",
    arguments: caches.indices)
  func brokenCache(_ index: Int) throws {
    let (cache, reason) = Self.caches[index]
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips, cache: cache)
      let facts = try Stores.facts(path)
      // An empty model can be read, but is not the tables' model.
      #expect(facts.notes.contains { $0.contains(reason) } || facts.model?.entities.isEmpty == true)
      #expect(facts.entities.compactMap(\.rowCount).reduce(0, +) == 6 || facts.model != nil)
      #expect(facts.damage.isEmpty)
      #expect(facts.tableDifferences(from: Stores.trips).isEmpty)
    }
  }

  @Test("Reading a truncated store fails or reports damage")
  func truncated() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips)
      let whole = try Data(contentsOf: URL(filePath: path))
      var lengths = Array(stride(from: 0, to: whole.count, by: 997))
      lengths += Array(stride(from: 4096, to: whole.count, by: 4096))
      for length in lengths {
        try whole.prefix(length).write(to: URL(filePath: path))
        let reason = Stores.reason(path)
        #expect(reason != nil, "\(length) of \(whole.count) bytes")
      }
    }
  }

  @Test("Reading a store whose header misstates its log creates no file", arguments: [18, 19])
  func header(_ place: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      _ = try Stores.write(path)
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[place] = 1
      try bytes.write(to: URL(filePath: path))
      _ = try? Stores.facts(path)
      #expect(try Stores.contents(folder) == ["store": bytes])
    }
  }

  @Test(
    "Randomly damaged stores never crash or hang the reader, and are not written to",
    arguments: 0..<6)
  func damaged(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 1)
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips)
      let whole = try Data(contentsOf: URL(filePath: path))
      var readable = 0
      for _ in 0..<60 {
        var bytes = whole
        for _ in 0...random.below(12) {
          let place = random.below(bytes.count)
          switch random.below(3) {
          case 0: bytes[place] = UInt8(random.below(256))
          case 1:
            let length = min(1 + random.below(64), bytes.count - place)
            for offset in 0..<length { bytes[place + offset] = UInt8(random.below(256)) }
          default:
            // One page replaces another, which makes cycles of pages.
            let from = random.below(bytes.count / 4096) * 4096
            let to = random.below(bytes.count / 4096) * 4096
            bytes.replaceSubrange(to..<to + 4096, with: bytes[from..<from + 4096])
          }
        }
        try bytes.write(to: URL(filePath: path))
        do {
          let facts = try Stores.facts(path)
          let report = InspectionReport(path: "store", facts: facts, candidates: nil)
          _ = report.document.text() + JSONText.encode(report)
          _ = StoreSchema.version(of: facts)
          readable += 1
        } catch {
          #expect(error is StoreError)
        }
        #expect(try Stores.contents(folder) == ["store": bytes])
      }
      #expect(readable > 0, "damage that nothing survives tries nothing")
    }
  }

  /// A store in which the root page of trips has pages below it: the root's number and the bytes.
  private func deepStore(_ path: String) throws -> (root: Int, bytes: Data) {
    let store = try Stores.write(path)
    try store.database.run(
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
      INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT n, 3, 1, 'Trip number ' || n FROM c
      """)
    _ = try store.database.value("PRAGMA wal_checkpoint(TRUNCATE)")
    let root = try store.database.value("SELECT rootpage FROM sqlite_master WHERE name = 'ZTRIP'")
    guard case .integer(let root)? = root else { return (0, Data()) }
    return (Int(root), try Data(contentsOf: URL(filePath: path)))
  }

  /// Makes each cell of an interior page lead to one page.
  private func aim(_ page: Int, at target: Int, in bytes: inout Data) {
    let start = (page - 1) * 4096
    let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: target >> $0) }
    bytes.replaceSubrange(start + 8..<start + 12, with: number)
    for cell in 0..<(Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])) {
      let pointer = start + 12 + cell * 2
      let place = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
      bytes.replaceSubrange(place..<place + 4, with: number)
    }
  }

  @Test("A cycle of pages is reported as damage")
  func circles() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      var (root, bytes) = try deepStore(path)
      #expect(bytes[(root - 1) * 4096] == 5, "the root is a page of pages")
      aim(root, at: root, in: &bytes)
      try bytes.write(to: URL(filePath: path))
      let facts = try Stores.facts(path)
      #expect(facts.damage.count == 1)
      #expect(facts.damage.first?.hasPrefix("the rows of 'ZTRIP' cannot be counted") == true)
      let report = InspectionReport(path: path, facts: facts, candidates: nil)
      #expect(report.exitStatus == 2)
      #expect(report.document.text().contains("damaged: the rows of 'ZTRIP' cannot be counted"))
    }
  }

  @Test("A small file that claims an impossible number of rows is read in time")
  func explosion() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      var (root, bytes) = try deepStore(path)
      let start = (root - 1) * 4096
      let cell = start + (Int(bytes[start + 12]) << 8 | Int(bytes[start + 13]))
      let leaf = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
      let page = bytes[start..<start + 4096]
      // Interior pages below each other, each of whose cells leads to the next.
      let last = bytes.count / 4096
      for _ in 0..<6 { bytes += page }
      aim(root, at: last + 1, in: &bytes)
      for level in 1...6 { aim(last + level, at: level == 6 ? leaf : last + level + 1, in: &bytes) }
      let count = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (last + 6) >> $0) }
      bytes.replaceSubrange(28..<32, with: count)
      try bytes.write(to: URL(filePath: path))
      let facts = try Stores.facts(path)
      #expect(
        facts.damage == [
          "the rows of 'ZTRIP' cannot be counted: the file takes more steps to read than a valid database of its size"
        ])
    }
  }

  @Test("Damage in overflow pages is reported although rows can be counted")
  func overflow() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      let store = try Stores.write(path)
      let text = String(repeating: "x", count: 20_000)
      try store.database.run(
        "INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 3, 1, '\(text)')")
      _ = try store.database.value("PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(try Stores.facts(path).damage.isEmpty)
      var bytes = try Data(contentsOf: URL(filePath: path))
      // A page of the long text begins with the number of the next page.
      let pages = stride(from: 0, to: bytes.count, by: 4096).filter { start in
        bytes[start + 4..<start + 100].allSatisfy { $0 == 0x78 }
      }
      let page = try #require(pages.first)
      bytes.replaceSubrange(page..<page + 4, with: [0x7f, 0xff, 0xff, 0xff])
      try bytes.write(to: URL(filePath: path))
      let facts = try Stores.facts(path)
      #expect(facts.entities.first { $0.name == "Trip" }?.rowCount != nil)
      #expect(facts.damage.first?.hasPrefix("SQLite's quick_check: ") == true, "\(facts.damage)")
      #expect(InspectionReport(path: path, facts: facts, candidates: nil).exitStatus == 2)
    }
  }
}
