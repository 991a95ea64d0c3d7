import Foundation
import SchemaMigrationKit
import Testing

/// Opens the store, with a backup before it is migrated.
func openStore<Container>(
  at store: URL, from: StoreVersion, to: StoreVersion, open: () throws -> Container
) throws -> Container {
  let backups = StoreBackups(of: store)
  try backups.recover()
  guard FileManager.default.fileExists(atPath: store.path), from < to else { return try open() }
  let backup = try backups.create(from: from, to: to)
  do {
    return try open()
  } catch {
    try backups.restore(backup)
    throw error
  }
}

extension MigrationPlanDescription {
  /// The description that is generated for an app.
  fileprivate static var notes: MigrationPlanDescription { Sample.plan() }
}

/// The coordinator of an app.
@MainActor
func makeCoordinator(for storeURL: URL) -> MigrationCoordinator<ModelContainer> {
  MigrationCoordinator(of: storeURL, plan: .notes) {
    try makeContainer(at: storeURL)
  }
}

/// A stand-in for SwiftData's container.
typealias ModelContainer = Sample.Container

@Sendable private func makeContainer(at storeURL: URL) throws -> ModelContainer {
  try Sample.open(storeURL)
}

/// Without views.
func migrate(_ storeURL: URL) async throws -> ModelContainer {
  let migration = StoreMigration(of: storeURL, plan: .notes)
  let run = migration.run { try makeContainer(at: storeURL) }
  for await progress in run.progress {
    print("\(Int(progress.fraction * 100)) % \(progress)")
  }
  let result = try await run.result
  print(result.report.validation?.description ?? "nothing to migrate")
  return result.container
}

/// Saves everything that can be read.
func salvage(_ storeURL: URL, to file: URL) throws {
  let report = try StoreSalvage(of: storeURL).write(to: file)
  print(report)
}

/// The coordinator of an app whose store has moved.
@MainActor
func makeCoordinator(
  for storeURL: URL, movingFrom oldURL: URL
) -> MigrationCoordinator<ModelContainer> {
  MigrationCoordinator(of: storeURL, plan: .notes, movingFrom: oldURL) {
    try makeContainer(at: storeURL)
  }
}

/// Moves the store without a coordinator, at every launch.
func moveStore(from oldURL: URL, to storeURL: URL?) async throws {
  let relocation = StoreRelocation(from: oldURL, to: storeURL)
  if case .alreadyMoved(.changed) = try await relocation.perform() {
    print("'\(oldURL.path)' was written to since the store has moved")
  }
}

/// The code that docs/launch.md and docs/cookbook/app-group.md give to apps.
@Suite struct LaunchTests {
  let folder: TemporaryFolder
  let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  @Test @MainActor func theCoordinator() async throws {
    try Sample.make(store)
    let coordinator = makeCoordinator(for: store)
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.container != nil)
  }

  @Test func withoutViews() async throws {
    try Sample.make(store)
    _ = try await migrate(store)
    #expect(try await StoreMigration(of: store, plan: .notes).check().stages.isEmpty)
  }

  @Test func whatCanBeRead() throws {
    try Sample.make(store)
    let file = folder.url.appendingPathComponent("notes.json")
    try salvage(store, to: file)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  private struct MigrationFailed: Error {}

  @Test func aMigrationThatWorks() throws {
    try makeStore(store, named: "old")
    let rows = try openStore(at: store, from: one, to: two) {
      try Connection(store).run("DELETE FROM ZITEM WHERE Z_PK > 10")
      return try contents(store).count
    }
    #expect(rows == 10)
    let backup = try #require(try StoreBackups(of: store).list().first)
    #expect(try contents(backup.url).count == 100)
  }

  @Test func aMigrationThatFailsHalfway() throws {
    try makeStore(store, named: "old")
    let before = try contents(store)
    #expect(throws: MigrationFailed.self) {
      try openStore(at: store, from: one, to: two) {
        try Connection(store).run("DELETE FROM ZITEM WHERE Z_PK > 10")
        throw MigrationFailed()
      }
    }
    #expect(try contents(store) == before)
    #expect(folder.names().contains { $0.hasPrefix("default_replaced_") })
  }

  @Test func withoutAStoreOrAMigrationThereIsNoBackup() throws {
    #expect(try openStore(at: store, from: one, to: two) { 1 } == 1)
    try makeStore(store, named: "old")
    #expect(try openStore(at: store, from: two, to: two) { 2 } == 2)
    #expect(try StoreBackups(of: store).list() == [])
  }

  @Test @MainActor func aStoreThatMoves() async throws {
    try Sample.make(store)
    let rows = try sampleContents(store)
    let new = folder.url.appendingPathComponent("Group/default.store")
    let coordinator = makeCoordinator(for: new, movingFrom: store)
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.container != nil)
    #expect(try sampleContents(new) == rows)
  }

  @Test func aStoreThatMovesWithoutACoordinator() async throws {
    try makeStore(store, named: "old")
    let before = try contents(store)
    let new = folder.url.appendingPathComponent("Group/default.store")
    for _ in 1...2 {
      try await moveStore(from: store, to: new)
      #expect(try contents(new) == before)
      try Connection(store).run("INSERT INTO ZITEM(ZNAME) VALUES ('by an old widget')")
    }
  }
}
