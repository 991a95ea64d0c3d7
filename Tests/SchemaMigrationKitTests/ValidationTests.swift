import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import Testing

@testable import SchemaMigrationKit

/// Whether a migrated store has all its rows, and whether their links are consistent.
@Suite struct ValidationTests {
  let folder: TemporaryFolder
  let store: URL
  let plan = Sample.plan()

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    try Sample.make(store, Sample.v3)
  }

  private func report(_ before: [String: Int] = [:]) throws -> ValidationReport {
    try StoreValidation(of: store, plan: plan).report(from: one, counts: before)
  }

  @Test func aSoundStore() throws {
    let found = try report(["Note": 40, "Folder": 2, "Tag": 1])
    #expect(found.isValid)
    #expect(
      found.description == """
        V3: no issues
          Folder: 2 → 2
          Note: 40 → 40
          Tag: 1 → 1
        """)
  }

  @Test func sinceAPreflight() throws {
    let other = folder.url.appendingPathComponent("other.store")
    try Sample.make(other, Sample.v1)
    let before = try StorePreflight(of: other, plan: plan).check()
    #expect(try StoreValidation(of: store, plan: plan).report(since: before).isValid)
    try Connection(store).run("DELETE FROM ZNOTE WHERE Z_PK = 2")
    let found = try StoreValidation(of: store, plan: plan).report(since: before)
    #expect(found.issues == [.rowsLost(entity: "Note", before: 40, after: 39)])
    #expect(found.losesRows)
    // Without counts from before, there is nothing to compare.
    #expect(try StoreValidation(of: store, plan: plan).report().isValid)
  }

  /// Links are values too: they are counted by the name of the relationship, whatever number its table has.
  @Test func linksAreLost() throws {
    let other = folder.url.appendingPathComponent("other.store")
    try Sample.make(other, Sample.v1)
    let before = try StorePreflight(of: other, plan: plan).check()
    // A link that leads nowhere did not count before, and may be removed.
    try Connection(other).run("INSERT INTO Z_2TAGS VALUES (999, 1)")
    let dangling = try StorePreflight(of: other, plan: plan).check()
    #expect(try StoreValidation(of: store, plan: plan).report(since: dangling).isValid)
    try Connection(store).run("DELETE FROM Z_2TAGS WHERE Z_2NOTES > 10")
    let found = try StoreValidation(of: store, plan: plan).report(since: before)
    #expect(
      found.issues.map(\.description) == ["'Note.tags' has lost links: 4 of 14 are left"])
    #expect(found.losesRows)
    // What the plan says about rows at either end applies to their links; it may also mention links themselves.
    for meant in ["Note", "Note.tags", "Tag.notes"] {
      let plan = Sample.plan(effects: [meant: .mayChange("old tags go")])
      #expect(try StoreValidation(of: store, plan: plan).report(since: before).isValid)
    }
    let folders = Sample.plan(effects: ["Folder": .mayChange("old folders go")])
    #expect(try !StoreValidation(of: store, plan: folders).report(since: before).isValid)
  }

  @Test(arguments: [
    (
      "DELETE FROM ZNOTE WHERE Z_PK = 4",
      "'Note.tags' refers 1 time to rows that do not exist, for example in row 4"
    ),
    (
      "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK > 38",
      "'Note.folder' refers 2 times to rows that do not exist, for example in row 39"
    ),
    (
      "DELETE FROM ZTAG",
      "'Note.tags' refers 14 times to rows that do not exist, for example in row 1"
    ),
    (
      "UPDATE ZNOTE SET ZTEXT = NULL WHERE Z_PK IN (1, 2, 3)",
      "'Note.text' must have a value, but has none in 3 rows"
    ),
    (
      "DROP INDEX Z_Folder_UNIQUE_name; UPDATE ZFOLDER SET ZNAME = 'same'",
      "'Folder' must be unique by name, but 1 value occurs more than once"
    ),
    ("UPDATE ZTAG SET Z_ENT = 77", "'ZTAG' has 1 row of unknown entities"),
    (
      "INSERT INTO ZTAG (Z_ENT, ZNAME) VALUES (3, 'new')",
      "'Tag' has more rows than before: 2 instead of 1"
    ),
  ])
  func whatIsWrong(sql: String, issue: String) throws {
    try Connection(store).run(sql)
    let found = try report(["Tag": 1])
    #expect(found.issues.map(\.description).contains(issue), "\(found)")
    #expect(!found.isValid)
    #expect(found.description.contains("  ! \(issue)"))
  }

  @Test func anotherVersion() throws {
    try FileManager.default.removeItem(at: store)
    try Sample.make(store, Sample.v2)
    let found = try report()
    guard case .otherVersion(let why)? = found.issues.first else {
      Issue.record("\(found)")
      return
    }
    #expect(why.hasPrefix("the store does not have version V3: the store has version V2"))
  }

  @Test func anEmptyStoreHasLostAll() throws {
    for suffix in StoreFiles.companionSuffixes + [""] { try Disk.unlink(store.path + suffix) }
    try Connection(store).run("PRAGMA user_version = 3")
    let found = try report(["Note": 40])
    #expect(found.losesRows)
  }

  /// Renames, drops, new entities, and reasons that add up.
  @Test func ancestry() throws {
    func version(_ number: Int, _ entities: String...) -> MigrationPlanDescription.Version {
      MigrationPlanDescription.Version(
        number: StoreVersion(number, 0, 0), name: "V\(number)",
        entities: entities.map { MigrationPlanDescription.Entity($0) })
    }
    func stage(
      _ from: Int, _ effects: [String: MigrationPlanDescription.RowEffect]
    ) -> MigrationPlanDescription.Stage {
      MigrationPlanDescription.Stage(
        from: StoreVersion(from, 0, 0), to: StoreVersion(from + 1, 0, 0), title: "",
        rowEffects: effects)
    }
    let plan = MigrationPlanDescription(
      versions: [
        version(1, "A", "B", "C"), version(2, "A2", "B"), version(3, "A2", "B", "C"),
        version(4, "A3", "B", "C"),
      ],
      stages: [
        stage(1, ["A2": .renamed(from: "A"), "C": .removed, "B": .mayChange("merged")]),
        stage(2, ["C": .created, "B": .mayChange("split")]),
        stage(3, ["A3": .renamed(from: "A2")]),
      ])
    let origins = try #require(Ancestry(plan, from: one)).origins
    #expect(origins["A3"]?.entity == "A")
    #expect(origins["A3"]?.reason == nil)
    #expect(origins["B"]?.reason == "merged; split")
    // The old entity's rows are gone, and the new entity has its own.
    #expect(origins["C"] == nil)
    #expect(try #require(Ancestry(plan, from: two)).origins["B"]?.reason == "split")
    #expect(Ancestry(plan, from: StoreVersion(9, 0, 0)) == nil)
  }

  /// Links are identified by the names of both sides, and their loss is excused by changes to rows at either end.
  @Test func ancestryOfLinks() throws {
    typealias Plan = MigrationPlanDescription
    func version(_ number: Int, _ entities: [Plan.Entity]) -> Plan.Version {
      Plan.Version(number: StoreVersion(number, 0, 0), name: "V\(number)", entities: entities)
    }
    func entity(
      _ name: String, _ property: String, to destination: String, inverse: String
    ) -> Plan.Entity {
      Plan.Entity(
        name,
        relationships: [
          Plan.Relationship(property, to: destination, inverse: inverse, isToMany: true)
        ])
    }
    let old = version(
      1,
      [
        entity("Note", "tags", to: "Tag", inverse: "notes"),
        entity("Tag", "notes", to: "Note", inverse: "tags"), Plan.Entity("Pin", parent: "Note"),
      ])
    let new = version(
      2,
      [
        entity("Note", "labels", to: "Label", inverse: "notes"),
        entity("Label", "notes", to: "Note", inverse: "labels"),
        Plan.Entity("Pin", parent: "Note"),
      ])
    func links(_ effects: [String: Plan.RowEffect]) throws -> [String] {
      let stage = Plan.Stage(
        from: one, to: two, title: "",
        rowEffects: effects.merging(["Label": .renamed(from: "Tag"), "Tag": .removed]) { $1 })
      let plan = Plan(versions: [old, new], stages: [stage])
      return try #require(Ancestry(plan, from: one)).links.map {
        "\($0.origin) → \($0.name): \($0.reason ?? "kept")"
      }
    }
    #expect(try links([:]) == ["Note.tags → Label.notes: kept"])
    #expect(
      try links(["Pin": .mayChange("pins merge")]) == ["Note.tags → Label.notes: pins merge"])
    #expect(
      try links(["Pin": .removed]) == ["Note.tags → Label.notes: the rows of Pin are removed"])
    #expect(try links(["Note.labels": .created]) == [])
    #expect(
      try links(["Note.labels": .mayChange("some go")]) == ["Note.tags → Label.notes: some go"])
    #expect(try links(["Note": .created]) == [])
  }

  /// Rows of entities that share a table.
  @Test func trees() throws {
    let model = PreflightTests.everything
    let store = folder.url.appendingPathComponent("tree.store")
    try StoreFile(at: .file(store)).create(model)
    let plan = MigrationPlanDescription(versions: [
      MigrationPlanDescription.Version(model, name: "V1")
    ])
    let connection = try Connection(store)
    let numbers = Dictionary(
      uniqueKeysWithValues: zip(
        try connection.texts("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT"),
        try connection.texts("SELECT Z_ENT FROM Z_PRIMARYKEY ORDER BY Z_ENT")))
    let film = try #require(numbers["Film"])
    let song = try #require(numbers["Song"])
    let artist = try #require(numbers["Artist"])
    let layout = StoredVersion(
      plan.versions[0].candidate, in: try StoreStructure(of: SQLite.snapshot(of: store.path)))
    func column(_ entity: String, _ property: String) throws -> String {
      try #require(
        layout.columns.first { $0.entity == entity && $0.property == property }?.column)
    }
    try connection.run(
      """
      INSERT INTO ZARTIST (Z_PK, Z_ENT, ZNAME) VALUES (1, \(artist), 'Ada');
      INSERT INTO ZMEDIUM (Z_PK, Z_ENT, ZTITLE, ZKIND, \(try column("Film", "length")))
        VALUES (1, \(film), 'f', 'k', 1.5);
      INSERT INTO ZMEDIUM (Z_PK, Z_ENT, ZTITLE, ZKIND, \(try column("Song", "length")), ZID)
        VALUES (2, \(song), 's', 'k', 3, x'00');
      """)
    func found() throws -> ValidationReport {
      try StoreValidation(of: store, plan: plan).report()
    }
    let sound = try found()
    #expect(sound.isValid, "\(sound)")
    #expect(
      try found().counts.map { "\($0.entity) \($0.after)" } == [
        "Artist 1", "Film 1", "Medium 0", "Song 1",
      ])
    // A song's artist must be an artist, and fans of songs must not be fans of films.
    let join = try #require(layout.joins.first { $0.property == "fans" || $0.property == "likes" })
    let table = try #require(join.table)
    let songs = try #require(join.columns.first { $0.entity == "Song" }).name
    let artists = try #require(join.columns.first { $0.entity == "Artist" }).name
    try connection.run("INSERT INTO \(table) (\(songs), \(artists)) VALUES (2, 1)")
    #expect(try found().isValid)
    try connection.run("INSERT INTO \(table) (\(songs), \(artists)) VALUES (1, 1)")
    #expect(try found().issues.count == 1)
    try connection.run("UPDATE ZMEDIUM SET \(try column("Song", "length")) = NULL WHERE Z_PK = 2")
    #expect(
      try found().issues.contains(.missingValues(entity: "Song", property: "length", count: 1)))
  }
}
