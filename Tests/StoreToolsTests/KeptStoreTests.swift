import Foundation
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// `schemagen stores`, and what `lint` and the hook report about kept stores: the real binary on stores that look like
/// those of Apple's framework.
@Suite struct KeptStoreTests {
  private static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String

    """
  private static let v2 = v1.replacing("1.0.0", with: "2.0.0") + "      notes: String?\n"
  private static let list = "Schemas/Stores/stores.yaml"

  /// A repository with V1, released, and V2, a draft. Beside it is `one.store`, of V1 with three trips.
  private func withApp(_ work: (Repository, String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let app = try Repository(folder + "/app")
      try app.write(Self.v1, "Schemas/V1.yaml")
      try app.write("documentation: none\n", "Schemas/schemagen.yaml")
      #expect(try app.schemagen("generate").status == 0)
      #expect(try app.schemagen("release", "V1").status == 0)
      try app.write(Self.v2, "Schemas/V2.yaml")
      #expect(try app.schemagen("generate").status == 0)
      _ = try store(folder + "/one.store", "V1", in: app)
      try work(app, folder)
    }
  }

  /// A store of a version with three trips, which claims to be 7.0.0.
  private func store(
    _ path: String, _ version: String, in app: Repository, isApples: Bool = true
  ) throws -> StoreFile {
    let evolution = try #require(
      SchemaFolder.read(app.folder + "/Schemas", fileSystem: Disk()).evolution)
    let index = try #require(evolution.history.firstIndex { $0.number.name == version })
    var model = VersionModel.history(of: evolution)[index].model
    model.versionIdentifier = "7.0.0"
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    try add(3, to: store)
    if isApples { try Stores.disguise(store, model) }
    return store
  }

  private func add(_ count: Int, to store: StoreFile) throws {
    var changes = StoreChanges()
    for key in try store.allocateKeys(of: "Trip", count: count) {
      let values: [StoredValue] = store.layout(of: "Trip").slots.map {
        $0.path == "name" ? .text("Trip \(key)") : .null
      }
      changes.inserted.append(StoreRow(id: ObjectID(entity: "Trip", key: key), values: values))
    }
    try store.apply(changes)
  }

  private func findings(_ finished: Finished) -> [String] {
    finished.output.split(separator: "\n").compactMap { line in
      line.range(of: #"\[[a-z-]+\]$"#, options: .regularExpression).map {
        String(line[$0].dropFirst().dropLast())
      }
    }
  }

  @Test("A store is kept under the version that its hashes prove")
  func add() throws {
    try withApp { app, folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let before = try Data(contentsOf: URL(filePath: folder + "/one.store"))
      let added = try app.schemagen(
        "stores", "add", "../one.store", "--build", "1.4 (31): Ada")
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.output == "Schemas/Stores/V1-1.4-31-Ada.store: kept, V1, 3 rows\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == names)
      #expect(try Data(contentsOf: URL(filePath: folder + "/one.store")) == before)
      let text = try app.text(Self.list)
      #expect(
        text.contains(
          "\nV1-1.4-31-Ada.store: { version: V1, build: \"1.4 (31): Ada\", rows: 3, sha256: "),
        "\(text)")
      func keptStores() throws -> [String] {
        try findings(app.schemagen("lint")).filter { $0.hasPrefix("kept-store") }
      }
      #expect(try keptStores() == [])
      let again = try app.schemagen("stores", "add", "../one.store")
      #expect(again.output == "Schemas/Stores/V1-1.4-31-Ada.store: kept before, V1, 3 rows\n")
      #expect(try app.text(Self.list) == text)
      // A program has opened the file: adding the same store again restores it.
      try Data([1]).write(to: URL(filePath: app.folder + "/Schemas/Stores/V1-1.4-31-Ada.store"))
      #expect(try keptStores() == ["kept-store-changed"])
      #expect(try app.schemagen("stores", "add", "../one.store").status == 0)
      #expect(try keptStores() == [])
    }
  }

  @Test("Keeping a store includes its external files")
  func largeValues() throws {
    try withApp { app, folder in
      let external = folder + "/.one_SUPPORT/_EXTERNAL_DATA"
      try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
      try Data("picture".utf8).write(to: URL(filePath: external + "/A"))
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.store", withDestinationPath: "one.store")
      #expect(try app.schemagen("stores", "add", "../link.store", "--build", "1").status == 0)
      #expect(try app.schemagen("lint").status == 0)
      #expect(
        try app.text("Schemas/Stores/.V1-1_SUPPORT/_EXTERNAL_DATA/A") == "picture")
      // A store that was copied into the folder by hand has its external files there.
      let inside = try store(app.folder + "/Schemas/Stores/mine.store", "V1", in: app)
      try add(1, to: inside)
      try app.write("another", "Schemas/Stores/.mine_SUPPORT/_EXTERNAL_DATA/B")
      #expect(
        try app.schemagen("stores", "add", "Schemas/Stores/mine.store").output
          == "Schemas/Stores/mine.store: kept, V1, 4 rows\n")
      #expect(try app.text("Schemas/Stores/.mine_SUPPORT/_EXTERNAL_DATA/B") == "another")
    }
  }

  @Test("Keeping a store includes the rows in its log and leaves the source unchanged")
  func log() throws {
    try withApp { app, folder in
      var live: StoreFile? = try store(folder + "/live.store", "V1", in: app)
      try add(2, to: #require(live))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      try #require(names.contains("live.store-wal"))
      let main = try Data(contentsOf: URL(filePath: folder + "/live.store"))
      // The remains of a killed run.
      try app.write("half", "Schemas/Stores/.schemagen-incoming-0123ABCD/kept.store")
      let added = try app.schemagen("stores", "add", "../live.store")
      #expect(added.output == "Schemas/Stores/V1.store: kept, V1, 5 rows\n", "\(added.errors)")
      #expect(try Data(contentsOf: URL(filePath: folder + "/live.store")) == main)
      let kept = try FileManager.default.contentsOfDirectory(atPath: app.folder + "/Schemas/Stores")
      #expect(kept.sorted() == ["V1.store", "stores.yaml"])
      live = nil
      // A store inside the folder, with a log, is added in place.
      var inside: StoreFile? = try store(app.folder + "/Schemas/Stores/mine.store", "V1", in: app)
      try add(4, to: #require(inside))
      let name = app.folder + "/Schemas/Stores/mine.store"
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: name + suffix, toPath: folder + "/m" + suffix)
      }
      inside = nil
      for suffix in ["", "-wal"] {
        try? FileManager.default.removeItem(atPath: name + suffix)
        try FileManager.default.moveItem(atPath: folder + "/m" + suffix, toPath: name + suffix)
      }
      #expect(
        try app.schemagen("stores", "add", "Schemas/Stores/mine.store").output
          == "Schemas/Stores/mine.store: kept, V1, 7 rows\n")
      #expect(try app.schemagen("lint").status == 0)
    }
  }

  @Test("A store that proves no shipped version is refused, and nothing is written")
  func refused() throws {
    try withApp { app, folder in
      func refusal(_ name: String, _ more: String...) throws -> (Int32, String) {
        let finished = try app.schemagen(["stores", "add", "../\(name)"] + more)
        let isThere = FileManager.default.fileExists(atPath: app.folder + "/" + Self.list)
        #expect(!isThere && finished.output.isEmpty)
        let left =
          (try? FileManager.default.contentsOfDirectory(atPath: app.folder + "/Schemas/Stores"))
          ?? []
        #expect(left == [])
        return (finished.status, finished.errors)
      }
      _ = try store(folder + "/two.store", "V2", in: app)
      let draft = try refusal("two.store")
      #expect(draft.0 == 1 && draft.1.contains("V2 has not shipped, according to the lock"))
      #expect(draft.1.contains("schemagen release V2\n"))
      _ = try store(folder + "/ours.store", "V1", in: app, isApples: false)
      let ours = try refusal("ours.store")
      #expect(ours.0 == 1 && ours.1.contains("it was written by a rehearsal, not by Apple's"))
      let strange = try Stores.write(folder + "/x.store")
      try Stores.disguise(strange, Stores.trips)
      let none = try refusal("x.store")
      #expect(none.0 == 1 && none.1.contains("it matches none of the versions"))
      #expect(none.1.contains("schemagen doctor ../x.store\n"), "\(none.1)")
      let whole = try Data(contentsOf: URL(filePath: folder + "/one.store"))
      try whole.prefix(5_000).write(to: URL(filePath: folder + "/cut.store"))
      #expect(try refusal("cut.store").0 == 2)
      #expect(try refusal("none.store").0 == 2)
    }
  }

  @Test(
    "A kept store that is missing, altered or not listed is an error")
  func check() throws {
    try withApp { app, folder in
      #expect(try app.schemagen("release", "V2").status == 0)
      _ = try store(folder + "/two.store", "V2", in: app)
      for name in ["one", "two"] {
        #expect(try app.schemagen("stores", "add", "../\(name).store").status == 0)
      }
      let stores = app.folder + "/Schemas/Stores/"
      let (text, one) = (
        try app.text(Self.list), try Data(contentsOf: URL(filePath: stores + "V1.store"))
      )
      #expect(try app.schemagen("lint", "--strict").status == 0)

      /// The findings during a change, which is then undone.
      func found(_ change: () throws -> Void) throws -> [String] {
        try change()
        let checked = try app.schemagen("lint")
        #expect((checked.status == 1) == checked.output.contains("error:"), "\(checked.output)")
        try app.write(text, Self.list)
        try one.write(to: URL(filePath: stores + "V1.store"))
        for name in ["V1.store-wal", "copy.store"] {
          try? FileManager.default.removeItem(atPath: stores + name)
        }
        return findings(checked)
      }
      #expect(
        try found { try app.write(nil, "Schemas/Stores/V1.store") } == ["kept-store-missing"])
      #expect(
        try found { try (one + [0]).write(to: URL(filePath: stores + "V1.store")) }
          == ["kept-store-changed"])
      #expect(
        try found { try one.write(to: URL(filePath: stores + "copy.store")) }
          == ["kept-store-missing"])
      #expect(
        try found { try Data([1]).write(to: URL(filePath: stores + "V1.store-wal")) }
          == ["kept-store-changed"])
      // Its name and digest match the list, but its hashes do not.
      #expect(
        try found {
          try app.write(
            text.replacing(
              "V1.store: { version: V1", with: "V1.store: { version: V2"),
            Self.list)
        } == ["version-without-store", "kept-store-version"])
      for broken in [
        "- a\n", "V1.store: 3\n", "V1.store: { version: V1 }\n",
        text.replacing("V2.store: { version", with: "V2.store: { versoin"),
        text.replacing("V2.store", with: "V1.store"),
        text.replacing("V2.store", with: "../V2.store"),
        text.replacing("rows: 3", with: "rows: -3"), "V1.store: [ \n",
      ] {
        let rules = try found { try app.write(broken, Self.list) }
        #expect(!rules.isEmpty, "\(broken)")
        #expect(
          Set(rules).isSubset(of: ["broken-store-list", "yaml-syntax", "duplicate-key"]), "\(rules)"
        )
      }
      // Git LFS leaves the digest, which is enough to identify the file, but not to open it.
      let digest = text.components(separatedBy: "sha256: ")[1].prefix(64)
      func pointer(_ digest: some StringProtocol) -> String {
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize \(one.count)\n"
      }
      #expect(
        try found { try app.write(pointer(digest), "Schemas/Stores/V1.store") }
          == ["kept-store-not-fetched"])
      #expect(
        try found {
          try app.write(pointer(String(repeating: "0", count: 64)), "Schemas/Stores/V1.store")
        }
          == ["kept-store-changed"])
    }
  }

  @Test("A shipped version without a kept store is reported with the configured severity")
  func without() throws {
    try withApp { app, _ in
      // No store has been kept yet.
      #expect(try !app.schemagen("lint").output.contains("store]"))
      #expect(try app.schemagen("stores", "add", "../one.store").status == 0)
      #expect(try app.schemagen("release", "V2").status == 0)
      for (level, status, count) in [("warning", 0, 1), ("error", 1, 1), ("off", 0, 0)] {
        try app.write(
          "documentation: none\nrules: { version-without-store: \(level) }\n",
          "Schemas/schemagen.yaml")
        let checked = try app.schemagen("lint")
        #expect(checked.status == status)
        #expect(findings(checked).count == count)
        #expect(count == 0 || checked.output.contains("\(level): V2 has shipped"))
      }
    }
  }

  @Test("The hook checks staged stores in any folder")
  func hook() throws {
    try withApp { app, folder in
      try app.write("documentation: none\nstores: ../Tests/Stores\n", "Schemas/schemagen.yaml")
      #expect(try app.schemagen("stores", "add", "../one.store").status == 0)
      try app.commit("one")
      let path = "Tests/Stores/V1.store"
      let url = URL(filePath: app.folder + "/" + path)
      let whole = try Data(contentsOf: url)
      // The change is only on disk and not in the commit.
      try (whole + [0]).write(to: url)
      try app.write("// more\n", "App.swift")
      try app.git("add", "App.swift")
      #expect(try app.schemagen("hook", "run").status == 0)
      try app.git("add", path)
      let stopped = try app.schemagen("hook", "run")
      #expect(stopped.status == 1 && findings(stopped) == ["kept-store-changed"], "\(stopped)")
      try whole.write(to: url)
      try app.git("add", path)
      #expect(try app.schemagen("hook", "run").status == 0)
    }
  }
}
