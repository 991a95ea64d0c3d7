import Foundation
import Testing

@testable import SchemaMigrationKit

@Suite struct RetentionTests {
  let folder: TemporaryFolder
  let store: URL
  let clock: Clock
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    let clock = try Clock("20250101T000000000Z")
    self.clock = clock
    backups = StoreBackups(of: store, now: { clock.now })
    try makeStore(store, named: "old", rows: 2, external: ["one"])
  }

  /// A backup of each version from the first to the last, ten days apart.
  private func make(_ versions: ClosedRange<Int>) throws -> [Backup] {
    try versions.map { number in
      defer { clock.advance(days: 10) }
      return try backups.create(
        from: StoreVersion(number, 0, 0), to: StoreVersion(number + 1, 0, 0))
    }
  }

  /// The versions of the existing backups, the newest first; 0 for an incomplete one.
  private func left() throws -> [Int] {
    try backups.list().map { $0.manifest?.from.major ?? 0 }
  }

  @Test func nothingGoesBeforeItHasShipped() throws {
    _ = try make(1...5)
    clock.advance(days: 400)
    #expect(try backups.prune().removed == [])
    #expect(try left() == [5, 4, 3, 2, 1])
  }

  @Test func whatIsOldOfOldVersionsAndShippedGoes() throws {
    let all = try make(1...5)
    try backups.markShipped(StoreVersion(5, 0, 0))
    try backups.markShipped(StoreVersion(4, 0, 0))
    #expect(try backups.shippedVersions() == [StoreVersion(4, 0, 0), StoreVersion(5, 0, 0)])
    // 50 and 40 days after the first and the second backup.
    #expect(try backups.prune().removed.map(\.url) == [all[1].url, all[0].url])
    #expect(
      folder.names().filter { $0.contains(all[0].url.deletingPathExtension().lastPathComponent) }
        == [])
    #expect(try backups.list().map(\.url) == [all[4].url, all[3].url, all[2].url])
    for backup in try backups.list() { try backups.verify(backup) }
  }

  @Test func whatIsYoungStays() throws {
    _ = try make(1...5)
    try backups.markShipped(StoreVersion(6, 0, 0))
    #expect(
      try backups.prune(keeping: RetentionRules(versions: 1, days: 35)).removed.map {
        $0.manifest?.from.major
      } == [2, 1])
    #expect(try left() == [5, 4, 3])
  }

  @Test func theOnlyOneStays() throws {
    let all = try make(1...2)
    clock.advance(days: 100)
    let rules = RetentionRules(versions: 0, days: 0, untilShipped: false)
    let pruning = try backups.prune(keeping: rules)
    #expect(pruning.removed == [all[0]])
    #expect(try backups.prune(keeping: rules).removed == [])
    #expect(try backups.list() == [all[1]])
  }

  /// Even if an older one is marked to be kept, people would want the newest one back.
  @Test func theNewestStaysBesideAMarkedOne() throws {
    let all = try make(1...2)
    try backups.mark(all[0], because: "it has rows that are nowhere else")
    clock.advance(days: 100)
    let rules = RetentionRules(versions: 0, days: 0, untilShipped: false)
    #expect(try backups.prune(keeping: rules).removed == [])
    #expect(try backups.list().map(\.url) == [all[1].url, all[0].url])
  }

  /// An unfinished backup cannot be relied on.
  @Test func anIncompleteOneDoesNotCountAsTheOnlyOne() throws {
    let all = try make(1...2)
    try FileManager.default.removeItem(
      at: all[1].url.deletingPathExtension().appendingPathExtension("json"))
    let rules = RetentionRules(versions: 0, days: 15, untilShipped: false)
    let pruning = try backups.prune(keeping: rules)
    #expect(pruning.removed == [])
    #expect(try left() == [0, 1])
    clock.advance(days: 100)
    #expect(try backups.prune(keeping: rules).removed.map(\.url) == [all[1].url])
    try FileManager.default.removeItem(
      at: all[0].url.deletingPathExtension().appendingPathExtension("json"))
    #expect(try backups.prune(keeping: rules).removed == [] && left() == [0])
  }

  @Test func aBrokenRecordKeepsMore() throws {
    _ = try make(1...5)
    try backups.markShipped(StoreVersion(9, 0, 0))
    try Data("{".utf8).write(
      to: backups.folder.appendingPathComponent("default.store_shipped.json"))
    #expect(try backups.shippedVersions() == [])
    #expect(try backups.prune().removed == [])
  }

  // MARK: Replaced stores

  @Test("Replaced stores are deleted after thirty days with their external files")
  func replacedStores() throws {
    let backup = try #require(try make(1...1).first)
    let rows = try contents(store)
    clock.advance(days: -10)
    let first = try #require(try backups.restore(backup).replaced)
    clock.advance(days: 20)
    let second = try #require(try backups.restore(backup).replaced)
    // Belongs to another store.
    let other = folder.url.appendingPathComponent("default_replaced_20200101T000000000Z.sqlite")
    try Data().write(to: other)
    let before = folder.names()
    clock.advance(days: 9)
    #expect(try backups.prune().removedReplacedStores == [])
    #expect(folder.names() == before)
    clock.advance(days: 1)
    #expect(try backups.prune().removedReplacedStores == [first])
    let stem = first.deletingPathExtension().lastPathComponent
    #expect(folder.names() == before.filter { !$0.contains(stem) })
    #expect(try !Disk.exists(folder.url.path + "/.\(stem)_SUPPORT"))
    clock.advance(days: 400)
    #expect(
      try backups.prune(keeping: RetentionRules(replacedStoreDays: nil)).removedReplacedStores == []
    )
    #expect(try backups.prune().removedReplacedStores == [second])
    #expect(try Disk.exists(other.path))
    #expect(try contents(store) == rows)
  }

  @Test("Remains of a partly deleted replaced store are deleted", arguments: ["", "-wal"])
  func replacedStoresInPart(suffix: String) throws {
    _ = try make(1...1)
    let rest = folder.url.appendingPathComponent(
      "default_replaced_20240101T000000000Z.store" + suffix)
    try Data().write(to: rest)
    #expect(try backups.prune().removedReplacedStores.count == 1)
    #expect(try !Disk.exists(rest.path))
  }

  @Test(
    "No replaced store is deleted while a migration is unsettled",
    arguments: [MigrationJournal.State.began, .failed, nil])
  func replacedStoresOfAMigration(state: MigrationJournal.State?) throws {
    let backup = try #require(try make(1...1).first)
    let replaced = try #require(try backups.restore(backup).replaced)
    let file = MigrationJournalFile(backups)
    if let state {
      try file.write(
        MigrationJournal(
          state: state, from: one, to: two, release: "", attempts: 1, date: backup.date,
          backup: backup.url.lastPathComponent, counts: [:], isRepeatable: true))
    } else {
      // An unreadable journal.
      try Data().write(to: URL(fileURLWithPath: file.path))
    }
    clock.advance(days: 400)
    #expect(try backups.prune().removedReplacedStores == [])
    try Disk.unlink(file.path)
    #expect(try backups.prune().removedReplacedStores == [replaced])
  }
}
