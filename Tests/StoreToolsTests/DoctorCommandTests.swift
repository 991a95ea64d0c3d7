import Foundation
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// `schemagen doctor trips.store`: the real binary on stores as Core Data writes them.
@Suite struct DoctorCommandTests {
  private func doctor(_ arguments: String..., in folder: String) throws -> Finished {
    try run(
      Checkout.schemagen, ["doctor"] + arguments, in: folder, environment: ["NO_COLOR": "1"])
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
          status: String?
      Stop:
        properties:
          title: String
    """,
  ]

  private func writeManifests(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/Schemas", withIntermediateDirectories: true)
    for (name, text) in Self.manifests { try write(text + "\n", folder + "/Schemas/\(name).yaml") }
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static func model(_ version: Int) -> ManagedModel {
    var entities = [
      ManagedEntity(
        name: "Trip", attributes: [ManagedAttribute(name: "name", type: .string)],
        uniqueness: [["name"]])
    ]
    if version > 1 {
      entities[0].attributes.append(
        ManagedAttribute(name: "status", type: .string, isOptional: true))
      entities.append(
        ManagedEntity(name: "Stop", attributes: [ManagedAttribute(name: "title", type: .string)]))
    }
    return ManagedModel(entities: entities, versionIdentifier: "\(version).0.0")
  }

  /// A store of V2 in which the status is required.
  private static let edited: ManagedModel = {
    var changed = model(2)
    changed.entities[0].attributes[1].isOptional = false
    return changed
  }()

  private func writeStore(_ model: ManagedModel, _ path: String, hasCache: Bool = true) throws {
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    try Stores.disguise(store, model)
    if !hasCache { try store.database.run("DELETE FROM Z_MODELCACHE") }
  }

  @Test("'doctor' exits with 0 for a recognised store and lists its steps")
  func recognised() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try writeStore(Self.model(1), folder + "/old.store")
      try writeStore(Self.model(2), folder + "/new.store", hasCache: false)
      let old = try doctor("old.store", in: folder)
      #expect(old.status == 0, "\(old.errors)")
      #expect(old.output.contains("recognised: the store is version V1 of Schemas\n"))
      #expect(
        old.output.contains("the app migrates the store from V1 to V2:\n  V1 → V2: lightweight\n"))
      let new = try doctor("new.store", in: folder)
      #expect(new.status == 0)
      #expect(
        new.output.contains("V2 is the newest version: the app opens the store as it is"))
    }
  }

  @Test("'doctor' exits with 0 for a retired version and says that the app leaves its store alone")
  func retired() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try write("retired: { below: V2, through: '1.9' }\n", folder + "/Schemas/schemagen.yaml")
      try writeStore(Self.model(1), folder + "/old.store")
      let old = try doctor("old.store", in: folder)
      #expect(old.status == 0, "\(old.errors)")
      #expect(old.output.contains("recognised: the store is version V1 of Schemas\n"))
      #expect(
        old.output.contains(
          """
          V1 is retired: the plan begins with V2, and the app leaves the store alone
          release 1.9 of the app migrates the store: open the store with that release first
          """), "\(old.output)")
      #expect(old.output.hasSuffix("old.store: recognised as V1, which is retired\n"))
    }
  }

  /// Whatever number the store has, with and without its model: to the engine the two are one version.
  @Test(
    "'doctor' names both of two equal versions and how the plan crashes",
    arguments: [1, 2],
    [true, false])
  func equalVersions(_ number: Int, _ hasCache: Bool) throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      let first = try #require(Self.manifests["V1"])
      let last = try #require(Self.manifests["V2"])
      try write(first.replacing("1.0.0", with: "2.0.0") + "\n", folder + "/Schemas/V2.yaml")
      try write(last.replacing("2.0.0", with: "3.0.0") + "\n", folder + "/Schemas/V3.yaml")
      var model = Self.model(1)
      model.versionIdentifier = "\(number).0.0"
      try writeStore(model, folder + "/old.store", hasCache: hasCache)
      model = Self.model(2)
      model.versionIdentifier = "3.0.0"
      try writeStore(model, folder + "/new.store", hasCache: hasCache)
      let crash =
        "  V2 stores the same as V1: with both versions in the plan, the app crashes with "
        + "\"Duplicate version checksums across stages detected\" as soon as it migrates a store\n"
      let both =
        "the store is version V1 of Schemas and version V2 of Schemas\n  proven: its hashes are those of V1 and V2\n"
      let old = try doctor("old.store", in: folder)
      #expect(old.status == 2, "\(old.output)\(old.errors)")
      #expect(old.output.contains("recognised: " + both))
      #expect(
        old.output.contains("the app cannot migrate from V1 to V3:\n" + crash), "\(old.output)")
      #expect(!old.output.contains("migrates it from"))
      #expect(
        old.output.split(separator: "\n").last?.hasSuffix(
          "; the app crashes when it migrates the store")
          == true)
      let inspected = try run(Checkout.schemagen, ["inspect", "old.store"], in: folder)
      #expect(inspected.status == 0 && inspected.output.contains(both), "\(inspected.output)")
      let lint = try run(Checkout.schemagen, ["lint"], in: folder)
      #expect(lint.output.contains("Duplicate version checksums across stages detected"))
      let json = try doctor("old.store", "--format", "json", in: folder)
      #expect(json.output.matches(of: /"crash" : \[\n\s+"/).count == 2, "\(json.output)")
      let new = try doctor("new.store", in: folder)
      #expect(new.status == 0, "\(new.output)")
      #expect(
        new.output.contains(
          "V3 is the newest version: the app opens the store as it is\n\nthe app does not migrate stores of older versions:\n"
            + crash), "\(new.output)")
      // Without V3, the store is also of the newest version, and the app migrates nothing.
      try FileManager.default.removeItem(atPath: folder + "/Schemas/V3.yaml")
      let newest = try doctor("old.store", in: folder)
      #expect(newest.status == 0 && newest.output.contains("recognised: " + both))
      #expect(
        newest.output.contains("V2 is the newest version: the app opens the store as it is"),
        "\(newest.output)")
    }
  }

  @Test(
    "If the store's next step is refused, 'doctor' exits with 2 and prints the errors first")
  func refusedStep() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try writeStore(Self.model(1), folder + "/old.store")
      let manifest = try #require(Self.manifests["V2"])
      try write(
        manifest.replacing("status: String?", with: "status: String") + "\n",
        folder + "/Schemas/V2.yaml")
      let found = try doctor("old.store", in: folder)
      #expect(found.status == 2, "\(found.output)\(found.errors)")
      #expect(
        found.output.contains(
          "'schemagen generate' refuses this step (missing-default): correct the manifests first, or values may be lost"
        ), "\(found.output)")
      #expect(found.output.contains("'schemagen diff --store old.store' says"))
    }
  }

  @Test(
    "'doctor' lists commits that could have written an unknown store")
  func history() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try writeStore(Self.edited, folder + "/trips.store")
      try writeManifests(repository.folder)
      let manifest = try #require(Self.manifests["V2"])
      try repository.write(
        manifest.replacing("status: String?", with: "status: { type: String, fill: '\"new\"' }"),
        "Schemas/V2.yaml")
      try repository.commit("Say how it is")
      try repository.write(manifest, "Schemas/V2.yaml")
      try repository.commit("Or do not")
      let found = try repository.schemagen("doctor", "../trips.store")
      #expect(found.status == 1, "\(found.errors)")
      #expect(
        found.output.contains(
          "\nin the history:\n\n../trips.store, looked for in 2 commits with 0 tags\n"),
        "\(found.output)")
      #expect(found.output.contains("\"Say how it is\""), "\(found.output)")
      #expect(
        found.output.hasSuffix("trips.store: not recognised, 3 ways out\n"), "\(found.output)")
      let json = try repository.schemagen("doctor", "../trips.store", "--format", "json")
      #expect(!json.output.contains("Say how it is"))
    }
  }

  @Test("The documentation shows the output of 'doctor'")
  func page() throws {
    let page = try String(contentsOfFile: Checkout.root + "/docs/doctor.md", encoding: .utf8)
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try writeStore(Self.edited, folder + "/trips.store")
      let found = try doctor("trips.store", in: folder)
      #expect(found.status == 1 && found.errors.isEmpty)
      #expect(page.contains("```text\n" + found.output + "```"), "\(found.output)")
    }
  }

  @Test("JSON from 'doctor' is complete and deterministic")
  func json() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try writeStore(Self.edited, folder + "/trips.store")
      let found = try doctor("trips.store", "--format", "json", in: folder)
      #expect(found.status == 1)
      #expect(try doctor("trips.store", "--format=json", in: folder).output == found.output)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any])
      #expect(document["format"] as? Int == 1 && (document["matches"] as? [Any])?.isEmpty == true)
      let nearest = try #require(document["nearest"] as? [String: Any])
      #expect((nearest["candidate"] as? [String: Any])?["name"] as? String == "V2")
      let difference = (nearest["differences"] as? [[String: Any]])?.first
      #expect(difference?["element"] as? String == "Trip.status")
      #expect(difference?["store"] as? String == "String")
      #expect(difference?["version"] as? String == "String?")
      let outcome = try #require(document["outcome"] as? [String: Any])
      #expect(outcome["code"] as? Int == 134_504 && outcome["dropped"] != nil)
      let way = try #require((document["waysOut"] as? [[String: Any]])?.first)
      #expect(way["kind"] as? String == "restoreVersion")
    }
  }

  @Test("Every command that 'doctor' prints runs, and the added version is recognised")
  func commands() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      // A name that a shell would split into several words.
      let name = "Bob's trips.store"
      try writeStore(Self.edited, folder + "/" + name)
      let found = try doctor(name, "--format", "json", in: folder)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any])
      let ways = try #require(document["waysOut"] as? [[String: Any]])
      #expect(
        ways.map { $0["kind"] as? String } == ["restoreVersion", "addVersion", "deleteStore"])
      let bin = folder + "/bin"
      try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: bin + "/schemagen", withDestinationPath: Checkout.schemagen)
      let path = bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      let commands = try #require(ways[1]["commands"] as? [String])
      #expect(commands.count == 2)
      for command in commands {
        let result = try run(
          "/bin/sh", ["-c", command], in: folder, environment: ["PATH": path, "NO_COLOR": "1"])
        #expect(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
      // The number that the help says to write.
      let manifest = folder + "/Schemas/V1.1.yaml"
      let text = try String(contentsOfFile: manifest, encoding: .utf8)
      #expect((ways[1]["text"] as? String)?.contains("'version: 1.1.0'") == true)
      try write(text.replacing("version: 2.0.0", with: "version: 1.1.0"), manifest)
      let again = try doctor(name, in: folder)
      #expect(again.status == 0 && again.output.contains("is version V1.1"), "\(again.output)")
      try FileManager.default.removeItem(atPath: manifest)
      for command in try #require(ways[0]["commands"] as? [String]) {
        let result = try run("/bin/sh", ["-c", command], in: folder, environment: ["PATH": path])
        #expect(result.status == 0, "\(command): \(result.errors)")
      }
    }
  }

  @Test("A version that 'doctor' adds for a changed V2 is placed after V2")
  func place() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      let newest = try #require(Self.manifests["V2"])
      try write(
        newest.replacing("2.0.0", with: "3.0.0").replacing(
          "title: String", with: "title: String\n      floor: Int?") + "\n",
        folder + "/Schemas/V3.yaml")
      var drifted = Self.model(2)
      drifted.entities[1].attributes.append(
        ManagedAttribute(name: "wall", type: .string, isOptional: true))
      try writeStore(drifted, folder + "/trips.store")
      let found = try doctor("trips.store", in: folder)
      #expect(
        found.output.replacing("\n     ", with: " ").contains(
          "This version is most like V2, and belongs between V2 and V3: before you move the manifest, write 'version: 2.1.0' in it."
        ),
        "\(found.output)")
      #expect(found.output.contains("mv AdoptedStore/V2.yaml Schemas/V2.1.yaml"))
    }
  }

  @Test("'doctor' does not treat a store written by schemagen as an app's")
  func portable() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      do { try StoreFile(at: .file(URL(filePath: folder + "/own.store"))).create(Self.edited) }
      let found = try doctor("own.store", in: folder)
      #expect(found.status == 1)
      #expect(found.output.contains("  Trip.status: String in the store, String? in the version\n"))
      #expect(found.output.contains("schemagen's own runtime wrote this store"))
      #expect(!found.output.contains("13450") && !found.output.contains("adopt"))
    }
  }

  @Test("'doctor' reads the log of a closed store and writes nothing")
  func log() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      let other = folder + "/live"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      let store = try StoreFile(at: .file(URL(filePath: other + "/trips.store")))
      try store.create(Self.edited)
      try Stores.disguise(store, Self.edited)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: other + "/trips.store" + suffix, toPath: folder + "/trips.store" + suffix)
      }
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(before.contains("trips.store-wal"))
      let found = try doctor("trips.store", in: folder)
      #expect(found.status == 1 && found.output.contains("Trip.status"), "\(found.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("'doctor' exits with 2, a place, a reason and advice for an unreadable store")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      try writeManifests(folder)
      try writeStore(Self.edited, folder + "/trips.store")
      let whole = try Data(contentsOf: URL(filePath: folder + "/trips.store"))
      func database(_ name: String, _ statements: String...) throws {
        try whole.write(to: URL(filePath: "\(folder)/\(name)"))
        let database = try SQLite(path: "\(folder)/\(name)", access: .readWrite)
        for statement in statements { try database.run(statement) }
      }
      try database("foreign", "DROP TABLE Z_METADATA")
      try database("bare", "DELETE FROM Z_METADATA")
      try database("huge", "UPDATE Z_METADATA SET Z_PLIST = zeroblob(40000000)")
      try whole.prefix(whole.count - 1000).write(to: URL(filePath: folder + "/cut"))
      try Data(whole.reversed()).write(to: URL(filePath: folder + "/encrypted"))
      try Data().write(to: URL(filePath: folder + "/empty"))
      try write("# A text\n", folder + "/text")
      for (name, reason) in [
        ("nothing", "there is no such file"), ("Schemas", "that is a folder, not a store"),
        ("text", "the file is text, not a SQLite database"), ("empty", "the file is empty"),
        ("encrypted", "not a SQLite database, or an encrypted one"), ("cut", "was cut off"),
        ("foreign", "it has no Z_METADATA"), ("bare", "metadata cannot be read"),
        ("huge", "metadata cannot be read"),
      ] {
        let result = try doctor(name, in: folder)
        #expect(result.status == 2 && result.output.isEmpty, "\(name)")
        #expect(result.errors.contains("'\(name)': ") && result.errors.contains(reason))
        #expect(result.errors.contains("help: "), "\(result.errors)")
      }
      #expect(try doctor("trips.store", "--schemas", "Nowhere", in: folder).status == 2)
      try write("version: one\n", folder + "/Schemas/V1.yaml")
      let broken = try doctor("trips.store", in: folder)
      #expect(broken.status == 2 && broken.errors.contains("Schemas/V1.yaml:1:10"))
      #expect(
        broken.errors.contains("correct the errors first: 'schemagen lint'"), "\(broken.errors)")
      try FileManager.default.removeItem(atPath: folder + "/Schemas")
      let none = try doctor("trips.store", in: folder)
      #expect(none.status == 2 && none.errors.contains("no manifests"), "\(none.errors)")
      #expect(none.errors.contains("help: name the manifests' folder with --schemas"))
    }
  }
}
