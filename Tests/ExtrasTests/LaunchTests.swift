import ExtrasModels
import Foundation
import SchemaMigrationKit
import SwiftData
import Testing

/// The generated plan and its description, run by `SchemaMigrationKit`.
@Suite(.serialized) struct LaunchTests {
  private func withStore(
    of version: SchemaFixtures.Version, _ work: (URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "default.store")
    try version.makeStore(at: store)
    try await work(store)
  }

  @Test(
    "A store of each version is recognised, with the stages that will run",
    arguments: zip(SchemaFixtures.Version.allCases, [4, 1, 0]))
  func recognised(_ version: SchemaFixtures.Version, _ stages: Int) async throws {
    try await withStore(of: version) { store in
      let report = try StorePreflight(of: store, plan: LibraryMigrationPlan.planDescription).check()
      #expect(report.verdict.version?.name == version.rawValue, "\(report)")
      #expect(report.stages.count == stages)
      #expect(report.rowCounts["BookModel"] == 3)
    }
  }

  @Test("A store is backed up, migrated and validated, with progress")
  func migrates() async throws {
    try await withStore(of: .v1) { store in
      let plan = LibraryMigrationPlan.planDescription
      let run = StoreMigration(of: store, plan: plan).run {
        try ActiveSchema.container(
          configurations: [ModelConfiguration(url: store, cloudKitDatabase: .none)])
      }
      var told: [String] = []
      for await progress in run.progress { told.append("\(progress)") }
      let result = try await run.result
      let validation = try #require(result.report.validation)
      #expect(validation.isValid, "\(validation)")
      let authors = validation.counts.first { $0.entity == "AuthorModel" }
      #expect(authors?.before == 3 && authors?.after == 3, "the writers of V1")
      #expect(
        told.contains { $0.contains("Step 2 of 4: V1 → V2: Prices in cents, ratings as numbers") },
        "\(told)")
      let context = ModelContext(result.container)
      #expect(try context.fetchCount(FetchDescriptor<ActiveAuthorModel>()) == 3)
      let backups = try StoreBackups(of: store).list()
      #expect(backups.map { $0.manifest?.from } == [StoreVersion(1, 0, 0)])
    }
  }

  @Test("An error while opening fails the migration, and the store is restored")
  func failure() async throws {
    struct Refused: Error {}
    try await withStore(of: .v1) { store in
      let plan = LibraryMigrationPlan.planDescription
      let run = StoreMigration(of: store, plan: plan).run { () throws -> ModelContainer in
        throw Refused()
      }
      for await _ in run.progress {}
      await #expect(throws: MigrationFailure.self) { _ = try await run.result }
      let report = try await StorePreflight(of: store, plan: plan).check()
      #expect(report.verdict.version?.name == "V1")
    }
  }

  @Test("If rows are lost, the container is released and the backup restored")
  func lostRows() async throws {
    try await withStore(of: .v1) { store in
      let plan = LibraryMigrationPlan.planDescription
      let before = try await StorePreflight(of: store, plan: plan).check()
      let run = StoreMigration(of: store, plan: plan).run {
        let container = try ActiveSchema.container(
          configurations: [ModelConfiguration(url: store, cloudKitDatabase: .none)])
        let context = ModelContext(container)
        for author in try context.fetch(FetchDescriptor<ActiveAuthorModel>()) {
          context.delete(author)
        }
        try context.save()
        return container
      }
      let failure = try await #require(throws: MigrationFailure.self) { _ = try await run.result }
      #expect(failure.kind == .rowsLost)
      guard case .restored = failure.store else {
        Issue.record("\(failure)")
        return
      }
      let after = try await StorePreflight(of: store, plan: plan).check()
      #expect(after.verdict == before.verdict)
      #expect(after.rowCounts == before.rowCounts)
    }
  }
}
