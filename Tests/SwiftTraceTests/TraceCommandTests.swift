import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import StoreEngine
import TestSupport
import Testing

@testable import ManagedModels

/// `schemagen trace app.store`: the real binary on repositories.
@Suite struct TraceCommandTests {
  private static func manifest(_ number: Int, _ properties: String...) -> String {
    "version: \(number).0.0\nmodels:\n  Trip:\n    properties:\n"
      + properties.map { "      \($0)\n" }.joined()
  }

  /// A store of the manifest's version.
  private func writeStore(_ manifest: String, _ path: String) throws {
    let read = ManifestReader().read(SourceFile(path: "V1.yaml", text: manifest)).version
    let version = try #require(read)
    try StoreFile(at: .file(URL(filePath: path))).create(VersionModel(version).model)
  }

  private func withRepository(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try writeStore(Self.manifest(2, "name: String", "days: Int"), folder + "/trips.store")
      try work(repository)
    }
  }

  private static let store = "../trips.store"

  /// Three versions of a manifest, of which the middle one was never tagged.
  private func writeHistory(_ repository: Repository) throws {
    try repository.write("access: internal\n", "Schemas/schemagen.yaml")
    try repository.write(Self.manifest(1, "name: String"), "Schemas/V1.yaml")
    try repository.commit("Begin")
    try repository.git("tag", "v1.0")
    try repository.write(
      Self.manifest(2, "name: String", "days: { type: Int, fill: 1 }"), "Schemas/V2.yaml")
    try repository.commit("Count days")
    try repository.write("Read me\n", "README.md")
    try repository.commit("Explain")
    try repository.write(
      Self.manifest(2, "name: String", "days: Int?"), "Schemas/V2.yaml")
    try repository.commit("Count fewer days")
    try repository.git("tag", "v1.1")
  }

  @Test("'trace' prints the commits, the tags around them and the missing manifest")
  func found() throws {
    try withRepository { repository in
      try writeHistory(repository)
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.status == 0, "\(found.errors)")
      for line in [
        "2 commits could have written it:", "\"Count days\" to ", "\"Explain\": 2 commits",
        "as V2 of Schemas", "between v1.0 and v1.1: a build that was never released",
        "../trips.store, looked for in 4 commits with 2 tags",
        "schemagen trace ../trips.store -o Schemas/V1.1.yaml",
        "trips.store: 2 commits could have written it, none of them tagged",
      ] { #expect(found.output.contains(line), "\(line)\n\(found.output)") }
      let again = try repository.schemagen("trace", Self.store, "-o", "Schemas/V1.yaml")
      #expect(again.status == 2)
      #expect(again.errors.contains("it exists already"))
      let written = try repository.schemagen("trace", Self.store, "-o", "Schemas/V1.1.yaml")
      #expect(written.status == 0)
      let inspected = try repository.schemagen("inspect", Self.store)
      #expect(inspected.output.contains("version V1.1"), "\(inspected.output)")
      let known = try repository.schemagen("trace", Self.store)
      #expect(known.output.contains("the store is version V1.1 of Schemas"), "\(known.output)")
    }
  }

  @Test(
    "A class that drifted after V2 becomes a version after V2, and each help line works")
  func drifted() throws {
    try withRepository { repository in
      let release = { (message: String) in
        let generated = try repository.schemagen("generate")
        #expect(generated.status == 0, "\(generated.output)\(generated.errors)")
        let released = try repository.schemagen("release")
        #expect(released.status == 0, "\(released.output)\(released.errors)")
        try repository.commit(message)
      }
      let write = { (properties: [String]) in
        try repository.write(
          "import SwiftData\n\n@Model final class Trip {\n"
            + properties.map { "  \($0)\n" }.joined() + "  init() {}\n}\n", "App/Trip.swift")
      }
      try repository.write("classes: ../App\n", "Schemas/schemagen.yaml")
      try write(["var title: String = \"\""])
      try repository.write(Self.manifest(1, "title: String = \"\""), "Schemas/V1.yaml")
      try release("V1")
      let name = "@Attribute(originalName: \"title\") var name: String = \"\""
      try write([name])
      try release("V2")
      try write([name, "var days: Int = 0"])
      try repository.commit("Count days")
      try write([name, "var hours: Int = 0"])
      try release("V3")
      let found = try repository.schemagen("trace", Self.store)
      #expect(
        found.output.contains(
          "Schemas lacks the version: this version is most like V2, and belongs between V2 and V3."),
        "\(found.output)")
      let file = "Schemas/V2.1.yaml"
      #expect(try repository.schemagen("trace", Self.store, "-o", file).status == 0)
      // V2 renamed the column: here the name stays.
      #expect(try !repository.text(file).contains("originalName"))
      let asked = try repository.schemagen("generate")
      #expect(asked.status == 2 || asked.status == 1)
      #expect(asked.output.contains("1 error") && !asked.output.contains("write in the class"))
      let line = "hours: { type: Int, default: 0, renamedFrom: days }"
      #expect(asked.output.contains("write: \(line)"), "\(asked.output)")
      #expect(
        asked.output.contains("accept: [{ rule: shipped-step-edited, element: V3, reason: … }]"))
      let newest = try repository.text("Schemas/V3.yaml")
      try repository.write(
        newest.replacing("hours: Int = 0", with: line)
          + "accept: [{ rule: shipped-step-edited, element: V3, reason: 2.0.1 had days }]\n",
        "Schemas/V3.yaml")
      let named = try repository.schemagen("generate")
      let attribute = "@Attribute(originalName: \"days\")"
      #expect(named.output.contains("write in the class: \(attribute)"), "\(named.output)")
      try write([name, "\(attribute) var hours: Int = 0"])
      let generated = try repository.schemagen("generate")
      #expect(generated.status == 0, "\(generated.output)\(generated.errors)")
      let lint = try repository.schemagen("lint", "--strict")
      #expect(lint.status == 0 && !lint.output.contains("[lock-state-order]"), "\(lint.output)")
      let lock = try repository.text("Schemas/schema.lock")
      #expect(!lock.contains("state: draft"))
      #expect(try repository.schemagen("snapshot", "--check").status == 0)
      #expect(try repository.schemagen("inspect", Self.store).output.contains("version V2.1"))
    }
  }

  @Test("JSON from 'trace' has full hashes, ranges and the manifest")
  func json() throws {
    try withRepository { repository in
      try writeHistory(repository)
      let found = try repository.schemagen("trace", Self.store, "--format", "json")
      let read = try JSONSerialization.jsonObject(with: Data(found.output.utf8))
      let document = try #require(read as? [String: Any])
      #expect(document["commits"] as? Int == 4)
      let writers = try #require(document["writers"] as? [[String: Any]])
      let range = try #require(writers.first)
      #expect(range["commits"] as? Int == 2)
      #expect(range["tagsBefore"] as? [String] == ["v1.0"])
      #expect(range["tagsAfter"] as? [String] == ["v1.1"])
      let last = try repository.git("rev-parse", "HEAD~1").output.dropLast()
      let ids = (range["last"] as? [[String: Any]])?.map { $0["id"] as? String }
      #expect(ids == [String(last)])
      let missing = try #require(document["missing"] as? [String: Any])
      #expect((missing["text"] as? String)?.contains("version: 1.1.0\n") == true)
    }
  }

  @Test(
    "A commit did not write the store if the store's version is not the newest one in the commit")
  func known() throws {
    try withRepository { repository in
      try repository.write(Self.manifest(1, "name: String", "days: Int"), "Schemas/V1.yaml")
      try repository.write(Self.manifest(2, "name: String"), "Schemas/V2.yaml")
      try repository.commit("Both")
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.status == 1)
      #expect(found.output.contains("no commit is known to have written it"))
      #expect(
        found.output.contains(
          "these commits' apps know the store's version, but write stores of another one:"))
      #expect(found.output.contains("as V1 of Schemas"), "\(found.output)")
    }
  }

  @Test("In code first, 'trace' compares a commit's classes, not its manifest")
  func keptClasses() throws {
    try withRepository { repository in
      try repository.write("classes: ../App\n", "Schemas/schemagen.yaml")
      try repository.write(Self.manifest(1, "name: String", "days: Int"), "Schemas/V1.yaml")
      try repository.write(
        "@Model final class Trip {\n  var name: String\n  var days: Int\n}\n", "App/Trip.swift")
      try repository.commit("Record")
      try repository.write(
        "@Model final class Trip {\n  var name: String\n  var days: Int?\n}\n", "App/Trip.swift")
      try repository.commit("No record")
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.output.contains("1 commit could have written it:"), "\(found.output)")
      #expect(found.output.contains("\"Record\"\n    as the classes in App\n"), "\(found.output)")
    }
  }

  @Test(
    "With an unreadable property, a commit is undecided unless another class rules it out"
  )
  func unclear() throws {
    try withRepository { repository in
      try repository.write(
        "@Model final class Trip {\n  var name: String\n  var days = make()\n}\n", "App/Trip.swift")
      try repository.commit("Unreadable")
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.status == 1)
      #expect(!found.output.contains("could have written it:"), "\(found.output)")
      #expect(found.output.contains("undecided:"), "\(found.output)")
      #expect(
        found.output.contains(
          "App/Trip.swift:3: the type of 'Trip.days' cannot be read from its default"))
      #expect(found.output.contains("undecided: 1"))
      try writeStore(
        Self.manifest(1, "name: String") + "  Stop:\n    properties:\n      x: Int\n",
        repository.folder + "/../other.store")
      let other = try repository.schemagen("trace", "../other.store")
      #expect(!other.output.contains("undecided"), "\(other.output)")
    }
  }

  @Test("Containers decide which classes a store contains, if there are any")
  func containers() throws {
    try withRepository { repository in
      let trip = "@Model final class Trip {\n  var name: String\n  var days: Int\n}\n"
      try repository.write(trip, "App/Trip.swift")
      try repository.commit("Alone")
      try repository.write("@Model final class Note { var text: String }\n", "App/Note.swift")
      try repository.commit("Two")
      try repository.write(
        "let c = try ModelContainer(for: Trip.self, Note.self)\n", "App/Main.swift")
      try repository.commit("Both")
      try repository.write("let c = try ModelContainer(for: Trip.self)\n", "App/Main.swift")
      try repository.commit("Trips")
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.output.contains("2 commits could have written it:"), "\(found.output)")
      #expect(
        found.output.contains(
          "\"Two\"\n    as the classes in App\n    the repository has no tags\n    no container shows whether the store holds 'Note' as well"
        ), "\(found.output)")
      #expect(!found.output.contains("\"Both\""), "\(found.output)")
    }
  }

  @Test("Files that 'trace' cannot read are counted and named")
  func unread() throws {
    try withRepository { repository in
      try writeHistory(repository)
      try repository.write("version: 2.0.0\nmodels: [\n", "Schemas/V2.yaml")
      try repository.commit("Break it")
      try repository.write("Read me again\n", "README.md")
      try repository.commit("Still broken")
      try repository.write(
        "let text = \"" + String(repeating: "x", count: 5_000_000) + "\"\n", "App/Large.swift")
      try FileManager.default.createSymbolicLink(
        atPath: repository.folder + "/Link.swift", withDestinationPath: "App/Large.swift")
      try repository.write("@Model class \u{FEFF}\u{0} {{{ enum\n", "App/Odd.swift")
      try repository.commit("Odd")
      let found = try repository.schemagen("trace", Self.store)
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      #expect(found.output.contains("2 commits could have written it:"))
      #expect(found.output.contains("3 commits could not be read completely:"), "\(found.output)")
      #expect(found.output.contains("  Schemas/V2.yaml:"))
      #expect(
        found.output.contains("not read, since git lacks it or it is too large: App/Large.swift"))
      #expect(found.output.contains("symbolic links, not followed: Link.swift"))
      #expect(found.errors.contains("Schemas: the manifests have errors"), "\(found.errors)")
    }
  }

  @Test("'trace' reports a shallow clone and submodules")
  func incomplete() throws {
    try withRepository { repository in
      try writeHistory(repository)
      let outer = try Repository(repository.folder + "/../outer")
      try outer.git("submodule", "--quiet", "add", "../app", "Kit")
      try outer.commit("Add a submodule")
      let found = try outer.schemagen("trace", Self.store)
      #expect(found.status == 1)
      #expect(
        found.output.contains("submodules, which have a separate history: Kit"), "\(found.output)")
      try outer.write("<model/>", "App/M.xcdatamodeld/M 2.xcdatamodel/contents")
      try outer.write("<model/>", "App/M.xcdatamodeld/M.xcdatamodel/contents")
      try outer.commit("Add a model of Core Data's")
      let beside = try outer.schemagen("trace", Self.store).output
      #expect(
        beside.contains("Core Data models, not read by trace: App/M.xcdatamodeld; "),
        "\(beside)")
      #expect(beside.contains(" --schemas App/M.xcdatamodeld' compares the store with one"))
      try repository.git(
        "clone", "--quiet", "--depth", "1", "file://" + repository.folder, "../shallow")
      let clone = Repository(existing: repository.folder + "/../shallow")
      let shallow = try clone.schemagen("trace", Self.store)
      #expect(shallow.status == 1)
      #expect(shallow.output.contains("'git fetch --unshallow' fetches them"), "\(shallow.output)")
    }
  }

  @Test("If 'trace' cannot read the history or the store, it exits with 2 and advice")
  func trouble() throws {
    try withRepository { repository in
      let empty = try repository.schemagen("trace", Self.store)
      #expect(empty.status == 2)
      #expect(empty.errors.contains("the repository has no commit yet"), "\(empty.errors)")
      try writeHistory(repository)
      try repository.write("text\n", "no.store")
      let text = try repository.schemagen("trace", "no.store")
      #expect(text.status == 2)
      #expect(text.errors.hasPrefix("schemagen: 'no.store': "), "\(text.errors)")
      let gone = try repository.schemagen("trace", "gone.store")
      #expect(gone.status == 2)
      try repository.git("clone", "--quiet", "--bare", ".", "../bare.git")
      let bare = try Repository(existing: repository.folder + "/../bare.git")
        .schemagen("trace", Self.store)
      #expect(bare.status == 2)
      #expect(bare.errors.contains("it is bare"), "\(bare.errors)")
      let outside = try run(
        Checkout.schemagen, ["trace", Self.store, "--root", "/"], in: repository.folder,
        environment: Repository.environment)
      #expect(outside.status == 2, "\(outside.output)")
    }
  }
}
