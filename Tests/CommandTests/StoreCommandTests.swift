import Foundation
import ManagedModels
import SchemaWorkspace
import StoreFormat
import TestSupport
import Testing

@testable import StoreEngine

/// Stores with the real binary: `adopt --store`, `release --store`, `diff --store`.
@Suite struct StoreCommandTests {
  private func schemagen(_ arguments: String..., in folder: String) throws -> Finished {
    try run(Checkout.schemagen, arguments, in: folder, environment: ["NO_COLOR": "1"])
  }

  /// A store written by a rehearsal, with one trip.
  private func write(_ path: String) throws {
    let state = ManagedAttribute(
      name: "state", type: .composite,
      elements: [ManagedAttribute(name: "state", type: .string, isOptional: true)])
    let trip = ManagedEntity(
      name: "Trip", attributes: [ManagedAttribute(name: "name", type: .string), state],
      uniqueness: [["name"]])
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(ManagedModel(entities: [trip], versionIdentifier: "3.0.0"))
    var changes = StoreChanges()
    let key = try store.allocateKeys(of: "Trip", count: 1).first ?? 1
    changes.inserted.append(
      StoreRow(id: ObjectID(entity: "Trip", key: key), values: [.text("Rome"), .text("open")]))
    try store.apply(changes)
  }

  @Test("'adopt --store' writes a manifest that matches the store, and overwrites no manifest")
  func adoption() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      let shown = try schemagen("adopt", "--store", "one.store", "--dry-run", in: folder)
      #expect(shown.status == 0 && shown.output.contains("==> Schemas/V3.yaml <=="))
      #expect(!FileManager.default.fileExists(atPath: folder + "/Schemas"))
      let adopted = try schemagen("adopt", "--store=one.store", in: folder)
      #expect(adopted.status == 0, "\(adopted.output)\(adopted.errors)")
      #expect(adopted.output.hasPrefix("wrote Schemas/V3.yaml\nwrote Schemas/schemagen.yaml\n"))
      #expect(adopted.output.contains("V3: 1 model\n"))
      #expect(adopted.output.contains("  'Trip.state' is an enum of String"))
      #expect(adopted.output.contains("  schemagen release V3 --store 'one.store'\n"))
      #expect(adopted.errors.contains("note: the store was written by schemagen's portable"))
      let inspected = try schemagen("inspect", "one.store", in: folder)
      #expect(
        inspected.status == 0 && inspected.output.contains("\nthe store is version V3 of Schemas\n")
      )
      #expect(try schemagen("generate", in: folder).status == 0)
      let again = try schemagen("adopt", "--store", "one.store", in: folder)
      #expect(again.status == 2 && again.errors.contains("'Schemas/V3.yaml': it exists already"))
      #expect(
        again.errors.contains(
          "--schemas AdoptedStore; mv AdoptedStore/V3.yaml Schemas/V3.yaml\n"), "\(again.errors)")
      #expect(again.errors.contains("--schemas Schemas/Second\n"))
      #expect(again.errors.hasSuffix("schemagen: nothing was written\n"))
    }
  }

  @Test("'adopt --store' exits with 1 if the store's hashes do not match its model")
  func otherHashes() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      let database = try StoreFile(at: .file(URL(filePath: folder + "/one.store"))).database
      guard case .blob(let list)? = try database.value("SELECT Z_PLIST FROM Z_METADATA"),
        var metadata = try PropertyListSerialization.propertyList(from: list, format: nil)
          as? [String: Any]
      else {
        Issue.record("no metadata")
        return
      }
      metadata["NSStoreModelVersionHashes"] = ["Trip": Data(repeating: 7, count: 32)]
      let changed = try PropertyListSerialization.data(
        fromPropertyList: metadata, format: .binary, options: 0)
      try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(changed)])
      let adopted = try schemagen("adopt", "--store", "one.store", in: folder)
      #expect(adopted.status == 1, "\(adopted.output)\(adopted.errors)")
      #expect(
        adopted.errors.contains(
          "of Trip in the store's metadata are not those of the store's model"),
        "\(adopted.errors)")
    }
  }

  @Test("'adopt --store' works without the program that reads Swift")
  func adoptionAlone() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      let alone = folder + "/schemagen"
      #expect(try run("cp", [Checkout.schemagen, alone]).status == 0)
      let adopted = try run(
        alone, ["adopt", "--store", "one.store", "--schemas", "App/Models"], in: folder,
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(adopted.status == 0, "\(adopted.errors)")
      #expect(filesBelow(folder + "/App") == ["Models/V3.yaml", "Models/schemagen.yaml"])
      #expect(adopted.output.contains("  schemagen generate --schemas App/Models\n"))
    }
  }

  @Test("'--store' exits with 2 for a file that is no store and for wrong usage")
  func wrongUsage() throws {
    try withTemporaryFolder { folder in
      for arguments in [["--store", "nothing"], ["--store"], ["--store", "a", "Sources"]] {
        let finished = try run(Checkout.schemagen, ["adopt"] + arguments, in: folder)
        #expect(finished.status == 2 && !finished.errors.isEmpty, "\(arguments)")
      }
      #expect(try schemagen("adopt", "--store", "x", "--help", in: folder).status == 0)
      let both = try schemagen("release", "--store", "x", "--from-tag", "v1", in: folder)
      #expect(both.status == 2 && both.errors.contains("exclude each other"))
    }
  }

  @Test("'release --store' refuses a store written by a rehearsal")
  func rehearsals() throws {
    try withTemporaryFolder { folder in
      try write(folder + "/one.store")
      #expect(try schemagen("adopt", "--store", "one.store", in: folder).status == 0)
      #expect(try schemagen("generate", in: folder).status == 0)
      let lock = URL(filePath: folder + "/Schemas/schema.lock")
      let before = try Data(contentsOf: lock)
      let refused = try schemagen("release", "V3", "--store", "one.store", in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(
        refused.errors.hasPrefix(
          "schemagen: 'one.store' proves nothing: it was written by a rehearsal, not by Apple's"))
      #expect(try Data(contentsOf: lock) == before)
    }
  }

  #if os(Linux)
    @Test("Before compiling, 'rehearse' reports what our portable SwiftData lacks")
    func codable() throws {
      try withTemporaryFolder { folder in
        let first = "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      name: String\n"
        let second =
          first.replacing("1.0.0", with: "2.0.0") + "      place: { type: Place?, codable: true }\n"
          + "types:\n  Place: { struct: { name: String } }\n"
        for (number, text) in [(1, first), (2, second)] {
          try Disk().write(Array(text.utf8), to: "\(folder)/Schemas/V\(number).yaml")
        }
        try Disk().write(
          Array("platforms: { iOS: 27 }\n".utf8), to: folder + "/Schemas/schemagen.yaml")
        let told = try schemagen("rehearse", in: folder)
        #expect(told.status == 2, "\(told.output)\(told.errors)")
        #expect(
          told.errors.contains(
            "schemagen: Schemas: 'Trip.place' of V2 is stored with '.codable' (iOS 27), which the rehearsal's SwiftData does not support\n  help: "
          ), "\(told.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/.build"))
      }
    }
  #endif

  @Test(
    "A store written by Apple's SwiftData is adopted, generated, released and proven",
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: [("freezeray-1", "freezeray-2", "V1"), ("openaso-v4", "openaso-v1", "V4")])
  func apples(_ name: String, _ other: String, _ version: String) throws {
    try withTemporaryFolder { folder in
      for name in [name, other] {
        let bytes = try Data(contentsOf: AppleStores.original(name))
        try bytes.write(to: URL(filePath: "\(folder)/\(name).store"))
      }
      let store = name + ".store"
      #expect(try schemagen("adopt", "--store", store, in: folder).status == 0)
      #expect(try schemagen("inspect", store, in: folder).status == 0)
      #expect(try schemagen("generate", in: folder).status == 0)
      let wrong = try schemagen("release", version, "--store", other + ".store", in: folder)
      #expect(wrong.status == 2 && wrong.errors.contains("it does not match \(version)"))
      // Each difference in a line of its own.
      #expect(wrong.errors.contains("\n  ") && wrong.errors.contains(" only\n"))
      let released = try schemagen("release", version, "--store", store, in: folder)
      #expect(released.status == 0, "\(released.errors)")
      #expect(
        released.output
          == "Schemas: released \(version)\nSchemas: the store proves the hashes of \(version)\n")
      let again = try schemagen("release", "--store", store, in: folder)
      #expect(
        again.status == 0 && again.output.hasSuffix("a store has proven these hashes before\n"))
      let proven = try schemagen("inspect", store, in: folder)
      #expect(proven.output.contains("  proven: its hashes are those of \(version)\n"))
      #expect(try schemagen("generate", "--check", in: folder).status == 0)
      #expect(try schemagen("lint", "--quiet", in: folder).status == 0)
    }
  }

  // MARK: diff --store

  private static let manifests = [
    "V1": """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          days: Int?
          rank: Int
          state: State
    types:
      State: { enum: String, cases: [open, done] }
    """,
    "V2": """
    version: 2.0.0
    models:
      Trip:
        properties:
          name: { type: String, unique: true, dedupe: { latest: rank } }
          rank: Int
          state: State
    types:
      State: { enum: String, cases: [open, done] }
    drops: { Trip.days: nobody counted them }
    """,
  ]

  /// A folder with manifests and a store of V1, which is open as long as the result is kept.
  private func prepare(_ folder: String, second: String? = nil) throws -> StoreFile {
    let schemas = folder + "/Schemas"
    try FileManager.default.createDirectory(atPath: schemas, withIntermediateDirectories: true)
    for (name, text) in Self.manifests {
      let text = (name == "V2" ? second : nil) ?? text
      try Data((text + "\n").utf8).write(to: URL(filePath: "\(schemas)/\(name).yaml"))
    }
    let state = ManagedAttribute(
      name: "state", type: .composite,
      elements: [ManagedAttribute(name: "state", type: .string, isOptional: true)])
    let trip = ManagedEntity(
      name: "Trip",
      attributes: [
        ManagedAttribute(name: "name", type: .string),
        ManagedAttribute(name: "days", type: .integer64, isOptional: true),
        ManagedAttribute(name: "rank", type: .integer64), state,
      ])
    let store = try StoreFile(at: .file(URL(filePath: folder + "/one.store")))
    try store.create(ManagedModel(entities: [trip], versionIdentifier: "1.0.0"))
    var changes = StoreChanges()
    for key in try store.allocateKeys(of: "Trip", count: 3) {
      let values: [StoredValue] = store.layout(of: "Trip").slots.map { slot in
        switch slot.path {
        case "name": .text(key < 3 ? "Rome" : "Paris")
        case "rank": .integer(key)
        case "days": key == 1 ? .integer(4) : .null
        default: .text("open")
        }
      }
      changes.inserted.append(StoreRow(id: ObjectID(entity: "Trip", key: key), values: values))
    }
    try store.apply(changes)
    return store
  }

  @Test("'diff --store' exits with 0 if all losses are acknowledged, even on an open store")
  func diffOfAcknowledged() throws {
    try withTemporaryFolder { folder in
      let store = try prepare(folder)
      let files = ["", "-wal"].map { folder + "/one.store" + $0 }
      let before = try run("sha256sum", files).output
      let found = try schemagen("diff", "--store", "one.store", in: folder)
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      #expect(found.output.hasPrefix("one.store: of V1\n\nV1 → V2"))
      let page = try String(
        contentsOf: URL(filePath: Checkout.root + "/docs/inspect.md"), encoding: .utf8)
      #expect(page.contains("```text\n\(found.output)```\n"), "\(found.output)")
      #expect(
        found.output.contains(
          "on this store, handled: 1 value is in 2 rows: 'dedupe' keeps one row for each value, and 1 row is dropped "
            + "(Trip 1, Trip 2)"))
      #expect(
        found.output.contains(
          "on this store, acknowledged: 1 of 3 rows has a value, which is dropped (Trip 1)"))
      #expect(try run("sha256sum", files).output == before)
      #expect(try store.count(of: "Trip") == 3)
      let json = try schemagen("diff", "--store", "one.store", "--format", "json", in: folder)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let told = try #require(document["store"] as? [String: Any])
      #expect(told["path"] as? String == "one.store" && told["version"] as? String == "1.0.0")
      #expect(document["outcome"] as? String == "acknowledged")
      let pairs = try #require(document["pairs"] as? [[String: Any]])
      let changes = try #require(pairs.first?["changes"] as? [[String: Any]])
      let measured = try #require(changes.first?["store"] as? [String: Any])
      #expect(
        Set(measured.keys) == ["examples", "outcome", "rows", "text"] && changes.count == 2)
      let text = try schemagen("diff", "--store", "one.store", "--format", "markdown", in: folder)
      #expect(text.output.contains("<br>on this store, acknowledged: "), "\(text.output)")
    }
  }

  @Test(
    "'diff --store' exits with 1 if rows would be lost, even if the manifests have no errors",
    arguments: [("done", "open", 0), ("open", "done", 1)])
  func diffOfFailure(_ gone: String, _ kept: String, _ status: Int32) throws {
    try withTemporaryFolder { folder in
      let second = """
        version: 2.0.0
        models:
          Trip:
            properties:
              name: String
              days: Int?
              rank: Int
              added: Int?
              state: State
        types:
          State: { enum: String, cases: [\(kept)] }
        drops: { State.\(gone): nobody chose it }
        """
      _ = try prepare(folder, second: second)
      let plain = try schemagen("diff", in: folder)
      #expect(plain.status == 0, "\(plain.output)")
      let found = try schemagen("diff", "--store", "one.store", in: folder)
      #expect(found.status == status, "\(found.output)")
      #expect(
        found.output.contains(
          status == 0
            ? "on this store, kept: no row has the case"
            : "on this store, fails: 3 rows have the case, and cannot be read any more"))
    }
  }

  // MARK: anonymise

  @Test("'anonymise' copies a store without its values, and 'diff' reports the same for the copy")
  func anonymised() throws {
    try withTemporaryFolder { folder in
      let store = try prepare(folder)
      let made = try schemagen(
        "anonymise", "one.store", "-o", "safe.store", in: folder)
      #expect(made.status == 0, "\(made.output)\(made.errors)")
      #expect(made.output.hasPrefix("Trip: 3 rows\nsafe.store: 3 rows in 1 model, "))
      #expect(!made.output.contains("note: "), "\(made.output)")
      for store in ["one.store", "safe.store"] {
        let told = try schemagen("inspect", store, in: folder)
        #expect(told.output.contains("\nthe store is version V1 of Schemas\n"))
      }
      for format in ["text", "json", "markdown"] {
        let told = try ["one.store", "safe.store"].map { name in
          try schemagen("diff", "--store", name, "--format", format, in: folder)
            .output.replacing(name, with: "STORE")
        }
        #expect(told[0] == told[1] && told[0].contains("acknowledged"))
      }
      let copy = try SQLite(path: folder + "/safe.store", access: .readOnly)
      #expect(try copy.texts("SELECT ZSTATE FROM ZTRIP") == ["open", "open", "open"])
      let names = try copy.texts("SELECT ZNAME FROM ZTRIP ORDER BY Z_PK")
      #expect(names[0] == names[1] && names[1] != names[2] && !names.contains("Rome"))
      let ranks = try copy.rows("SELECT ZRANK FROM ZTRIP ORDER BY Z_PK") { $0.integer(at: 0) }
      #expect(ranks == ranks.sorted())
      withExtendedLifetime(store) {}
    }
  }

  @Test("If 'anonymise' refuses, it exits with 2, shows place and advice, and leaves no file")
  func anonymisedRefused() throws {
    try withTemporaryFolder { folder in
      let store = try prepare(folder)
      try Data("mine".utf8).write(to: URL(filePath: folder + "/taken"))
      try Data("from a ticket".utf8).write(to: URL(filePath: folder + "/notes.txt"))
      let before = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
      let cases: [([String], String)] = [
        (["one.store", "-o", "taken"], "taken': exists already: name another file"),
        (["one.store", "-o", "one.store"], "one.store': exists already"),
        (
          ["one.store", "-o", "no/such/a.store"],
          "a.store': its folder does not exist: make it first"
        ),
        (["none.store", "-o", "a.store"], "'none.store': there is no such file"),
        (
          ["notes.txt", "-o", "a.store"], "'notes.txt': the file is text, not a SQLite database"
        ),
      ]
      for (words, expected) in cases {
        let refused = try run(Checkout.schemagen, ["anonymise"] + words, in: folder)
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains(expected), "\(refused.errors)")
      }
      // The disk is full: writes fail, and the signal for it is ignored.
      let full = try run(
        "bash",
        [
          "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" anonymise one.store -o a.store",
          Checkout.schemagen,
        ],
        in: folder)
      #expect(
        full.status == 2 && full.errors.contains("a.store': cannot be written: "), "\(full.errors)")
      #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == before)
      #expect(try String(contentsOf: URL(filePath: folder + "/taken"), encoding: .utf8) == "mine")
      withExtendedLifetime(store) {}
    }
  }

  @Test("'anonymise' supports file names with special characters")
  func anonymisedNames() throws {
    try withTemporaryFolder { folder in
      _ = try prepare(folder)
      for name in [
        "a b'c\".store", "?mode=rw&x%41#.store", "-größe\u{301}\n.store", ".hidden", "noend.",
      ] {
        let into = folder + "/to " + name
        let made = try run(
          Checkout.schemagen, ["anonymise", "one.store", "-o", into], in: folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(FileManager.default.fileExists(atPath: into), "\(name)")
        try FileManager.default.copyItem(atPath: into, toPath: folder + "/from " + name)
        let again = try run(
          Checkout.schemagen, ["anonymise", folder + "/from " + name, "-o", "again.store"],
          in: folder)
        #expect(again.status == 0, "\(again.errors)")
        try FileManager.default.removeItem(atPath: folder + "/again.store")
      }
    }
  }

  @Test("'diff --store' exits with 2 for a missing store, an unknown version and wrong usage")
  func diffRefused() throws {
    try withTemporaryFolder { folder in
      _ = try prepare(folder)
      try write(folder + "/other.store")
      let other = try schemagen("diff", "--store", "other.store", in: folder)
      #expect(other.status == 2 && other.output.isEmpty)
      #expect(other.errors.contains("it matches none of the versions"))
      #expect(try schemagen("diff", "--store", "nothing", in: folder).status == 2)
      let both = try schemagen("diff", "--store", "one.store", "--against", "HEAD", in: folder)
      #expect(both.status == 2 && both.errors.contains("exclude each other"))
      let two = try schemagen(
        "diff", "--store", "one.store", "--schemas", "Schemas", "--schemas", "More", in: folder)
      #expect(two.status == 2 && two.errors.contains("name one with '--schemas'"))
    }
  }
}
