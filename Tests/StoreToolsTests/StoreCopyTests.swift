import Foundation
import SchemaWorkspace
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat
@testable import StoreTools

/// A copy of a store, written row by row.
@Suite struct StoreCopyTests {
  private static let trips = ManagedModel(
    entities: [
      ManagedEntity(
        name: "Trip",
        attributes: [
          ManagedAttribute(name: "name", type: .string),
          ManagedAttribute(name: "note", type: .string, isOptional: true),
          ManagedAttribute(name: "photo", type: .binary, isOptional: true, isExternal: true),
        ],
        relationships: [
          ManagedRelationship(name: "stops", destination: "Stop", inverse: "trip", isToMany: true),
          ManagedRelationship(name: "tags", destination: "Tag", inverse: "trips", isToMany: true),
        ],
        uniqueness: [["name"]]),
      ManagedEntity(
        name: "Stop", attributes: [ManagedAttribute(name: "days", type: .integer64)],
        relationships: [
          ManagedRelationship(name: "trip", destination: "Trip", inverse: "stops", isToMany: false),
          ManagedRelationship(
            name: "next", destination: "Stop", inverse: "previous", isToMany: false),
          ManagedRelationship(
            name: "previous", destination: "Stop", inverse: "next", isToMany: false),
        ]),
      ManagedEntity(
        name: "Tag", attributes: [ManagedAttribute(name: "title", type: .string)],
        relationships: [
          ManagedRelationship(name: "trips", destination: "Trip", inverse: "tags", isToMany: true)
        ]),
    ], versionIdentifier: "1.0.0")

  @Test(
    "A source or a log that is not a file is refused at once", .timeLimit(.minutes(30)))
  func noFiles() throws {
    try withTemporaryFolder { folder in
      func reason(_ name: String) -> String {
        do {
          _ = try StoreCopy(
            of: URL(filePath: "\(folder)/\(name)"), to: URL(filePath: "\(folder)/copy")
          ).write()
          return "none"
        } catch {
          return "\(error)"
        }
      }
      mkfifo("\(folder)/fifo", 0o600)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/zero", withDestinationPath: "/dev/zero")
      _ = try write("\(folder)/log.store")
      try? FileManager.default.removeItem(atPath: "\(folder)/log.store-wal")
      mkfifo("\(folder)/log.store-wal", 0o600)
      for name in ["fifo", "zero", "log.store"] {
        #expect(reason(name).contains("is not a regular file"), "\(name)")
      }
    }
  }

  @Test("A store without a table of its model is damaged")
  func missingTable() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      let store = try write(path)
      #expect(try StoreFacts(ofStoreAt: URL(filePath: path)).damage.isEmpty)
      try store.database.run("DROP TABLE ZTAG")
      let damage = try StoreFacts(ofStoreAt: URL(filePath: path)).damage
      #expect(damage.contains { $0.contains("no such table: ZTAG") }, "\(damage)")
    }
  }

  /// A hundred trips, each with two stops and a tag, as Core Data would have written them, with free pages and a log
  /// that was not checkpointed.
  private func write(_ path: String) throws -> StoreFile {
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(Self.trips)
    var changes = StoreChanges()
    for key in Int64(1)...100 {
      changes.inserted.append(
        StoreRow(
          id: ObjectID(entity: "Trip", key: key),
          values: store.layout(of: "Trip").slots.map { slot in
            switch slot.path {
            case "name": .text("Trip \(key)")
            case "note": key == 42 ? .null : key == 43 ? .text("") : .text("note \(key % 50)")
            default: .null
            }
          }))
      changes.inserted.append(
        StoreRow(id: ObjectID(entity: "Tag", key: key), values: [.text("tag \(key)")]))
      for place in 0..<2 {
        let stop = key * 2 - 1 + Int64(place)
        changes.inserted.append(
          StoreRow(
            id: ObjectID(entity: "Stop", key: stop),
            values: store.layout(of: "Stop").slots.map { slot in
              switch slot.path {
              case "days": .integer(stop)
              case "trip": .integer(key)
              case "next": place == 0 ? .integer(stop + 1) : .null
              default: .null
              }
            }))
      }
      changes.links.append(
        StoreChanges.Link(
          source: ObjectID(entity: "Trip", key: key), relationship: "tags",
          destinations: [
            ObjectID(entity: "Tag", key: key), ObjectID(entity: "Tag", key: key % 100 + 1),
          ]))
    }
    try store.apply(changes)
    try Stores.disguise(store, Self.trips)
    return store
  }

  private func line(_ path: String) throws -> String {
    StoreLine(InspectionReport(path: "store", facts: try Stores.facts(path), candidates: nil)).json
  }

  /// The line without sizes, which may differ in a copy.
  private func shape(_ path: String) throws -> String {
    try line(path).replacing(/"(bytes|logBytes|freeBytes)":(null|\d+)/, with: "")
  }

  private func schema(_ path: String) throws -> [String] {
    try SQLite(path: path, access: .readOnly).texts(
      "SELECT type || name || sql FROM sqlite_master ORDER BY 1")
  }

  /// The names of folders in which copies are written.
  private func unfinished(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.contains(".partial") }.sorted()
  }

  @Test("Remains of a killed copy are removed by the next copy to the same place")
  func killed() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/a.store")
      var left: [String] = []
      // How far it comes before the signal depends on the machine.
      for _ in 0..<100 where left.isEmpty {
        try? FileManager.default.removeItem(atPath: folder + "/b.store")
        let process = Process()
        process.executableURL = URL(filePath: Checkout.schemagen)
        process.arguments = ["anonymise", folder + "/a.store", "-o", folder + "/b.store"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, try unfinished(folder).isEmpty { usleep(100) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        left = try unfinished(folder)
      }
      try #require(left.count == 1)
      let others = [
        ".a.b.store.0123ABCD.partial", ".b.store.0123ABC.partial", ".b.store.0123ABCD.partial.x",
        ".b.store.notes.partial", ".c.store.0123ABCD.partial",
      ]
      for name in others {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + name, withIntermediateDirectories: false)
      }
      try? FileManager.default.removeItem(atPath: folder + "/b.store")
      _ = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store")
      ).write()
      #expect(try unfinished(folder) == others)
    }
  }

  @Test("Files of a concurrent copy are kept")
  func concurrent() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/a.store")
      let copy = StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store"))
      var seen: [[String]] = []
      #expect(throws: FileSystemError.self) {
        _ = try copy.write { _, _, _ in
          guard seen.isEmpty, let before = try? unfinished(folder), !before.isEmpty else { return }
          seen.append(before)
          _ = try? copy.write()
          seen.append((try? unfinished(folder)) ?? [])
        }
      }
      try #require(seen.count == 2)
      #expect(seen[0].count == 1 && seen[1] == seen[0])
      #expect(try unfinished(folder).isEmpty)
      #expect(FileManager.default.fileExists(atPath: folder + "/b.store"))
    }
  }

  /// The files that a killed process leaves: with a log that was not checkpointed.
  private func leave(_ store: StoreFile, in folder: String) throws {
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder + "/live.store" + suffix, toPath: folder + "/a.store" + suffix)
    }
    withExtendedLifetime(store) {}
  }

  @Test("A copy has the same rows, tables and indexes, and the source is unchanged")
  func whole() throws {
    try withTemporaryFolder { folder in
      let store = try write(folder + "/live.store")
      try store.database.execute("DELETE FROM ZTAG WHERE Z_PK = 7")
      try leave(store, in: folder)
      let before = try Stores.contents(folder)
      #expect(before["a.store-wal"]?.isEmpty == false)
      let summary = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store")
      ).write()
      #expect(summary.models.map(\.rows) == [200, 99, 100])
      let after = try Stores.contents(folder)
      #expect(after.filter { $0.key != "b.store" } == before)
      #expect(Set(after.keys).subtracting(before.keys) == ["b.store"])
      #expect(try shape(folder + "/b.store") == shape(folder + "/a.store"))
      #expect(try Stores.facts(folder + "/b.store").size.freePageCount == 0)
      #expect(try schema(folder + "/b.store") == schema(folder + "/live.store"))
    }
  }

  @Test("The same store gives a byte-identical copy")
  func deterministic() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/a.store")
      let copies = try ["b", "c"].map { name in
        let copy = URL(filePath: folder + "/\(name).store")
        _ = try StoreCopy(of: URL(filePath: folder + "/a.store"), to: copy).write()
        return try Data(contentsOf: copy)
      }
      #expect(copies[0] == copies[1])
    }
  }

  @Test("A copy never overwrites an existing file")
  func existing() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/a.store")
      for taken in ["b.store", "b.store-wal", ".b_SUPPORT"] {
        try Data("mine".utf8).write(to: URL(filePath: folder + "/" + taken))
        let before = try Stores.contents(folder)
        #expect(throws: FileSystemError.self) {
          try StoreCopy(
            of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store")
          ).write()
        }
        #expect(try Stores.contents(folder) == before)
        try FileManager.default.removeItem(atPath: folder + "/" + taken)
      }
    }
  }

  @Test("A full disk leaves no files of a copy", arguments: [2, 9, 13])
  func fullDisk(_ pages: Int) throws {
    try withTemporaryFolder { folder in
      try leave(write(folder + "/live.store"), in: folder)
      let before = try Stores.contents(folder)
      var copy = StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store"))
      copy.pageLimit = pages
      let error = try #require(throws: FileSystemError.self) { try copy.write() }
      #expect(error.path.hasSuffix("/b.store") && error.reason.contains("full"))
      #expect(try Stores.contents(folder) == before)
    }
  }

  @Test("A store that cannot be read completely is refused, and nothing is written")
  func damaged() throws {
    try withTemporaryFolder { folder in
      let store = try write(folder + "/live.store")
      _ = try store.database.value("PRAGMA wal_checkpoint(TRUNCATE)")
      let whole = try Data(contentsOf: URL(filePath: folder + "/live.store"))
      var torn = whole
      // A leaf page of a table.
      torn.replaceSubrange(
        whole.count / 2..<whole.count / 2 + 4_096, with: Data(repeating: 0xEE, count: 4_096))
      for (bytes, words) in [
        (torn, "damaged"), (whole.prefix(9_000), "cut off"), (Data("notes".utf8), "text"),
        (Data(), "empty"),
      ] {
        try bytes.write(to: URL(filePath: folder + "/a.store"))
        let before = try Stores.contents(folder)
        let error = try #require(throws: StoreError.self) {
          try StoreCopy(
            of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store")
          ).write()
        }
        #expect(error.reason.contains(words), "\(error.reason)")
        #expect(
          try Stores.contents(folder).filter { $0.key != "live.store-shm" }
            == before.filter { $0.key != "live.store-shm" })
      }
      withExtendedLifetime(store) {}
    }
  }

  @Test("Numbers in an anonymised copy keep their order")
  func order() throws {
    try withTemporaryFolder { folder in
      try leave(write(folder + "/live.store"), in: folder)
      let summary = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/safe.store")
      ).write()
      #expect(summary.searchedValues > 100)
      let database = try SQLite(path: folder + "/safe.store", access: .readOnly)
      let days = try database.rows("SELECT ZDAYS FROM ZSTOP ORDER BY Z_PK") { $0.integer(at: 0) }
      #expect(days == days.sorted() && Set(days).count == 200)
    }
  }

  @Test("External files are copied, and missing or linked ones are reported")
  func externalFiles() throws {
    try withTemporaryFolder { folder in
      let store = try write(folder + "/live.store")
      let files = folder + "/.a_SUPPORT/_EXTERNAL_DATA"
      try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
      let names = (1...3).map { "0000000\($0)-0000-4000-8000-000000000000" }
      try Data("a photo of Berlin".utf8).write(to: URL(filePath: files + "/" + names[0]))
      try Data("a file of another's".utf8).write(to: URL(filePath: folder + "/elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: files + "/" + names[1], withDestinationPath: folder + "/elsewhere")
      for (place, name) in names.enumerated() {
        try store.database.run(
          "UPDATE ZTRIP SET ZPHOTO = ? WHERE Z_PK = ?",
          [.blob(Data([2] + Array(name.utf8) + [0])), .integer(Int64(place + 1))])
      }
      try leave(store, in: folder)
      let summary = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/safe.store")
      ).write()
      #expect(summary.externalFiles == 1)
      #expect(
        summary.notes == ["2 values in files next to the store are missing, also in the copy"])
      let copied = folder + "/.safe_SUPPORT/_EXTERNAL_DATA"
      let found = try FileManager.default.contentsOfDirectory(atPath: copied)
      let bytes = try #require(FileManager.default.contents(atPath: copied + "/" + found[0]))
      #expect(found.count == 1 && found[0] != names[0])
      #expect(bytes.count == 17 && bytes != Data("a photo of Berlin".utf8))
      let database = try SQLite(path: folder + "/safe.store", access: .readOnly)
      let name = try database.value("SELECT ZPHOTO FROM ZTRIP WHERE Z_PK = 1")
      #expect(name == .blob(Data([2] + Array(found[0].utf8) + [0])))
    }
  }

  @Test(
    "Tables outside the model are reported and emptied or left out"
  )
  func otherTables() throws {
    try withTemporaryFolder { folder in
      let store = try write(folder + "/live.store")
      try store.database.execute(
        """
        CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, ZSTRINGVALUE VARCHAR);
        INSERT INTO ANSCKMETADATAENTRY VALUES (1, 'owner of the zone');
        CREATE TABLE notebook (title TEXT);
        INSERT INTO notebook VALUES ('what the model does not have');
        CREATE VIRTUAL TABLE Z_Trip_byPlace USING rtree (id, low, high);
        INSERT INTO Z_Trip_byPlace VALUES (1, 52.5, 52.5);
        CREATE TRIGGER place AFTER INSERT ON ZTRIP BEGIN DELETE FROM Z_Trip_byPlace WHERE id = NEW.Z_PK; END;
        """)
      try leave(store, in: folder)
      let tree =
        "'Z_Trip_byPlace', an index that SQLite keeps in separate tables, is left out"
      let summary = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/safe.store")
      ).write()
      #expect(summary.notes.count == 3 && summary.notes.contains(tree))
      #expect(
        summary.notes.contains(
          "'ANSCKMETADATAENTRY' is empty in the copy: nothing of it may reach CloudKit"))
      let database = try SQLite(path: folder + "/safe.store", access: .readOnly)
      #expect(try database.number("SELECT COUNT(*) FROM notebook") == 0)
      #expect(
        try database.texts(
          "SELECT name FROM sqlite_master WHERE name LIKE '%byPlace%' OR type = 'trigger'"
        ).isEmpty)
    }
  }
}
