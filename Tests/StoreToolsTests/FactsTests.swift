import Foundation
import SchemaReporting
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

@Suite struct FactsTests {
  @Test("A store of ours is read with model, rows, indexes and sizes")
  func portable() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/a store?#%.sqlite"
      _ = try Stores.write(path)
      let facts = try Stores.facts(path)
      #expect(facts.writer == .portable && facts.modelSource == .metadata)
      #expect(facts.model == Stores.trips)
      #expect(facts.versionIdentifiers == ["2.0.0"])
      #expect(facts.entities.map(\.name) == ["Stop", "Layover", "Trip"])
      #expect(facts.entities.map(\.rowCount) == [3, 1, 2])
      #expect(facts.entities.map(\.table) == ["ZSTOP", "ZSTOP", "ZTRIP"])
      #expect(facts.indexes.filter(\.isUnique).map(\.name) == ["Z_Trip_UNIQUE_name"])
      #expect(facts.indexes.contains { $0.columns == ["ZNAME"] && !$0.isUnique })
      #expect(facts.notes.isEmpty && facts.damage.isEmpty)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
      #expect(facts.size.main == size && facts.size.page * facts.size.pageCount == size)
      #expect(facts.tableDifferences(from: Stores.trips).isEmpty)
    }
  }

  @Test("A column for ordering and a constraint written inside the table are not differences")
  func earlierForms() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      _ = try Stores.write(path)
      let database = try SQLite(path: path, access: .readWrite)
      try database.execute("ALTER TABLE ZSTOP ADD COLUMN Z_FOK_TRIP INTEGER")
      #expect(try Stores.facts(path).tableDifferences(from: Stores.trips).isEmpty)
      try database.execute("DROP INDEX Z_Trip_UNIQUE_name")
      #expect(
        try Stores.facts(path).tableDifferences(from: Stores.trips)
          == ["unique index 'Z_Trip_UNIQUE_name' is missing"])
      let text = try database.query("SELECT sql FROM sqlite_master WHERE name = 'ZTRIP'") {
        $0.text(at: 0)
      }[0]
      let columns = text.dropFirst(
        text.distance(from: text.startIndex, to: text.firstIndex(of: "(")!))
      try database.execute("CREATE TABLE ZNEW \(columns.dropLast()), UNIQUE (ZNAME))")
      try database.execute("INSERT INTO ZNEW SELECT * FROM ZTRIP")
      try database.execute("DROP TABLE ZTRIP")
      try database.execute("ALTER TABLE ZNEW RENAME TO ZTRIP")
      #expect(try Stores.facts(path).tableDifferences(from: Stores.trips).isEmpty)
    }
  }

  @Test("A self-referencing relationship's join table may be named after either side")
  func ownJoin() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      let model = ManagedModel(
        entities: [
          ManagedEntity(
            name: "Mark", attributes: [],
            relationships: [
              ManagedRelationship(
                name: "favorites", destination: "Mark", inverse: "folders", isToMany: true),
              ManagedRelationship(
                name: "folders", destination: "Mark", inverse: "favorites", isToMany: true),
            ])
        ], versionIdentifier: "1.0.0")
      let store = try StoreFile(at: .file(URL(filePath: path)))
      try store.create(model)
      let database = try SQLite(path: path, access: .readWrite)
      try database.execute("ALTER TABLE Z_1FAVORITES RENAME TO Z_1FOLDERS")
      #expect(try Stores.facts(path).tableDifferences(from: model).isEmpty)
      try database.execute("ALTER TABLE Z_1FOLDERS RENAME TO Z_1OTHERS")
      #expect(try Stores.facts(path).tableDifferences(from: model).count == 2)
    }
  }

  @Test("A column that the store's own model has and its table lacks is damage")
  func missingColumn() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      _ = try Stores.write(path)
      let database = try SQLite(path: path, access: .readWrite)
      try database.execute("DROP INDEX Z_Trip_UNIQUE_name")
      for index in try Stores.facts(path).indexes where index.columns == ["ZNAME"] {
        try database.execute("DROP INDEX \"\(index.name)\"")
      }
      #expect(try Stores.facts(path).damage.isEmpty)
      // The column may exist under another name.
      try database.execute("ALTER TABLE ZTRIP RENAME COLUMN ZNAME TO ZNAME1")
      #expect(try Stores.facts(path).damage.isEmpty)
      try database.execute("ALTER TABLE ZTRIP DROP COLUMN ZNAME1")
      #expect(
        try Stores.facts(path).damage
          == ["column 'ZTRIP.ZNAME' is missing: the app fails with 'no such column'"])
    }
  }

  @Test("A Core Data store is read from its cache, with hashes that match its checksums")
  func coreData() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips)
      let facts = try Stores.facts(path)
      #expect(facts.writer == .coreData && facts.modelSource == .modelCache)
      #expect(facts.model?.versionHashes == Stores.trips.versionHashes)
      #expect(facts.frameworkVersion == 1526 && facts.hashesVersion == 3)
      #expect(facts.entities.map(\.rowCount) == [3, 1, 2])
      #expect(facts.entities.allSatisfy { $0.hash?.count == 32 })
      #expect(facts.otherTables == ["ACHANGE"])
      #expect(facts.notes.isEmpty)
      let hashes = StoreHashes(facts)
      #expect(hashes.checksum == .agrees && hashes.digest == .agrees && hashes.isSound)
      #expect(hashes.confirmed == facts.hashes.keys.sorted() && hashes.unconfirmed.isEmpty)
      let text = InspectionReport(path: path, facts: facts, candidates: nil).document.text()
      #expect(text.contains("hashes      3 of 3 are what Core Data computes"))
    }
  }

  @Test("An attribute without a type is hashed like any other")
  func undefinedType() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      var model = Stores.trips
      model.entities[0].attributes.append(ManagedAttribute(name: "any", type: .undefined))
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(model)
        try Stores.disguise(store, model)
      }
      let facts = try Stores.facts(path)
      #expect(facts.notes.isEmpty && facts.model?.hashDoubts == [:])
      #expect(StoreHashes(facts).confirmed.count == 3)
    }
  }

  @Test(
    "An entity renamed by a migration gets its name in the hashes")
  func renamedEntities() throws {
    for (renames, isTold) in [
      (["Trip": "Journey"], true), (["Trip": "Zug", "Stop": "Alt"], false),
      // Several renamed entities are identified by their numbers only if none inherits.
      (["Layover": "Pause"], true),
    ] {
      try withTemporaryFolder { folder in
        let path = folder + "/store"
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(Stores.trips)
        try Stores.disguise(store, Stores.trips)
        for (name, former) in renames {
          try store.database.run(
            "UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = ?", [.text(former), .text(name)])
        }
        let facts = try Stores.facts(path)
        let names = Set(facts.entities.map(\.name))
        #expect((names == ["Layover", "Stop", "Trip"]) == isTold, "\(renames)")
        #expect(StoreHashes(facts).unlisted.isEmpty == isTold)
        guard isTold, let (name, former) = renames.first else { return }
        #expect(
          facts.notes == [
            "Z_PRIMARYKEY still has the name that '\(name)' had before a migration: '\(former)'"
          ])
        #expect(facts.entities.allSatisfy { $0.table != nil && $0.hash != nil })
      }
    }
  }

  @Test("Several renamed entities are identified by their numbers")
  func severalRenamedEntities() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      let store = try StoreFile(at: .file(URL(filePath: path)))
      let model = ManagedModel(
        entities: ["Album", "Photo", "Tag"].map { ManagedEntity(name: $0) },
        versionIdentifier: "1")
      try store.create(model)
      try Stores.disguise(store, model)
      // Sorted by name they would be in the opposite order.
      for (name, former) in [("Album", "Zine"), ("Tag", "Aim")] {
        try store.database.run(
          "UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = ?", [.text(former), .text(name)])
      }
      #expect(try Stores.facts(path).entities.map(\.name) == ["Album", "Photo", "Tag"])
      // A table with the old name belongs to another entity.
      try store.database.run("CREATE TABLE ZAIM (Z_PK INTEGER PRIMARY KEY)")
      #expect(try Stores.facts(path).entities.map(\.name) == ["Album", "Photo", "Aim"])
    }
  }

  @Test("A journal of an active writer is distinguished from an interrupted one")
  func journals() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do { _ = try Stores.write(path) }
      let writer = try SQLite(path: path, access: .readWrite)
      try writer.execute("PRAGMA journal_mode = DELETE")
      try writer.execute("BEGIN IMMEDIATE")
      try writer.run("UPDATE ZTRIP SET ZNAME = ZNAME || 'x'")
      let journal = try FileManager.default.attributesOfItem(atPath: path + "-journal")
      #expect((journal[.size] as? NSNumber)?.intValue ?? 0 > 0)
      let facts = try Stores.facts(path)
      #expect(facts.access == .shared && facts.entities.compactMap(\.rowCount) == [3, 1, 2])
      try writer.execute("COMMIT")
      #expect(Stores.reason(path) == nil)
      // A writer that is changing the file itself.
      try writer.execute("BEGIN EXCLUSIVE")
      try writer.run("UPDATE ZTRIP SET ZNAME = ZNAME || 'y'")
      #expect(
        Stores.reason(path)
          == "another process is writing to the store: close the app, or try again later")
      // The files that a killed writer leaves.
      let copy = folder + "/killed"
      try writer.execute("PRAGMA cache_spill = 1")
      try writer.execute("PRAGMA cache_size = 1")
      try writer.run("UPDATE ZTRIP SET ZPHOTO = zeroblob(100000)")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      let before = try Stores.contents(folder)
      #expect(Stores.reason(copy)?.hasPrefix("a transaction was interrupted") == true)
      #expect(try Stores.contents(folder) == before)
      try writer.execute("ROLLBACK")
    }
  }

  @Test("A file name that is not UTF-8 is reported")
  func foreignName() throws {
    try withTemporaryFolder { folder in
      #expect(Stores.reason(folder + "/a\u{FFFD}")?.contains("not UTF-8") == true)
      #expect(Stores.reason(folder + "/a") == "there is no such file")
      do { _ = try Stores.write(folder + "/a\u{FFFD}") }
      #expect(Stores.reason(folder + "/a\u{FFFD}") == nil)
    }
  }

  @Test func hashesThatAreNotTheModelsAreTold() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      var other = Stores.trips
      other.entities[0].attributes[0].isOptional.toggle()
      other.entities[1].unknowns = [
        HashDoubt(
          element: other.entities[1].name, reason: "nobody has seen one", evidence: "a store")
      ]
      other.entities[1].attributes[0].isOptional.toggle()
      try Stores.disguise(Stores.write(path), Stores.trips)
      var facts = try Stores.facts(path)
      facts.model = other
      let names = other.entities.map(\.name)
      let hashes = StoreHashes(facts)
      #expect(hashes.wrong == [names[0]] && !hashes.isSound)
      // A subclass depends on its superclass.
      #expect(hashes.unconfirmed.filter { !$0.value.isEmpty }.keys.sorted() == ["Layover", "Stop"])
      let report = InspectionReport(path: path, facts: facts, candidates: nil)
      #expect(report.document.text().contains("0 of 3 are what Core Data computes"))
      #expect(report.document.text().contains("wrong         the hashes of \(names[0])"))
      #expect(
        report.document.text().contains(
          "not verified  the hash of \(names[1]): \(names[1]): nobody has seen one; a store would"))
      #expect(JSONText.encode(report).contains("\"confirmed\" : [\n\n"))
    }
  }

  @Test func hashesThatDoNotAgreeAreTold() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips, digest: "AAAA")
      let facts = try Stores.facts(path)
      #expect(StoreHashes(facts).digest == .differs && StoreHashes(facts).checksum == .agrees)
      let text = InspectionReport(path: path, facts: facts, candidates: nil).document.text()
      #expect(text.contains("digest      does not agree with the entities' hashes"))
      var missing = facts
      missing.entities.removeLast()
      #expect(StoreHashes(missing).unlisted == ["Trip"])
    }
  }

  @Test("Tables and columns outside the model are noted")
  func notes() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.run("ALTER TABLE ZTRIP ADD COLUMN ZEXTRA VARCHAR")
        try store.database.run("CREATE TABLE \"ZO\"\"DD'; DROP TABLE ZTRIP; --\" (a, \"b\"\"c\")")
      }
      let facts = try Stores.facts(path)
      #expect(facts.notes.contains { $0.contains("column 'ZTRIP.ZEXTRA' is unexpected") })
      #expect(facts.entities.map(\.rowCount) == [3, 1, 2])
      #expect(facts.damage.isEmpty)
      let text = InspectionReport(path: path, facts: facts, candidates: nil).document.text()
      #expect(text.contains("note: the tables do not match the store's own model"))
    }
  }

  @Test("Unreachable rows and an entity without a number are damage")
  func unreachableRows() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      try Stores.disguise(Stores.write(path), Stores.trips)
      #expect(try Stores.facts(path).damage == [])
      do {
        let database = try SQLite(path: path, access: .existing)
        try database.run("INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT) VALUES (99, 77, 1)")
      }
      #expect(
        try Stores.facts(path).damage
          == ["'ZTRIP' has rows of no known entity, which no app will ever see: 1"])
      do {
        let database = try SQLite(path: path, access: .existing)
        try database.run("DELETE FROM ZTRIP WHERE Z_PK = 99")
        try database.run("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Stop'")
      }
      #expect(
        try Stores.facts(path).damage.contains(
          "Z_PRIMARYKEY has no row for 'Stop': the app cannot identify the model's rows, or number new rows"
        ))
    }
  }

  @Test("A garbage log is reported without waiting for it")
  func noise() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      _ = try Stores.write(path)
      let noise = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3 &+ $0 % 251) })
      for suffix in ["-wal", "-shm"] { try noise.write(to: URL(fileURLWithPath: path + suffix)) }
      let before = try Stores.contents(folder)
      let start = ContinuousClock.now
      let facts = try Stores.facts(path)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(
        facts.notes.contains(
          "the '-wal' file is not a log, and was not read: 40000 bytes"))
      #expect(try Stores.contents(folder) == before)
    }
  }

  @Test("Invisible characters in names are shown")
  func hiddenNames() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        try store.database.run(
          "UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = 'Trip'",
          [.text("Tr\u{1B}[31mip\nexit | `x`\u{202E}")])
      }
      let report = InspectionReport(path: path, facts: try Stores.facts(path), candidates: nil)
      let text = report.document.text()
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
      #expect(!text.contains("\nexit"))
      #expect(
        try JSONSerialization.jsonObject(with: Data(JSONText.encode(report).utf8)) is NSDictionary)
    }
  }
}

@Suite struct ReadOnlyTests {
  /// Reading changes no byte of any file, and leaves no new file. `InspectCommandTests` tests live stores: a process
  /// cannot read a store's file while it has it open without losing its locks.
  private func expectUntouched(
    _ folder: String, _ access: StoreFacts.Access, rows: Int64, except: Set<String> = []
  ) throws {
    let before = try Stores.contents(folder)
    let facts = try Stores.facts(folder + "/store")
    #expect(facts.access == access)
    #expect(facts.entities.last?.rowCount == rows)
    #expect(facts.damage.isEmpty)
    let after = try Stores.contents(folder)
    #expect(after.keys.sorted() == before.keys.sorted())
    for (name, bytes) in after { #expect(bytes == before[name], "\(name)") }
  }

  @Test func aStoreWithoutALog() throws {
    try withTemporaryFolder { folder in
      _ = try Stores.write(folder + "/store")
      #expect(try Stores.contents(folder).count == 1)
      try expectUntouched(folder, .alone, rows: 2)
    }
  }

  /// Files as left by a crash or a copy of the folder.
  private func withCrash(
    _ suffixes: [String], _ work: (String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let live = folder + "/live"
      let copy = folder + "/copy"
      for path in [live, copy] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      let store = try Stores.write(live + "/store")
      for suffix in suffixes {
        try FileManager.default.copyItem(
          atPath: live + "/store" + suffix, toPath: copy + "/store" + suffix)
      }
      try work(copy)
      // The connection must live until here.
      #expect(try store.count(of: "Trip") == 2)
    }
  }

  @Test(
    "A store with a log after a crash is read completely and unchanged")
  func crashed() throws {
    try withCrash(["", "-wal", "-shm"]) { folder in
      try expectUntouched(folder, .shared, rows: 2)
    }
  }

  @Test("A log without shared memory is read in a temporary copy")
  func copied() throws {
    let temporary = FileManager.default.temporaryDirectory
    try withCrash(["", "-wal"]) { folder in
      try expectUntouched(folder, .copied, rows: 2)
      // Other tests have copies of other stores there at the same time; a log has random bytes in its header.
      let log = try Data(contentsOf: URL(filePath: folder + "/store-wal"))
      let copies = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
        .filter { $0.hasPrefix("schemagen-store-") }
        .filter { name in
          filesBelow(temporary.path + "/" + name).contains { file in
            let path = temporary.appending(path: "\(name)/\(file)")
            return (try? Data(contentsOf: path)) == log
          }
        }
      #expect(copies.isEmpty)
    }
  }

  @Test func aFolderThatCannotBeWrittenTo() throws {
    try withTemporaryFolder { folder in
      _ = try Stores.write(folder + "/store")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o555], ofItemAtPath: folder)
      defer {
        try? FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: folder)
      }
      try expectUntouched(folder, .alone, rows: 2)
    }
  }

  @Test("A store with a rollback journal is locked; one with an interrupted journal is not read")
  func journal() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/store"
      do {
        let store = try Stores.write(path)
        _ = try store.database.value("PRAGMA journal_mode = DELETE")
      }
      try expectUntouched(folder, .alone, rows: 2)
      try Data("not empty".utf8).write(to: URL(filePath: path + "-journal"))
      let before = try Stores.contents(folder)
      #expect(Stores.reason(path)?.contains("a transaction was interrupted") == true)
      #expect(try Stores.contents(folder) == before)
    }
  }
}
