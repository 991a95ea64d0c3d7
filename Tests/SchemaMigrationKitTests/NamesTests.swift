import Foundation
import Testing

@testable import SchemaMigrationKit

/// The names of journals, backups and records, and which store they belong to.
@Suite(.serialized) struct NamesTests {
  let folder: TemporaryFolder
  let store: URL
  /// By Core Data's rule, the external files of both are in the same folder.
  let other: URL
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    other = folder.url.appendingPathComponent("default.sqlite")
    backups = StoreBackups(of: store)
  }

  private struct Broken: Error {}

  private func migrate(_ store: URL) async throws -> MigrationReport {
    let migration = StoreMigration(
      of: store, plan: Sample.plan(), options: StoreMigration.Options(release: "1"))
    return try await migration.run { try Sample.open(store) }.result.report
  }

  private func refusal(_ store: URL) async throws -> MigrationFailure {
    try await #require(throws: MigrationFailure.self) { _ = try await migrate(store) }
  }

  /// A store whose migration was killed at the bridge, and its contents before.
  private func interrupt(_ store: URL) throws -> [String] {
    try Sample.make(store)
    let before = try sampleContents(store)
    let backups = StoreBackups(of: store)
    let backup = try backups.create(from: one, to: StoreVersion(3, 0, 0))
    try MigrationJournalFile(backups).write(
      MigrationJournal(
        from: one, to: StoreVersion(3, 0, 0), release: "1", attempts: 1, date: backup.date,
        backup: backup.url.lastPathComponent, counts: ["Note": 40, "Folder": 2, "Tag": 1],
        isRepeatable: true))
    do {
      _ = try Sample.open(store) { if $0 == "at the bridge" { throw Broken() } }
    } catch is Broken {}
    return before
  }

  @Test func storesThatDifferInTheirExtensionsShareNothing() async throws {
    let before = try interrupt(store)
    try Sample.make(other, notes: 20)
    let otherBefore = try sampleContents(other)
    #expect(try await migrate(other).attempts == 1)
    #expect(try sampleContents(other) == otherBefore)
    #expect(try MigrationJournalFile(backups).read()?.attempts == 1)
    #expect(VersionRecord.read(of: store).current == nil)
    try await StoreBackups(of: other).markShipped(StoreVersion(3, 0, 0))
    #expect(try backups.shippedVersions() == [])
    let report = try await migrate(store)
    #expect(report.attempts == 2)
    #expect(report.validation?.isValid == true)
    #expect(try sampleContents(store) == before)
    for store in [store, other] {
      let listed = try StoreBackups(of: store).list()
      #expect(listed.count == 1)
      #expect(listed.first?.manifest?.store == store.lastPathComponent)
    }
  }

  @Test func aJournalOfAnotherStoreIsNotTakenForItsOwn() async throws {
    _ = try interrupt(store)
    let path = MigrationJournalFile(backups).path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "\"default.store\"", with: "\"notes.store\"")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let failure = try await refusal(store)
    #expect(failure.kind == .journal)
    #expect(failure.reason.contains("it belongs to 'notes.store'"), "\(failure)")
  }

  /// Core Data names the folder of external files without the extension, so it may belong to either store.
  @Test func aRestoreTakesNoExternalFilesFromAnotherStore() throws {
    try makeStore(store, named: "one", external: ["a"])
    let backup = try backups.create(from: one, to: two)
    try makeStore(other, named: "two", external: ["b"])
    let before = try contents(other)
    try backups.restore(backup)
    #expect(try contents(other) == before)
    #expect(try contents(store).last == "one a")
  }

  /// A file name has at most 255 bytes, and SQLite adds up to 8.
  @Test(arguments: [200, 201, 215, 230, 247])
  func longNames(length: Int) async throws {
    let stem = String(repeating: "ä", count: (length - 6) / 2) + (length % 2 == 0 ? "" : "x")
    let names = [stem + ".store", String(stem.dropLast()) + "y.store"]
    #expect(names[0].utf8.count == length)
    for name in names {
      let store = folder.url.appendingPathComponent(name)
      try Sample.make(store)
      if length <= 230 { try writeExternal("one", of: store, name) }
      let before = try sampleContents(store)
      let migration = StoreMigration(
        of: store, plan: Sample.plan(), options: StoreMigration.Options(release: "1"))
      let failure = try await #require(throws: MigrationFailure.self) {
        _ = try await migration.run { () throws -> Int in
          _ = try Sample.open(store) { if $0 == "at the bridge" { throw Broken() } }
          return 0
        }.result
      }
      guard case .restored(let replaced?) = failure.store else {
        Issue.record("\(failure)")
        return
      }
      #expect(try sampleContents(replaced).count == before.count)
      #expect(try sampleContents(store) == before)
      #expect(try await migrate(store).attempts == 2)
      #expect(try sampleContents(store) == before)
      #expect(try StoreBackups(of: store).list().count == 2)
    }
  }
}
