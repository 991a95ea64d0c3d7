import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// `schemagen diff --format markdown --stores FOLDER`: the real binary in a repository, on stores of several versions.
@Suite struct StoresCommandTests {
  private static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          notes: String?
          days: Int

    """
  private static func v2(_ rest: String) -> String {
    v1.replacing("1.0.0", with: "2.0.0").replacing("      notes: String?\n", with: "") + rest
  }

  /// A repository whose base has V1, with a store of V1.
  private func withRepository(
    _ second: String, _ work: (Repository, String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.v1, "Schemas/V1.yaml")
      try repository.commit("one")
      try repository.git("checkout", "--quiet", "-b", "topic")
      try repository.write(second, "Schemas/V2.yaml")
      let stores = folder + "/stores"
      try FileManager.default.createDirectory(
        atPath: stores + "/ipad/.photos_SUPPORT", withIntermediateDirectories: true)
      try Data([1]).write(to: URL(filePath: stores + "/ipad/.photos_SUPPORT/value"))
      try store(stores + "/ipad/photos.sqlite", notes: 2)
      try store(stores + "/a.store", notes: 0)
      try store(stores + "/named like nothing", notes: 1)
      try Data("no store\n".utf8).write(to: URL(filePath: stores + "/README.md"))
      try work(repository, stores)
    }
  }

  /// A store of V1 with three trips, of which some have notes.
  private func store(_ path: String, notes: Int, of model: String = "Trip") throws {
    let entity = ManagedEntity(
      name: model,
      attributes: [
        ManagedAttribute(name: "name", type: .string),
        ManagedAttribute(name: "notes", type: .string, isOptional: true),
        ManagedAttribute(name: "days", type: .integer64),
      ])
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(ManagedModel(entities: [entity], versionIdentifier: "1.0.0"))
    var changes = StoreChanges()
    for (index, key) in try store.allocateKeys(of: model, count: 3).enumerated() {
      let values: [StoredValue] = store.layout(of: model).slots.map { slot in
        switch slot.path {
        case "name": .text("Rome")
        case "days": .integer(70_000)
        default: index < notes ? .text("said") : .null
        }
      }
      changes.inserted.append(StoreRow(id: ObjectID(entity: model, key: key), values: values))
    }
    try store.apply(changes)
  }

  private func comment(_ repository: Repository, _ stores: String) throws -> Finished {
    try repository.schemagen(
      "diff", "--against", "main", "--format", "markdown", "--stores", stores)
  }

  @Test("'diff --stores' gives each store a row and a verdict, and writes nothing")
  func acknowledged() throws {
    try withRepository(Self.v2("drops: { Trip.notes: nobody reads them }\n")) {
      repository, stores in
      let before = try run(
        "bash", ["-c", "find . -type f | sort | xargs -d '\\n' sha256sum"], in: stores
      ).output
      let found = try comment(repository, stores)
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      #expect(
        found.output.contains(
          "\n⚠️ **V2**: **`Trip.notes` of 3 rows dropped** in 2 of 3 stores (acknowledged). Action required: reviewer 1\n"
        ),
        "\(found.output)")
      let rows = found.output.split(separator: "\n").filter { $0.contains("` | V1 | ") }
      #expect(
        rows == [
          "| `a.store` | V1 | kept | `Trip.notes`: no row has a value |",
          "| `ipad/photos.sqlite` | V1 | **acknowledged** | `Trip.notes`: 2 of 3 rows have a value, which is dropped (Trip 1, Trip 2) |",
          "| `named like nothing` | V1 | **acknowledged** | `Trip.notes`: 1 of 3 rows has a value, which is dropped (Trip 1) |",
        ], "\(found.output)")
      #expect(found.output.contains("- `README.md`: it is not a SQLite database\n"))
      #expect(!found.output.contains("SUPPORT") && !found.output.contains("-wal"))
      #expect(
        try run("bash", ["-c", "find . -type f | sort | xargs -d '\\n' sha256sum"], in: stores)
          .output == before)
    }
  }

  @Test("'diff --stores' exits with 1 if an unacknowledged loss is found")
  func lost() throws {
    try withRepository(Self.v2("")) { repository, stores in
      let found = try comment(repository, stores)
      #expect(found.status == 1)
      #expect(found.output.contains("**`Trip.notes` of 3 rows lost** in 2 of 3 stores"))
    }
    // The manifests have no errors: only rows show the loss.
    let narrow = Self.v1.replacing("1.0.0", with: "2.0.0").replacing("Int", with: "Int16")
    try withRepository(narrow) { repository, stores in
      let plain = try repository.schemagen("diff", "--against", "main", "--format", "markdown")
      #expect(plain.status == 0, "\(plain.output)")
      let found = try comment(repository, stores)
      #expect(found.status == 1)
      #expect(
        found.output.contains("**`Trip.days` of 9 rows lost** in 3 of 3 stores"), "\(found.output)")
    }
  }

  @Test(
    "A store that 'diff --stores' cannot measure has a row with the reason, and the status is 2")
  func unmeasured() throws {
    try withRepository(Self.v2("drops: { Trip.notes: nobody reads them }\n")) {
      repository, stores in
      try store(stores + "/other.store", notes: 1, of: "Other")
      let whole = try Data(contentsOf: URL(filePath: stores + "/a.store"))
      try whole.prefix(whole.count - 512).write(to: URL(filePath: stores + "/cut.store"))
      let made = try run(
        "python3",
        ["-c", "import sqlite3; sqlite3.connect('notes.db').execute('CREATE TABLE a (b)')"],
        in: stores)
      #expect(made.status == 0, "\(made.errors)")
      try FileManager.default.createSymbolicLink(
        atPath: stores + "/around", withDestinationPath: ".")
      let found = try comment(repository, stores)
      #expect(found.status == 2)
      for line in [
        "in 2 of 5 stores (acknowledged)", "- ⚠️ 2 of 5 stores were not measured\n",
        "| `cut.store` | – | **not measured** | ",
        "| `other.store` | – | **not measured** | it matches none of the versions |",
        "- `notes.db`: the database is not a Core Data store: it has no Z\\_METADATA\n",
        "- `around`: a link to a folder\n",
      ] { #expect(found.output.contains(line), "\(line) in \(found.output)") }
    }
  }

  @Test("Incompatible options of 'diff --stores' are refused with what to write")
  func wrongOptions() throws {
    try withRepository(Self.v2("")) { repository, stores in
      func refused(_ arguments: [String], _ words: String) throws {
        let found = try run(
          Checkout.schemagen, ["diff"] + arguments, in: repository.folder,
          environment: Repository.environment)
        #expect(
          found.status == 2 && found.errors.contains(words) && found.output.isEmpty,
          "\(arguments): \(found)")
      }
      try refused(["--stores", stores], "write '--store FILE' instead")
      try refused(["--stores", stores, "--against", "main"], "write '--store FILE' instead")
      let comment = ["--against", "main", "--format", "markdown", "--stores"]
      try refused(comment + [stores + "/README.md"], "it is a file: name its folder")
      try refused(comment + [stores + "/nowhere"], "there is no such folder")
      try refused(
        comment + [stores + "/ipad/.photos_SUPPORT"], "contains no store (no SQLite database)")
      try refused(["--against", "nowhere", "--format", "markdown"], "nowhere")
    }
  }
}
