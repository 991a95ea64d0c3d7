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

/// What docs/launch.md tells apps to write.
@Suite struct LaunchTests {
  let folder: TemporaryFolder
  let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
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
}
