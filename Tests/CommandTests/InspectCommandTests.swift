import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import StoreTools
import TestSupport
import Testing

/// `schemagen inspect one.store` and its sisters: the real binary on stores, live ones among them.
@Suite struct InspectCommandTests {
  private func inspect(_ arguments: String..., in folder: String) throws -> Finished {
    try run(
      Checkout.schemagen, ["inspect"] + arguments, in: folder, environment: ["NO_COLOR": "1"])
  }

  private static let manifests = [
    "V1": """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: { type: String, unique: true }
    """,
    "V2": """
    version: 2.0.0
    models:
      Trip:
        properties:
          name: { type: String, unique: true }
          days: Int?
    """,
  ]

  private static func model(_ version: Int) -> ManagedModel {
    var trip = ManagedEntity(
      name: "Trip", attributes: [ManagedAttribute(name: "name", type: .string)],
      uniqueness: [["name"]])
    if version > 1 {
      trip.attributes.append(ManagedAttribute(name: "days", type: .integer64, isOptional: true))
    }
    return ManagedModel(entities: [trip], versionIdentifier: "\(version).0.0")
  }

  private func writeManifests(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/Schemas", withIntermediateDirectories: true)
    for (name, text) in Self.manifests {
      try Data((text + "\n").utf8).write(to: URL(filePath: "\(folder)/Schemas/\(name).yaml"))
    }
  }

  /// A new store with rows. It is open, with its log, as long as the result is kept.
  private func write(_ path: String, version: Int = 1, rows: Int = 3) throws -> StoreFile {
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(Self.model(version))
    try insert(rows, into: store)
    return store
  }

  private func insert(_ rows: Int, into store: StoreFile) throws {
    var changes = StoreChanges()
    let slots = store.layout(of: "Trip").slots
    for key in try store.allocateKeys(of: "Trip", count: rows) {
      let values = slots.map { $0.path == "name" ? StoredValue.text("Trip \(key)") : .null }
      changes.inserted.append(StoreRow(id: ObjectID(entity: "Trip", key: key), values: values))
    }
    try store.apply(changes)
  }

  @Test("'inspect' exits with 0 if a version matches and 1 if none does, in each format")
  func versions() throws {
    try withTemporaryFolder { folder in
      _ = try write(folder + "/one.store")
      let alone = try inspect("one.store", in: folder)
      #expect(alone.status == 0 && alone.output.contains("no manifests to compare the store with"))
      #expect(alone.output.contains("Trip: 3 rows\n  hash "))
      #expect(alone.output.contains("\n    name  String  unique\n"))
      try writeManifests(folder)
      let one = try inspect("one.store", in: folder)
      #expect(
        one.status == 0 && one.output.contains("\nthe store is version V1 of Schemas\n  proven: "),
        "\(one.output)"
      )
      var other = Self.model(2)
      other.entities[0].attributes[1].isOptional = false
      do { try StoreFile(at: .file(URL(filePath: folder + "/other.store"))).create(other) }
      for format in ["text", "json"] {
        let none = try inspect("other.store", "--format", format, in: folder)
        #expect(none.status == 1 && none.errors.isEmpty, "\(none.errors)")
        #expect(none.output.contains("Int in the store, Int? in the version"))
        #expect(try inspect("one.store", "--format", format, in: folder).status == 0)
      }
      let json = try inspect("other.store", "--format", "json", in: folder)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let match = try #require(document["match"] as? [String: Any])
      let nearest = (match["nearest"] as? [String: Any])?["candidate"] as? [String: Any]
      #expect(nearest?["name"] as? String == "V2")
      #expect((match["matches"] as? [Any])?.isEmpty == true)
    }
  }

  @Test("'inspect' exits with 2 for a file that is no store and for broken manifests")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      try Data("# A text\n".utf8).write(to: URL(filePath: folder + "/notes.store"))
      for (name, reason) in [
        ("nothing", "there is no such file"), (".", "that is a folder, not a store"),
        ("notes.store", "the file is text, not a SQLite database"),
      ] {
        let result = try inspect(name, in: folder)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains(reason), "\(result.errors)")
      }
      _ = try write(folder + "/one.store")
      #expect(try inspect("one.store", "--schemas", "Nowhere", in: folder).status == 2)
      try writeManifests(folder)
      try Data("version: one\n".utf8).write(to: URL(filePath: folder + "/Schemas/V1.yaml"))
      let broken = try inspect("one.store", in: folder)
      #expect(broken.status == 2 && broken.errors.contains("the manifests have errors"))
    }
  }

  @Test("'inspect' prints one line per store, in order, even for unreadable stores")
  func lines() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      let fleet = URL(filePath: folder + "/fleet")
      try FileManager.default.createDirectory(
        at: fleet.appending(path: "b"), withIntermediateDirectories: true)
      do {
        _ = try write(folder + "/fleet/b/one.store", rows: 5)
        _ = try write(folder + "/fleet/two.sqlite", version: 2, rows: 2)
        var other = Self.model(2)
        other.entities[0].attributes[1].isOptional = false
        try StoreFile(at: .file(fleet.appending(path: "other.store"))).create(other)
      }
      let whole = try Data(contentsOf: fleet.appending(path: "b/one.store"))
      try whole.prefix(5_000).write(to: fleet.appending(path: "cut.store"))
      try Data().write(to: fleet.appending(path: "empty.store"))
      try Data("for support".utf8).write(to: fleet.appending(path: "notes.txt"))
      let before = try FileManager.default.subpathsOfDirectory(atPath: fleet.path).sorted()
      let result = try inspect("fleet", "--format", "jsonl", in: folder)
      #expect(result.status == 2)
      #expect(
        result.errors
          == "4 stores: 2 recognised, 1 unrecognised, 1 damaged or unreadable; 2 other files\n")
      let lines = try result.output.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      let keys: Set<String> = [
        "store", "status", "trouble", "folder", "version", "versions", "likely", "differences",
        "claimed", "writer", "framework", "checksum", "bytes", "logBytes", "freeBytes", "rows",
        "models",
      ]
      #expect(lines.allSatisfy { Set($0.keys) == keys })
      #expect(
        lines.map { "\($0["store"] ?? "") \($0["status"] ?? "")" } == [
          "fleet/b/one.store recognized", "fleet/cut.store unreadable",
          "fleet/empty.store no-store", "fleet/notes.txt no-store",
          "fleet/other.store unrecognized", "fleet/two.sqlite recognized",
        ])
      #expect(lines.map { $0["version"] as? String } == ["V1", nil, nil, nil, nil, "V2"])
      #expect(lines.map { $0["likely"] as? String } == [nil, nil, nil, nil, "V2", nil])
      #expect(lines[4]["differences"] as? Int == 1)
      #expect(lines[4]["versions"] as? [String] == [])
      #expect(lines.map { $0["rows"] as? Int } == [5, nil, nil, nil, 0, 2])
      #expect(lines.map { $0["trouble"] is String } == [false, true, true, true, false, false])
      let models = try #require(lines[0]["models"] as? [[String: Any]])
      #expect(models.map { $0["model"] as? String } == ["Trip"])
      #expect(models.map { $0["rows"] as? Int } == [5])
      // The output has no values of rows and nothing that identifies a device.
      let identifier = try StoreFacts(
        ofStoreAt: fleet.appending(path: "b/one.store")
      ).identifier
      #expect(!result.output.contains("Trip 1") && !result.output.contains(identifier))
      #expect(try FileManager.default.subpathsOfDirectory(atPath: fleet.path).sorted() == before)
      // Of several named files, one that is not a store is reported too.
      let named = try inspect(
        "fleet/two.sqlite", "fleet/notes.txt", "nothing", "--format", "jsonl", "--quiet",
        in: folder)
      #expect(named.status == 2 && named.errors.isEmpty)
      #expect(named.output.split(separator: "\n").count == 3)
      #expect(try inspect("fleet/b", "--format", "jsonl", in: folder).status == 0)
      #expect(try inspect("fleet/other.store", "--format", "jsonl", in: folder).status == 1)
      try FileManager.default.removeItem(atPath: fleet.path + "/b/one.store")
      let none = try inspect("fleet/b", "--format", "jsonl", in: folder)
      #expect(none.status == 2 && none.output.isEmpty && none.errors == "0 stores\n")
      let many = try inspect("fleet/other.store", "fleet/two.sqlite", in: folder)
      #expect(many.status != 0 && many.errors.contains("write '--format jsonl'"))
    }
  }

  @Test("'inspect' counts rows in the log of an open store and changes no file")
  func live() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      let store = try write(folder + "/live.store", rows: 5)
      for round in 1...3 {
        let files = ["", "-wal"].map { URL(filePath: folder + "/live.store" + $0) }
        // Names and digests of the files that hold rows. Reading them in this process would drop its own locks.
        let before = try run("sha256sum", files.map(\.path)).output
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let result = try inspect("live.store", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Trip: \(round * 5) rows"), "\(result.output)")
        #expect(result.output.contains("in place; other processes may have the store open"))
        #expect(try run("sha256sum", files.map(\.path)).output == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
        try insert(5, into: store)
      }
      #expect(try store.count(of: "Trip") == 20)
    }
  }

  @Test("'inspect' reports an interrupted migration if the store is at a bridge version")
  func bridge() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try Data(
        """
        version: 2.0.0
        models:
          Trip:
            properties:
              name: { type: String, unique: true }
              days: { type: Int, from: name, convert: $0.count }

        """.utf8
      ).write(to: URL(filePath: folder + "/Schemas/V2.yaml"))
      var model = Self.model(2)
      model.versionIdentifier = "1.0.1"
      do { try StoreFile(at: .file(URL(filePath: folder + "/left.store"))).create(model) }
      let result = try inspect("left.store", in: folder)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("a migration was interrupted"), "\(result.output)")
    }
  }
}
