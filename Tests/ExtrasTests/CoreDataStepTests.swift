import CoreData
import Foundation
import ManagedModels
import SchemaMigrationKit
import StoreEngine
import StoreFormat
import SwiftData
import Testing

@testable import ExtrasModels

/// The members that the generated step calls in the module to which it would belong.
enum CoreDataLibraryStep {
  static func run(_ title: String, _ work: () throws -> Void) throws {
    try ExtrasModels.MigrationStep.run(title, work)
  }
}

/// The library's plan, as it is generated if there is a Core Data model.
enum CoreDataLibraryPlan {
  static var planDescription: MigrationPlanDescription {
    let plan = LibraryMigrationPlan.planDescription
    return MigrationPlanDescription(
      versions: plan.versions, stages: plan.stages, retired: plan.retired,
      retiredThrough: plan.retiredThrough, coreData: CoreDataStep.description)
  }
}

/// The generated step with a stand-in for Core Data: stores of every older version migrate to the plan's newest
/// version.
@Suite(.serialized) struct CoreDataStepTests {
  private let versions = LibraryVersions.all(
    Schema(versionedSchema: LibrarySchemaV1.self).managedModel)

  /// A folder with a store of the library's first version, whose model is then replaced, and with the app's bundle.
  private func withStore(
    of position: Int, compiled: [(String, ManagedModel)]? = nil,
    _ work: (_ store: URL, _ bundle: Bundle) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let app = folder.appending(path: "App.bundle")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let compiled = compiled ?? versions
    if !compiled.isEmpty {
      try NSManagedObjectModel.compile(compiled, to: app.appending(path: "Library.momd"))
    }
    let store = folder.appending(path: "default.store")
    try makeStore(store, position)
    try await work(store, try #require(Bundle(url: app)))
  }

  /// The rows of the first version's fixture in a store of an older model, and two more rows if that model can have
  /// them.
  private func makeStore(_ store: URL, _ position: Int) throws {
    try SchemaFixtures.Version.v1.makeStore(at: store)
    guard position < 2 else { return }
    let file = try StoreFile(at: .file(store))
    try file.adopt(versions[2].1)
    try file.migrate(to: versions[position].1)
    guard position == 0 else { return }
    var changes = StoreChanges()
    for key in try file.allocateKeys(of: "Snippet", count: 2) {
      changes.inserted.append(
        StoreRow(
          id: ObjectID(entity: "Snippet", key: key),
          values: file.layout(of: "Snippet").slots.map { _ in .text("gone") }))
    }
    try file.apply(changes)
  }

  /// All values that the newest version has, and the number of rows that links lead to.
  private func contents(_ container: ModelContainer) throws -> [String] {
    let context = ModelContext(container)
    func texts(_ values: [SchemaDebugReport.Value], _ model: String) -> String {
      "\(model): " + values.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
    return
      (try context.fetch(FetchDescriptor<ActiveAuthorModel>())
      .map { texts($0.debugValues, "author") }
      + context.fetch(FetchDescriptor<ActiveBookModel>()).map { texts($0.debugValues, "book") }
      + context.fetch(FetchDescriptor<ActiveNoteModel>()).map { texts($0.debugValues, "note") }
      + context.fetch(FetchDescriptor<ActiveShelfModel>()).map { texts($0.debugValues, "shelf") }
      + context.fetch(FetchDescriptor<ActiveLabelModel>()).map { texts($0.debugValues, "label") }
      + context.fetch(FetchDescriptor<ActiveSettingsModel>())
      .map { texts($0.debugValues, "settings") }).sorted()
  }

  private func migration(_ store: URL) -> StoreMigration {
    StoreMigration(of: store, plan: CoreDataLibraryPlan.planDescription)
  }

  /// As the generated `ActiveSchema.container` opens it.
  private func open(
    _ store: URL, _ bundle: Bundle, options: [String: Bool] = [:]
  ) throws -> ModelContainer {
    try CoreDataStep.perform(on: store, modelIn: bundle, options: options)
    return try ActiveSchema.container(
      configurations: [ModelConfiguration(url: store, cloudKitDatabase: .none)])
  }

  private struct App: @unchecked Sendable {
    var bundle: Bundle
  }

  @Test(
    "A store of each Core Data version reaches the newest version with every value",
    arguments: 0...2)
  func theWholeWay(_ position: Int) async throws {
    try await withStore(of: position) { store, bundle in
      let app = App(bundle: bundle)
      let run = migration(store).run { try open(store, app.bundle) }
      var told: [String] = []
      for await progress in run.progress { told.append("\(progress)") }
      let result = try await run.result
      let validation = try #require(result.report.validation)
      #expect(validation.isValid, "\(validation)")
      let name = ["Library", "Library 2"].dropFirst(position).first
      #expect(result.report.coreDataVersion == name)
      #expect(result.report.from == StoreVersion(1, 0, 0))
      if let name {
        #expect(told.contains { $0.hasPrefix("Step 1 of 5: \(name) → V1: Core Data") }, "\(told)")
        #expect(told.contains { $0.hasPrefix("Step 3 of 5: V1 → V2") }, "\(told)")
      }
      // The result equals that of the plan's stages alone; properties that only the newer model had are nil.
      let plain = store.deletingLastPathComponent().appending(path: "plain.store")
      try SchemaFixtures.Version.v1.makeStore(at: plain)
      let expected = try contents(
        ActiveSchema.container(
          configurations: [ModelConfiguration(url: plain, cloudKitDatabase: .none)]))
      #expect(expected.count == 18)
      #expect(
        try contents(result.container)
          == (position == 0
            ? expected.map { $0.replacing(#/ rating [^,]*/#, with: " rating nil") } : expected))
    }
  }

  @Test("A store that needs no Core Data step opens without the compiled model")
  func noModelWhereNoneIsNeeded() async throws {
    try await withStore(of: 2, compiled: []) { store, bundle in
      let context = ModelContext(try open(store, bundle))
      #expect(try context.fetchCount(FetchDescriptor<ActiveBookModel>()) == 3)
    }
    // The step does not create a store where there is none.
    try await withStore(of: 2, compiled: []) { store, bundle in
      let other = store.deletingLastPathComponent().appending(path: "other.store")
      try CoreDataStep.perform(on: other, modelIn: bundle)
      #expect(!FileManager.default.fileExists(atPath: other.path))
      try Data().write(to: other)
      try CoreDataStep.perform(on: other, modelIn: bundle)
    }
  }

  /// One app released this four times: its users' stores were silently replaced by empty ones.
  @Test("Without the compiled model a store is not opened and stays unchanged")
  func theModelIsMissing() async throws {
    try await withStore(of: 0, compiled: []) { store, bundle in
      try await expectFailure(
        store, bundle, "'Library.momd' is in no bundle of the app: add Library.xcdatamodeld")
      #expect(throws: CoreDataStep.Failure.noModel) { try CoreDataStep.model(in: bundle) }
      // None of the tests' bundles has it.
      #expect(throws: CoreDataStep.Failure.noModel) { try CoreDataStep.model() }
    }
  }

  @Test("A compiled model from another release is refused")
  func theModelOfAnotherRelease() async throws {
    try await withStore(of: 0, compiled: Array(versions.prefix(2))) { store, bundle in
      try await expectFailure(
        store, bundle, "the current version of 'Library.momd' is not 'Library 3'")
      #expect(
        throws: CoreDataStep.Failure.otherModel([
          "BookModel", "LabelModel", "SettingsModel", "ShelfModel", "WriterModel",
        ])
      ) { try CoreDataStep.model(in: bundle) }
    }
  }

  @Test("If the compiled model lacks the store's version, Core Data's error is reported")
  func theOldVersionIsMissing() async throws {
    try await withStore(of: 0, compiled: Array(versions.suffix(1))) { store, bundle in
      try await expectFailure(store, bundle, "Can't find model for source store")
    }
  }

  @Test("The app's own options override those of the step")
  func options() async throws {
    try await withStore(of: 1) { store, bundle in
      #expect(throws: (any Error).self) {
        try open(store, bundle, options: [NSInferMappingModelAutomaticallyOption: false])
      }
    }
  }

  @Test("The compiled model has the hashes of the version it belongs to")
  func compiledModel() async throws {
    try await withStore(of: 0) { _, bundle in
      let model = try CoreDataStep.model(in: bundle)
      #expect(model.entityVersionHashesByName == versions[2].1.versionHashes.entities)
    }
  }

  private func expectFailure(_ store: URL, _ bundle: Bundle, _ reason: String) async throws {
    let before = try await migration(store).check()
    let app = App(bundle: bundle)
    let run = migration(store).run { try open(store, app.bundle) }
    let failure = try await #require(throws: MigrationFailure.self) { _ = try await run.result }
    #expect(failure.kind == .open)
    #expect(failure.reason.contains(reason), "\(failure.reason)")
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    let after = try await migration(store).check()
    #expect(after.verdict == before.verdict)
    #expect(after.rowCounts == before.rowCounts)
    #expect(after.rowCounts["BookModel"] == 3)
  }
}
