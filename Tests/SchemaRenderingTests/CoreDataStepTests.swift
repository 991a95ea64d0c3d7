import Foundation
import ManagedModels
import SchemaEvolution
import SchemaModel
import SchemaRendering
import SchemaWorkspace
import TestSupport
import Testing

/// The step at launch for stores of older versions of a Core Data model: its plan and its file.
@Suite struct CoreDataStepTests {
  private let evolution: Evolution
  private let current: ManagedModel

  init() throws {
    let folder = SchemaFolder.read(
      Checkout.root + "/Tests/Support/ExtrasModels/Schemas", fileSystem: Disk())
    evolution = try #require(folder.evolution)
    current = VersionModel.chain(of: evolution)[0].model
  }

  private func history(
    _ change: (inout CoreDataHistory) -> Void = { _ in }
  ) -> CoreDataHistory {
    var history = CoreDataHistory(
      modelName: "Library",
      versions: LibraryVersions.all(current).map {
        CoreDataHistory.Version(name: $0.0, model: $0.1)
      }, current: "Library 3")
    change(&history)
    return history
  }

  private func step(_ history: CoreDataHistory) throws -> CoreDataStep? {
    try CoreDataStep(history, evolution, proven: [:])
  }

  private func obstacle(
    _ change: (inout CoreDataHistory) -> Void
  ) -> CoreDataStep.Obstacle? {
    do {
      _ = try CoreDataStep(history(change), evolution, proven: [:])
      return nil
    } catch {
      return error
    }
  }

  private func files(_ step: CoreDataStep?) -> [String: String] {
    let files = Renderer(templates: TemplateStore(), coreDataStep: step).files(for: evolution)
    return Dictionary(files.map { ($0.path, $0.contents) }) { first, _ in first }
  }

  // MARK: What is worked out

  @Test func olderVersionsLeadToTheEqualOne() throws {
    let step = try #require(try step(history()))
    #expect(step.target == VersionNumber(1))
    #expect(step.hashes == current.versionHashes.entities.mapValues { $0.base64EncodedString() })
    #expect(step.origins.map(\.name) == ["Library", "Library 2"])
    #expect(step.origins.map(\.removed) == [["Scrap", "Snippet"], []])
    #expect(step.origins.allSatisfy { $0.renamed.isEmpty && $0.created.isEmpty })
  }

  /// A store of a version in the plan opens in place, and a version that looks like another counts as that one.
  @Test func whatNeedsNoStep() throws {
    let second = VersionModel.chain(of: evolution).last?.model
    #expect(try step(history { $0.versions.removeFirst(2) }) == nil)
    let step = try step(
      history { history in
        history.versions[0].model = second ?? current
        history.versions.insert(history.versions[1], at: 0)
        history.versions[0].name = "Library 1.5"
      })
    #expect(step?.origins.map(\.name) == ["Library 2"])
  }

  /// Core Data takes entities with one renaming identifier for one entity, and drops the rows of the others.
  @Test func entitiesThatWereRenamed() throws {
    let step = try step(
      history { history in
        let index = history.versions[0].model.entities.firstIndex { $0.name == "WriterModel" } ?? 0
        history.versions[0].model.entities[index].name = "Person"
        history.versions[2].renamingIdentifiers = ["WriterModel": "Person"]
      })
    let origins = try #require(step?.origins)
    #expect(origins[0].renamed == ["WriterModel": "Person"])
    #expect(origins[0].created == [])
    // The second model has the current name and another identifier.
    #expect(origins[1].renamed == [:])
    #expect(origins[1].removed == ["WriterModel"])
    #expect(origins[1].created == ["WriterModel"])
    let file = try #require(files(step)["CoreDataStep.swift"])
    #expect(file.contains(#""WriterModel": .renamed(from: "Person")"#))
    #expect(file.contains(#""WriterModel": .created"#))
  }

  @Test func obstacles() {
    #expect(obstacle { _ in } == nil)
    #expect(obstacle { $0.versions[1].name = "Library" } == .duplicateVersion("Library"))
    #expect(obstacle { $0.current = "Library 4" } == .noCurrentVersion("Library 4"))
    #expect(obstacle { $0.current = "Library 2" } == .noEqualVersion(current: "Library 2"))
    let doubt = HashDoubt(
      element: "NoteModel", reason: "nobody has seen it", evidence: "a store with it")
    #expect(
      obstacle { $0.versions[0].model.entities[0].unknowns = [doubt] }
        == .uncertainHashes(version: "Library", [doubt.text]))
  }

  // MARK: Files

  /// ExtrasTests compile the recorded file and run it. `RECORD=1` records it again.
  @Test func theFileIsTheOneThatIsRun() throws {
    let path = Checkout.root + "/Tests/ExtrasTests/CoreData/CoreDataStep.swift"
    let file = try #require(files(try step(history()))["CoreDataStep.swift"])
      .replacing("LibraryMigrationPlan", with: "CoreDataLibraryPlan")
      .replacing("MigrationStep.", with: "CoreDataLibraryStep.")
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try file.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOfFile: path, encoding: .utf8)
    #expect(recorded == file, "\(difference(from: recorded, to: file))")
  }

  @Test func otherFilesTakeTheStep() throws {
    let with = files(try step(history()))
    let without = files(nil)
    #expect(without["CoreDataStep.swift"] == nil)
    #expect(without.values.allSatisfy { !$0.contains("CoreDataStep") })
    let changed = with.filter { without[$0.key] != $0.value }.keys.sorted()
    #expect(
      changed == [
        "ActiveSchema.swift", "CoreDataStep.swift", "LibraryMigrationPlan+Description.swift",
        "LibraryMigrationPlanTests.swift",
      ])
    #expect(
      with["ActiveSchema.swift"]?.contains("try CoreDataStep.perform(on: configuration.url)")
        == true)
    #expect(
      with["LibraryMigrationPlan+Description.swift"]?.contains("coreData: CoreDataStep.description")
        == true)
  }

  @Test(
    "The generated Core Data step compiles in every mode and is formatted",
    .enabled(if: Checkout.runsEverything))
  func compiles() throws {
    for mode in CompilerMode.matrix {
      try withTemporaryFolder { folder in
        let modules = try compile(
          [Checkout.root + "/Tests/Support/CoreDataStandIn/CoreData.swift"], .swift6,
          flags: [
            "-module-name", "CoreData", "-package-name", "schemagen", "-emit-module-path",
            folder + "/CoreData.swiftmodule", "-enable-upcoming-feature",
            "InternalImportsByDefault",
          ])
        try #require(modules.status == 0, "\(modules.errors)")
        let cloud = try run(
          "swiftc",
          [
            "-emit-module", "-parse-as-library", "-module-name", "CloudKit", "-o",
            folder + "/CloudKit.swiftmodule",
            Checkout.root + "/Tests/Support/CloudKitStandIn/CloudKit.swift",
          ])
        try #require(cloud.status == 0, "\(cloud.errors)")
        var paths: [String] = []
        for (name, contents) in files(try step(history()))
        where name.hasSuffix(".swift") && !name.hasSuffix("Tests.swift")
          && name != "MigrationProgressView.swift" && name != "SchemaFixtures.swift"
        {
          let path = "\(folder)/\(URL(filePath: name).lastPathComponent)"
          try contents.write(toFile: path, atomically: true, encoding: .utf8)
          paths.append(path)
        }
        let result = try compile(
          paths.sorted(), mode, flags: ["-package-name", "reference", "-I", folder])
        #expect(result.status == 0, "\(mode): \(result.output)\(result.errors)")
        let lint = try run("swift", ["format", "lint", "-s"] + paths)
        #expect(lint.status == 0 && lint.errors.isEmpty, "\(lint.output)\(lint.errors)")
      }
    }
  }
}
