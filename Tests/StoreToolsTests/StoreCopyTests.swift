import Foundation
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// A store written anew, row by row: whole, or some of its rows.
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

  /// A hundred trips, each with two stops and a tag, as Core Data would have written them; free pages and a log that
  /// nobody has brought in.
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

  /// The line without the sizes, which a copy may have others of.
  private func shape(_ path: String) throws -> String {
    try line(path).replacing(/"(bytes|logBytes|freeBytes)":(null|\d+)/, with: "")
  }

  private func dump(_ path: String) throws -> [String] {
    let database = try SQLite(path: path, access: .readOnly)
    var lines = try database.texts("SELECT type || name || sql FROM sqlite_master ORDER BY 1")
    for table in try database.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1")
    {
      let columns = try database.texts("SELECT name FROM pragma_table_info('\(table)')")
      let row = columns.map { "quote(\(SQLite.quoted($0)))" }.joined(separator: " || '|' || ")
      lines += try database.texts(
        "SELECT '\(table) ' || \(row) FROM \(SQLite.quoted(table)) ORDER BY 1")
    }
    return lines
  }

  /// The same files as a process leaves them that is killed: with a log that nobody has brought in.
  private func leave(_ store: StoreFile, in folder: String) throws {
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder + "/live.store" + suffix, toPath: folder + "/a.store" + suffix)
    }
    withExtendedLifetime(store) {}
  }

  @Test("A copy has every row, table and index, and nothing of the source changes")
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
      #expect(summary.models.map(\.total) == [200, 99, 100])
      let after = try Stores.contents(folder)
      #expect(after.filter { $0.key != "b.store" } == before)
      #expect(Set(after.keys).subtracting(before.keys) == ["b.store"])
      #expect(try shape(folder + "/b.store") == shape(folder + "/a.store"))
      #expect(try Stores.facts(folder + "/b.store").size.freePageCount == 0)
      #expect(try dump(folder + "/b.store") == dump(folder + "/live.store"))
    }
  }

  @Test("A sample has rows with traps, all that they lead to, and pairs whose ends both stay")
  func sample() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/a.store")
      let summary = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/b.store"), rows: 10
      ).write()
      let copy = try SQLite(path: folder + "/b.store", access: .readOnly)
      #expect(try copy.number("SELECT COUNT(*) FROM ZTRIP WHERE ZNOTE IS NULL") == 1)
      #expect(try copy.number("SELECT COUNT(*) FROM ZTRIP WHERE ZNOTE = ''") == 1)
      #expect(
        try copy.number(
          "SELECT COUNT(*) FROM (SELECT 1 FROM ZTRIP GROUP BY ZNOTE HAVING COUNT(*) > 1)") >= 1)
      #expect(try copy.number("SELECT COUNT(*) FROM ZTAG") == 10)
      let trips = try copy.number("SELECT COUNT(*) FROM ZTRIP")
      #expect((10...30).contains(trips))
      #expect(summary.models.map(\.name) == ["Stop", "Tag", "Trip"])
      #expect(summary.models.map(\.total) == [200, 100, 100])
      #expect(summary.models[2].rows == trips)
      // No link is cut.
      #expect(
        try copy.number("SELECT COUNT(*) FROM ZSTOP WHERE ZTRIP NOT IN (SELECT Z_PK FROM ZTRIP)")
          == 0)
      #expect(
        try copy.number("SELECT COUNT(*) FROM ZSTOP WHERE ZNEXT NOT IN (SELECT Z_PK FROM ZSTOP)")
          == 0)
      let join = try copy.texts(
        "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%TAGS' ESCAPE '\\' OR name LIKE 'Z\\_%TRIPS' ESCAPE '\\'"
      )[0]
      let columns = try copy.texts("SELECT name FROM pragma_table_info('\(join)') ORDER BY name")
      #expect(columns == ["Z_2TAGS", "Z_3TRIPS"])
      #expect(
        try copy.number(
          "SELECT COUNT(*) FROM \(join) WHERE Z_2TAGS NOT IN (SELECT Z_PK FROM ZTAG) OR Z_3TRIPS NOT IN (SELECT Z_PK FROM ZTRIP)"
        ) == 0)
      #expect(try copy.number("SELECT COUNT(*) FROM \(join)") > 0)
      #expect(
        try Stores.facts(folder + "/b.store").checksum == Stores.facts(folder + "/a.store").checksum
      )
      // The same rows each time, to the byte.
      _ = try StoreCopy(
        of: URL(filePath: folder + "/a.store"), to: URL(filePath: folder + "/c.store"), rows: 10
      ).write()
      #expect(
        try Data(contentsOf: URL(filePath: folder + "/b.store"))
          == Data(contentsOf: URL(filePath: folder + "/c.store")))
    }
  }

  @Test("What is there already is never written over")
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
}
