import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import Testing

@testable import SchemaMigrationKit

/// The version that a pre-flight finds for a store.
@Suite struct PreflightTests {
  let folder: TemporaryFolder
  let store: URL
  let plan = Sample.plan()

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  private func check(_ plan: MigrationPlanDescription? = nil) throws -> PreflightReport {
    try StorePreflight(of: store, plan: plan ?? self.plan).check()
  }

  private func unknown(_ plan: MigrationPlanDescription? = nil) throws -> PreflightReport.Unknown {
    guard case .unknown(let unknown) = try check(plan).verdict else {
      Issue.record("\(try check(plan))")
      return PreflightReport.Unknown(why: "", possible: [], nearest: nil, differences: [])
    }
    return unknown
  }

  /// Replaces values of the metadata.
  private func write(_ values: [String: Any]) throws {
    let connection = try Connection(store)
    let hex = try #require(connection.texts("SELECT hex(Z_PLIST) FROM Z_METADATA").first)
    var bytes = Data()
    for index in stride(from: 0, to: hex.utf8.count, by: 2) {
      let start = hex.index(hex.startIndex, offsetBy: index)
      bytes.append(try #require(UInt8(hex[start...].prefix(2), radix: 16)))
    }
    var list = try #require(
      PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
    for (key, value) in values { list[key] = value }
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let digits = data.map { String(format: "%02x", $0) }.joined()
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'")
  }

  @Test func nothingIsAbsent() throws {
    #expect(try check().verdict == .absent)
    try Data().write(to: store)
    #expect(try check().verdict == .absent)
    try Connection(store).run("PRAGMA user_version = 1")
    #expect(try check().verdict == .absent)
    #expect(try check().description == "there is no store yet")
  }

  @Test(arguments: [(0, 3), (1, 2), (2, 1), (3, 0)])
  func everyVersionIsRecognised(position: Int, stages: Int) throws {
    try Sample.make(store, Sample.chain[position])
    let report = try check()
    #expect(report.verdict.version == plan.versions[position])
    #expect(report.stages == Array(plan.stages.suffix(stages)))
    #expect(report.isCustom == (stages > 0))
    if position == 3 { #expect(report.verdict == .current(plan.versions[3])) }
    #expect(report.rowCounts == ["Note": 40, "Folder": 2, "Tag": 1])
    #expect(report.rowTotal == 43)
    #expect(report.storeSize > 40 * 700)
    // A backup, a migration, and the restored backup.
    #expect(report.spaceNeeded == 4 * report.storeSize + 1 << 20)
  }

  @Test func itIsToldInLines() throws {
    try Sample.make(store, Sample.v2)
    let report = StorePreflight(
      plan: plan,
      backups: StoreBackups(
        of: store, environment: SystemEnvironment(freeSpace: { _ in 5_000_000 })))
    #expect(
      try report.check().description == """
        the store has version V2, 2 stages before the newest
          V2 → V3, first half (lightweight)
          V2 → V3: Stars become scores (custom)
        43 rows, 1 MB
        needs 2 MB on the disk, with 5 MB free
        """)
  }

  @Test func readingChangesNothing() throws {
    try Sample.make(store)
    #expect(try StandIn.run("note", store).wasKilled)
    let wal = try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal"))
    #expect(!wal.isEmpty)
    let bytes = try Data(contentsOf: store)
    let names = folder.names()
    #expect(try check().rowCounts["Note"] == 41)
    #expect(try Data(contentsOf: store) == bytes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal")) == wal)
    #expect(folder.names() == names)
  }

  @Test func besideAnOpenTransaction() throws {
    try Sample.make(store)
    let connection = try Connection(store)
    try connection.run("BEGIN IMMEDIATE; DELETE FROM ZNOTE")
    #expect(try check().rowCounts["Note"] == 40)
    try connection.run("COMMIT")
    #expect(try check().rowCounts["Note"] == 0)
  }

  @Test(arguments: [
    (
      "ALTER TABLE ZNOTE ADD COLUMN ZCOLOR VARCHAR",
      "the store has a column 'ZNOTE.ZCOLOR', and V2 does not"
    ),
    (
      "ALTER TABLE ZNOTE DROP COLUMN ZDATE", "the store has no column 'ZNOTE.ZDATE' for 'Note.date'"
    ),
    ("DROP INDEX Z_Folder_UNIQUE_name", "V2 has 'Folder' unique by name, and the store does not"),
    (
      "CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON ZTAG (ZNAME)",
      "the store has a unique index 'Z_Tag_UNIQUE_name', and V2 does not"
    ),
    (
      "INSERT INTO Z_PRIMARYKEY VALUES (4, 'Zebra', 0, 0)",
      "the store has the entity 'Zebra', and V2 does not"
    ),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'", "the store has no entity 'Tag'"),
    ("DROP TABLE ZTAG", "the store has no table 'ZTAG'"),
    ("DROP TABLE Z_2TAGS", "the store has no table for 'Note.tags'"),
    ("CREATE TABLE Z_2OTHERS (Z_2A, Z_3B)", "the store has a table 'Z_2OTHERS', and V2 does not"),
    (
      "ALTER TABLE ZNOTE DROP COLUMN ZDATE; ALTER TABLE ZNOTE ADD COLUMN ZDATE VARCHAR",
      "'Note.date' is VARCHAR in the store, and TIMESTAMP in V2"
    ),
  ])
  func anEditedVersionIsUnknown(sql: String, difference: String) throws {
    try Sample.make(store, Sample.v2)
    try Connection(store).run(sql)
    let found = try unknown()
    #expect(found.why == "the store claims to be '2.0.0', but does not match the app's V2")
    #expect(found.nearest == "V2")
    #expect(found.possible.map(\.name) == ["V2"])
    let isOfMetadata = sql.contains("Z_PRIMARYKEY")
    let others = isOfMetadata ? ["the store's metadata names other entities than its tables"] : []
    #expect(found.differences == [difference] + others)
  }

  @Test("A version number is ignored if the version's hashes differ from the store's")
  func hashesThatAreNotTheVersions() throws {
    try Sample.make(store, Sample.v2)
    try Connection(store).run("ALTER TABLE ZNOTE ADD COLUMN ZCOLOR VARCHAR")
    let hash = Data(repeating: 7, count: 32).base64EncodedString()
    func plan(_ hashes: [String: String]) -> MigrationPlanDescription {
      MigrationPlanDescription(
        versions: self.plan.versions.map { version in
          MigrationPlanDescription.Version(
            number: version.number, name: version.name, isBridge: version.isBridge,
            entities: version.entities, computedHashes: hashes)
        }, stages: self.plan.stages)
    }
    #expect(try unknown(plan([:])).possible.map(\.name) == ["V2"])
    #expect(try unknown(plan(["Note": hash, "Folder": hash, "Tag": hash])).possible == [])
    // A store without hashes is recognised by its tables.
    try write(["NSStoreModelVersionHashes": [String: Data]()])
    let found = try unknown(plan(["Note": hash, "Folder": hash, "Tag": hash]))
    #expect(found.possible.map(\.name) == ["V2"])
  }

  /// A store's claim to be a version is checked against the version.
  @Test(arguments: [true, false]) func theIdentifierAloneNeverSuffices(_ hasHashes: Bool) throws {
    try Sample.make(store, Sample.v1)
    try write(["NSStoreModelVersionIdentifiers": ["3.0.0"]])
    if !hasHashes { try write(["NSStoreModelVersionHashes": [String: Data]()]) }
    let found = try unknown()
    #expect(found.nearest == "V3")
    #expect(
      found.why
        == "the store claims to be '3.0.0', but does not match the app's V3; its tables match V1"
    )
    #expect(found.possible.map(\.name) == ["V1"])
    #expect(!found.differences.isEmpty)
  }

  /// An adoption may renumber the versions: a store with a version's tables is of that version.
  @Test(arguments: ["12.0.0", "1.5.0"])
  func tablesDecideWhateverTheNumber(identifier: String) throws {
    try Sample.make(store, Sample.v1)
    try write(["NSStoreModelVersionIdentifiers": [identifier]])
    #expect(try check().verdict.version?.name == "V1")
  }

  @Test func tablesDecideWithoutAnIdentifier() throws {
    try Sample.make(store, Sample.v1)
    try write(["NSStoreModelVersionIdentifiers": [String]()])
    #expect(try check().verdict.version?.name == "V1")
  }

  /// Two versions with the same tables.
  private func twins(_ second: [String: String] = [:]) -> MigrationPlanDescription {
    var optional = Sample.v3
    optional.versionIdentifier = "4.0.0"
    let newest = MigrationPlanDescription.Version(optional, name: "V4", hashes: second)
    return MigrationPlanDescription(
      versions: plan.versions + [newest],
      stages: plan.stages + [
        MigrationPlanDescription.Stage(
          from: plan.versions[3].number, to: newest.number, title: "V3 → V4")
      ])
  }

  @Test func theIdentifierDecidesBetweenTwins() throws {
    try Sample.make(store, Sample.v3)
    #expect(try check(twins()).verdict.version?.name == "V3")
    try write(["NSStoreModelVersionIdentifiers": ["4.0.0"]])
    #expect(try check(twins()).verdict.version?.name == "V4")
    try write(["NSStoreModelVersionIdentifiers": ["main"]])
    let found = try unknown(twins())
    #expect(found.why == "the store's tables match V3, V4, but its metadata names 'main'")
    #expect(found.possible.map(\.name) == ["V3", "V4"])
  }

  @Test func hashesDecideWhereTheyAreKnown() throws {
    try Sample.make(store, Sample.v3)
    let hash = Data(repeating: 7, count: 32)
    let hashes = ["Note": hash, "Folder": hash, "Tag": hash]
    try write(["NSStoreModelVersionHashes": hashes])
    let known = hashes.mapValues { $0.base64EncodedString() }
    // The identifier does not matter.
    #expect(try check(twins(known)).verdict.version?.name == "V4")
    var other = known
    other["Note"] = Data(repeating: 8, count: 32).base64EncodedString()
    #expect(try check(twins(other)).verdict.version?.name == "V3")
    try write(["NSStoreModelVersionIdentifiers": ["4.0.0"]])
    let found = try unknown(twins(other))
    #expect(found.nearest == "V4")
    #expect(found.differences == ["its entity hashes differ from those that V4 shipped with"])
  }

  @Test func aNewerStore() throws {
    var model = Sample.v3
    model.versionIdentifier = "12.0.0"
    try Sample.make(store, model)
    #expect(try check().verdict.version?.name == "V3")
    try Connection(store).run("ALTER TABLE ZNOTE ADD COLUMN ZCOLOR VARCHAR")
    #expect(try check().verdict == .newer(identifier: "12.0.0"))
  }

  /// Its hashes or tables decide; a store of a version in the plan is not retired, whatever its number.
  @Test(arguments: [true, false])
  func aRetiredVersion(hasHashes: Bool) throws {
    let whole = Sample.plan()
    func described(_ version: MigrationPlanDescription.Version) -> MigrationPlanDescription.Version
    {
      hasHashes
        ? version
        : MigrationPlanDescription.Version(
          number: version.number, name: version.name, isBridge: version.isBridge,
          entities: version.entities)
    }
    let plan = MigrationPlanDescription(
      versions: [described(whole.versions[3])], retired: whole.versions.prefix(3).map(described),
      retiredThrough: "3.2")
    for (model, version) in zip([Sample.v1, Sample.v2], whole.versions) {
      try? FileManager.default.removeItem(at: store)
      try Sample.make(store, model)
      #expect(
        try StorePreflight(of: store, plan: plan).check().verdict == .retired(described(version)))
    }
    try FileManager.default.removeItem(at: store)
    try Sample.make(store, Sample.v3)
    #expect(
      try StorePreflight(of: store, plan: plan).check().verdict
        == .current(described(whole.versions[3])))
  }

  @Test func noStoreOfCoreDatas() throws {
    try makeStore(store, named: "old")
    guard case .notAStore(let why) = try check().verdict else {
      Issue.record("a store")
      return
    }
    #expect(why == "it is an SQLite database, but not a Core Data store: it has no metadata")
  }

  @Test func noDatabase() throws {
    try Data(repeating: 0xA5, count: 10_000).write(to: store)
    guard case .notAStore(let why) = try check().verdict else {
      Issue.record("a store")
      return
    }
    #expect(why.hasPrefix("it is not an SQLite database, or it is encrypted"))
    try FileManager.default.removeItem(at: store)
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    #expect(try check().verdict == .notAStore("it is a folder"))
  }

  /// Everything in one file, as after a clean exit.
  private func closed() throws -> Data {
    try Sample.make(store, Sample.v1)
    try Connection(store).run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    return try Data(contentsOf: store)
  }

  @Test(arguments: [4096, 8192, 20_000, -1, -4096])
  func aFileThatWasCutOff(length: Int) throws {
    let data = try closed()
    try data.prefix(length > 0 ? length : data.count + length).write(to: store)
    let report = try check()
    guard case .damaged = report.verdict else {
      Issue.record("\(report)")
      return
    }
  }

  /// SQLite takes an empty file's log for a stale one and removes it, although it may have every row.
  @Test(arguments: [0, 1])
  func aLogWithoutItsStore(length: Int) throws {
    _ = try closed()
    let backups = StoreBackups(of: store)
    let backup = try backups.create(from: one, to: two)
    let log = URL(fileURLWithPath: store.path + "-wal")
    let writer = try Connection(store)
    try writer.run("PRAGMA journal_mode = WAL; UPDATE ZNOTE SET ZTEXT = 'in the log'")
    let data = try Data(contentsOf: log)
    try withExtendedLifetime(writer) {
      for name in ["", "-wal"] { try Disk.unlink(store.path + name) }
    }
    try Data(count: length).write(to: store)
    try data.write(to: log)

    let why = "the file is empty, and its log has \(data.count) bytes"
    #expect(try check().verdict == .damaged(why))
    let validation = try #require(throws: BackupError.self) {
      try StoreValidation(of: store, plan: Sample.plan()).report()
    }
    #expect(validation.kind == .corrupt)
    let creation = try #require(throws: BackupError.self) {
      try backups.create(from: one, to: two)
    }
    #expect(creation.kind == .corrupt)
    _ = try? StoreSalvage(of: store)
      .write(to: folder.url.appendingPathComponent("rows.json"))
    #expect(try Data(contentsOf: log) == data)
    let replaced = try #require(try backups.restore(backup).replaced)
    #expect(try Data(contentsOf: URL(fileURLWithPath: replaced.path + "-wal")) == data)
    guard case .migrates = try check().verdict else {
      Issue.record("the backup is not in place")
      return
    }
  }

  @Test func metadataThatCannotBeRead() throws {
    try Sample.make(store)
    try Connection(store).run("UPDATE Z_METADATA SET Z_PLIST = x'0102'")
    #expect(try check().verdict == .damaged("the store's metadata cannot be read"))
    try Connection(store).run("DELETE FROM Z_METADATA")
    #expect(try check().verdict == .damaged("the store's metadata cannot be read"))
  }

  /// Tables with other columns than Core Data's, which identify no version.
  @Test(arguments: [
    ("ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_NAME TO ZOTHER", "Z_NAME"),
    ("ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_SUPER", "Z_SUPER"),
    ("ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO ZOTHER", "Z_PLIST"),
  ])
  func tablesThatAreNotCoreDatas(statement: String, column: String) throws {
    try Sample.make(store)
    try Connection(store).run(statement)
    #expect(
      try check().verdict
        == .damaged("its tables are not as Core Data makes them (no such column: \(column))"))
  }

  /// Nested lists, each several times in the next: a few hundred bytes that would fill any memory when expanded.
  @Test(arguments: [(width: 10, depth: 24), (width: 10, depth: 7), (width: 2, depth: 29)])
  func metadataThatWouldFillTheMemory(width: Int, depth: Int) throws {
    try Sample.make(store)
    var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61]]
    for level in 0..<depth {
      objects.append([0xA0 + UInt8(width)] + Array(repeating: UInt8(3 + level), count: width))
    }
    objects.append([0x09])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
    }
    #expect(bytes.count < 500)
    let digits = bytes.map { String(format: "%02x", $0) }.joined()
    try Connection(store).run("UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'")
    let before = greatestMemory()
    let why = "the store's metadata cannot be read: it has more than 100000 values"
    #expect(try check().verdict == .damaged(why))
    // In KiB, of the whole process: tests that run at the same time use some of it.
    #expect(greatestMemory() - before < 300_000)
  }

  /// The known stores have binary metadata. A list in another form is refused instead of being read without limits.
  @Test func metadataAsTextAreRefused() throws {
    try Sample.make(store)
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["NSStoreModelVersionIdentifiers": ["1.0.0"]], format: .xml, options: 0)
    let digits = list.map { String(format: "%02x", $0) }.joined()
    try Connection(store).run("UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'")
    #expect(try check().verdict == .damaged("the store's metadata cannot be read"))
  }

  @Test func noPermission() throws {
    guard getuid() != 0 else { return }
    try Sample.make(store)
    chmod(store.path, 0)
    #expect(throws: BackupError.self) { try check() }
  }

  /// Entity trees, composites, colliding names, and relationships of all kinds.
  @Test func everyLayout() throws {
    let model = Self.everything
    try StoreFile(at: .file(store)).create(model)
    let plan = MigrationPlanDescription(versions: [
      MigrationPlanDescription.Version(model, name: "V1")
    ])
    let report = try check(plan)
    #expect(report.verdict == .current(plan.versions[0]), "\(report)")
    let structure = try StoreStructure(of: SQLite.snapshot(of: store.path))
    let layout = StoredVersion(plan.versions[0].candidate, in: structure)
    // The properties have the same columns in the store layer.
    let file = try StoreFile(at: .file(store), isReadOnly: true)
    try file.adopt(model)
    for entity in model.entities {
      for slot in file.layout(of: entity.name).slots {
        let path = slot.path.split(separator: ".").map(String.init)
        let places = layout.columns.filter { place in
          layout.lineage(of: entity.name).contains(place.entity) && place.property == path[0]
            && place.table == file.layout(of: entity.name).table
            && (path.count == 1 || path.last == "rawValue" || place.element == path.last)
        }
        #expect(places.map(\.column) == [slot.column], "\(entity.name).\(slot.path)")
      }
    }
  }

  static let everything = ManagedModel(
    entities: [
      ManagedEntity(
        name: "Medium",
        attributes: [
          ManagedAttribute(name: "title", type: .string),
          ManagedAttribute(
            name: "kind", type: .composite,
            elements: [ManagedAttribute(name: "kind", type: .string, isOptional: true)]),
        ], uniqueness: [["title", "kind"]]),
      ManagedEntity(
        name: "Film", superentity: "Medium",
        attributes: [ManagedAttribute(name: "length", type: .double)],
        relationships: [ManagedRelationship(name: "extras", destination: "Artist", isToMany: true)]),
      ManagedEntity(
        name: "Song", superentity: "Medium",
        attributes: [
          ManagedAttribute(name: "length", type: .integer32),
          ManagedAttribute(name: "id", type: .uuid),
          ManagedAttribute(
            name: "origin", type: .composite,
            elements: [
              ManagedAttribute(name: "id", type: .integer64, isOptional: true),
              ManagedAttribute(name: "length", type: .string, isOptional: true),
            ]),
        ],
        relationships: [
          ManagedRelationship(
            name: "artist", destination: "Artist", inverse: "songs", isToMany: false),
          ManagedRelationship(
            name: "fans", destination: "Artist", inverse: "likes", isToMany: true),
        ], uniqueness: [["id"], ["origin.id"]]),
      ManagedEntity(
        name: "Artist", attributes: [ManagedAttribute(name: "name", type: .string)],
        relationships: [
          ManagedRelationship(
            name: "songs", destination: "Song", inverse: "artist", isToMany: true),
          ManagedRelationship(
            name: "likes", destination: "Song", inverse: "fans", isToMany: true),
          ManagedRelationship(
            name: "friends", destination: "Artist", inverse: "friends", isToMany: true),
          ManagedRelationship(
            name: "teachers", destination: "Artist", inverse: "pupils", isToMany: true),
          ManagedRelationship(
            name: "pupils", destination: "Artist", inverse: "teachers", isToMany: true),
          ManagedRelationship(name: "prizes", destination: "Artist", isToMany: true),
        ]),
    ], versionIdentifier: "1.0.0")
}
