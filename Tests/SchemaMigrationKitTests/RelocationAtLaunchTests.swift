import Foundation
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// A store is moved and then migrated at its new place.
@Suite(.serialized) struct RelocationAtLaunchTests {
  let folder: TemporaryFolder
  private var old: URL { folder.old }
  private var new: URL { folder.new }

  init() throws { folder = try TemporaryFolder() }

  private func migration(
    _ options: StoreMigration.Options = .init(lockTimeout: 1)
  ) -> StoreMigration {
    StoreMigration(of: new, plan: Sample.plan(), movingFrom: old, options: options)
  }

  private func run(_ migration: StoreMigration) async throws -> MigrationReport {
    try await migration.run { [new] in try Sample.open(new) }.result.report
  }

  @Test func itMovesAndThenMigrates() async throws {
    try Sample.make(old)
    let rows = try sampleContents(old)
    let run = migration().run { [new] in try Sample.open(new) }
    var phases: [MigrationProgress.Phase] = []
    for await progress in run.progress where phases.last != progress.phase {
      phases.append(progress.phase)
    }
    let report = try await run.result.report
    #expect(phases == [.moving, .checking, .backingUp, .migrating, .validating, .done])
    #expect(report.relocation == .moved)
    #expect(report.wasMigrated)
    #expect(try sampleContents(new) == rows)
    #expect(try sampleContents(old) == rows)

    try Connection(old).run("UPDATE ZFOLDER SET ZNAME = 'by an old widget' WHERE Z_PK = 1")
    let later = try await self.run(migration())
    #expect(later.relocation == .alreadyMoved(.changed))
    #expect(later.notes.contains { $0.contains(old.path) })
  }

  @Test @MainActor func theCoordinatorSaysWhyItCannotMove() async throws {
    try Sample.make(old)
    try folder.makeNewFolder()
    try Sample.make(new, notes: 1)
    let coordinator = MigrationCoordinator(of: new, plan: Sample.plan(), movingFrom: old) { [new] in
      try Sample.open(new)
    }
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.migrationState.failure?.kind == .relocation(.storeExists))
    #expect(coordinator.container == nil)
  }

  /// An unfinished migration of an earlier release is not moved half-way.
  @Test(arguments: [[:], ["STASH": "1"]])
  func anUpdateThatWasInterruptedAtTheOldPlace(options: [String: String]) async throws {
    try Sample.make(old)
    let rows = try sampleContents(old)
    var interrupted = 0
    try await folder.killing("migrate", options) { copy, outcome in
      let new = copy.new
      let journal = copy.url.path + "/Backups/default.store_migration.json"
      if try Disk.exists(journal) { interrupted += 1 }
      let migration = StoreMigration(of: new, plan: Sample.plan(), movingFrom: copy.old)
      let report = try await migration.run { try Sample.open(new) }.result.report
      #expect(report.relocation == .moved, "\(outcome.errors)")
      #expect(try sampleContents(new) == rows, "\(outcome.errors)")
    }
    #expect(interrupted > 3)
  }

  @Test func anUpdateThatIsUnderWayAtTheOldPlaceIsWaitedFor() async throws {
    try Sample.make(old)
    let source = StoreBackups(of: old)
    let lock = try #require(try source.lockMigration())
    let failure = try await #require(throws: MigrationFailure.self) { try await run(migration()) }
    #expect(failure.kind == .busy)
    Disk.unlock(lock)
    #expect(try await run(migration()).relocation == .moved)
  }

  /// The record of the version and of missing rows is moved too.
  @Test func theRecordComesAlong() async throws {
    try Sample.make(old)
    try VersionRecordFile(StoreBackups(of: old)).update {
      $0.current = one
      $0.unacknowledgedLoss = "rows were lost"
    }
    #expect(try await run(migration()).notes == ["rows were lost"])
  }

  @Test(.enabled(if: Checkout.runsEverything)) func theRecordComesAlongAlsoAfterAKill() async throws
  {
    try Sample.make(old)
    try VersionRecordFile(StoreBackups(of: old)).update { $0.unacknowledgedLoss = "rows were lost" }
    try await folder.killing("move") { copy, outcome in
      let new = copy.new
      let migration = StoreMigration(of: new, plan: Sample.plan(), movingFrom: copy.old)
      let report = try await migration.run { try Sample.open(new) }.result.report
      #expect(report.notes == ["rows were lost"], "\(outcome.errors)")
    }
  }

  /// Otherwise the next launch would replace the moved store with that store's backup.
  @Test func anUpdateThatWasInterruptedAtTheNewPlaceIsInTheWay() async throws {
    try Sample.make(old)
    try folder.makeNewFolder()
    try Sample.make(new)
    #expect(try StandIn.run("migrate", new, ["KILL_AT": "carried rows"]).wasKilled)
    let before = try sampleContents(new)
    let failure = try await #require(throws: MigrationFailure.self) {
      try await run(migration(.init(existingStore: .putAside)))
    }
    #expect(failure.kind == .relocation(.storeExists))
    #expect(failure.reason.contains("was interrupted"))
    #expect(try sampleContents(new) == before)
  }
}
