import Foundation
import ManagedModels
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Migrations killed at every step, and full disks: the result is the original, the complete new store, or an error
/// that says what happened.
@Suite(.enabled(if: Checkout.runsEverything)) struct MigrationFaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ folder: TemporaryFolder) -> URL {
    folder.url.appendingPathComponent("default.store")
  }

  /// The store's version and rows, without changing anything.
  private func found(_ folder: TemporaryFolder) throws -> (version: String, rows: [String]) {
    let copy = try folder.copy()
    return try withExtendedLifetime(copy) {
      let report = try StorePreflight(of: store(copy), plan: Sample.plan()).check()
      return (
        try #require(report.verdict.version, "\(report)").name, try sampleContents(store(copy))
      )
    }
  }

  /// Runs the migration in copies, killed at the first step, at the second, and so on until it finishes.
  private func killed(
    _ environment: [String: String] = [:],
    _ check: (_ place: Int, TemporaryFolder, Outcome) throws -> Void
  ) throws -> Int {
    for place in 1...1000 {
      let copy = try folder.copy()
      let outcome = try StandIn.run(
        "migrate", store(copy), environment.merging(["KILL_AT": "\(place)"]) { $1 })
      try check(place, copy, outcome)
      if !outcome.wasKilled {
        #expect(outcome.status == 0, "\(outcome)")
        return place
      }
    }
    Issue.record("the migration has no end")
    return 0
  }

  private func expectDone(_ folder: TemporaryFolder, _ before: [String], _ context: String) throws {
    let (version, rows) = try found(folder)
    #expect(version == "V3", "\(context)")
    #expect(rows == before, "\(context)")
    let names = folder.names()
    #expect(
      !names.contains { $0.contains("_migration.json") || $0.contains("partial") }, "\(names)")
    let backups = StoreBackups(of: store(folder))
    let backup = try #require(try backups.list().first { $0.manifest != nil })
    try backups.verify(backup)
    #expect(
      try StorePreflight(of: backup.url, plan: Sample.plan()).check().verdict.version?.name
        == "V1", "\(context)")
    #expect(try sampleContents(backup.url) == before, "\(context)")
    #expect(VersionRecord.read(of: store(folder)).current == StoreVersion(3, 0, 0))
  }

  @Test func killedAtEveryStep() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    var versions: [String] = []
    var attempts: Set<String> = []
    let steps = try killed { place, copy, outcome in
      let (version, rows) = try found(copy)
      versions.append(version)
      #expect(rows.count == before.count, "\(outcome.errors)")
      let second = try StandIn.run("migrate", store(copy))
      #expect(second.status == 0, "\(outcome.errors) \(second)")
      attempts.insert(second.output)
      try expectDone(copy, before, outcome.errors)
      // The first attempt's backup is not made again from the store that the kill left.
      let complete = try StoreBackups(of: store(copy)).list().filter { $0.manifest != nil }
      #expect(complete.count == 1 || complete.allSatisfy { $0.manifest?.from == one })
    }
    #expect(steps > 18)
    #expect(
      versions
        == versions.sorted { one, other in
          let order = ["V1", "V2ToV3", "V3"]
          return order.firstIndex(of: one)! < order.firstIndex(of: other)!
        })
    #expect(Set(versions) == ["V1", "V2ToV3", "V3"])
    #expect(attempts == ["1 true\n", "2 true\n", "0 true\n"])
  }

  /// A stage that keeps values in memory loses them when killed; the backup restores them.
  @Test func aStageThatCannotBeRepeatedKilledAtEveryStep() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    var lost = 0
    _ = try killed(["STASH": "1"]) { place, copy, outcome in
      if try found(copy).rows != before { lost += 1 }
      let second = try StandIn.run("migrate", store(copy), ["STASH": "1"])
      #expect(second.status == 0, "\(outcome.errors) \(second)")
      try expectDone(copy, before, outcome.errors)
    }
    // Otherwise this test shows nothing.
    #expect(lost > 0)
  }

  /// Rows are missing again after the backup was restored for that reason: the store is used, and the backup is kept.
  @Test func losingRowsAgainKilledAtEveryStep() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    let first = try StandIn.run("migrate", store(folder), ["LOSE": "1"])
    #expect(first.status == 1, "\(first)")
    #expect(try sampleContents(store(folder)) == before)
    var versions: Set<String> = []
    let steps = try killed(["LOSE": "1"]) { place, copy, outcome in
      versions.insert(try found(copy).version)
      let second = try StandIn.run("migrate", store(copy), ["LOSE": "1"])
      #expect(second.status == 0, "\(outcome.errors) \(second)")
      let (version, rows) = try found(copy)
      #expect(version == "V3", "\(outcome.errors)")
      #expect(rows.count == before.count - 10, "\(outcome.errors)")
      // A kept backup has everything from before.
      let marked = try StoreBackups(of: store(copy)).list().filter {
        $0.manifest?.keptBecause != nil
      }
      #expect(marked.count == 1, "\(outcome.errors)")
      for backup in marked {
        try StoreBackups(of: store(copy)).verify(backup)
        #expect(try sampleContents(backup.url) == before, "\(outcome.errors)")
      }
      let history = VersionRecord.read(of: store(copy)).history.map(\.outcome)
      #expect(history.contains(.migratedWithLoss), "\(outcome.errors)")
    }
    #expect(steps > 18)
    #expect(versions == ["V1", "V2ToV3", "V3"])
  }

  /// A migration killed twice is given up, and the original restored, even if that is killed too.
  @Test func givingUpKilledAtEveryStep() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    var place = 0
    repeat { place += 1 } while try !isKilledAfter("carried rows", place)
    for _ in 1...2 {
      // At the bridge, the second attempt has fewer steps before it.
      _ = try StandIn.run("migrate", store(folder), ["KILL_AT": "\(place)"])
      place = try self.place(of: "carried rows") ?? place
    }
    let left = try MigrationJournalFile(StoreBackups(of: store(folder))).read()
    let journal = try #require(left)
    #expect(journal.attempts == 2)
    #expect(try found(folder).version == "V2ToV3")
    var seen: [String] = []
    let backupCount = try StoreBackups(of: store(folder)).list().count
    #expect(backupCount == 1)
    for place in 1...1000 {
      let copy = try folder.copy()
      let outcome = try StandIn.run("migrate", store(copy), ["KILL_AT": "\(place)"])
      seen.append(try found(copy).version)
      let second = try StandIn.run("migrate", store(copy))
      #expect(second.status == 1, "\(outcome.errors) \(second)")
      #expect(second.output.contains("has failed 2 times"), "\(second.output)")
      let (version, rows) = try found(copy)
      #expect(version == "V1", "\(outcome.errors)")
      #expect(rows == before)
      if !outcome.wasKilled {
        #expect(outcome.status == 1)
        break
      }
    }
    #expect(Set(seen) == ["V2ToV3", "V1"])
  }

  /// A migration killed whenever the store was open is given up too.
  @Test func killedTwiceAfterTheStages() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    for _ in 1...2 {
      let place = try #require(try place(of: "opened"))
      #expect(try StandIn.run("migrate", store(folder), ["KILL_AT": "\(place)"]).wasKilled)
      #expect(try found(folder).version == "V3")
    }
    let third = try StandIn.run("migrate", store(folder))
    #expect(third.status == 1, "\(third)")
    #expect(third.output.contains("has failed 2 times"), "\(third.output)")
    #expect(third.output.contains("the backup was restored"), "\(third.output)")
    let (version, rows) = try found(folder)
    #expect(version == "V1")
    #expect(rows == before)
  }

  private func isKilledAfter(_ step: String, _ place: Int) throws -> Bool {
    let copy = try folder.copy()
    let outcome = try StandIn.run("migrate", store(copy), ["KILL_AT": "\(place)"])
    try #require(outcome.wasKilled)
    return outcome.errors.hasSuffix(": \(step)\n")
  }

  private func place(of step: String) throws -> Int? {
    for place in 1...200 {
      let copy = try folder.copy()
      let outcome = try StandIn.run("migrate", store(copy), ["KILL_AT": "\(place)"])
      guard outcome.wasKilled else { return nil }
      if outcome.errors.hasSuffix(": \(step)\n") { return place }
    }
    return nil
  }

  /// The disk takes no file longer than this: the backup, the migration or the restore fails.
  @Test(arguments: [1000, 20_000, 60_000, 70_000, 80_000, 100_000, 150_000])
  func aFullDisk(limit: Int) throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    let outcome = try StandIn.run("migrate", store(folder), ["FILE_LIMIT": "\(limit)"])
    let (version, rows) = try found(folder)
    if outcome.status == 0 {
      #expect(version == "V3")
    } else {
      #expect(outcome.status == 1, "\(outcome)")
      #expect(!outcome.output.isEmpty)
      #expect(
        version == "V1" || outcome.output.contains("as the update left it"), "\(outcome)")
    }
    #expect(rows == before, "\(outcome)")
    // With space again, it succeeds.
    let second = try StandIn.run("migrate", store(folder))
    #expect(second.status == 0, "\(outcome) \(second)")
    try expectDone(folder, before, outcome.output)
  }

  /// Damage that only a check of the whole store finds.
  @Test func aDamagedPage() throws {
    try Sample.make(store(folder))
    try Connection(store(folder)).run(
      "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    var data = try Data(contentsOf: store(folder))
    let note = Data("Note ".utf8)
    let pages = (1..<data.count / 4096).map { page in page * 4096..<(page + 1) * 4096 }
    let leaf = try #require(
      pages.last { data[$0.lowerBound] == 0x0D && data[$0].range(of: note) != nil })
    data.replaceSubrange(leaf, with: Data(repeating: 0xFF, count: 4096))
    try data.write(to: store(folder))
    let outcome = try StandIn.run("migrate", store(folder))
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("is damaged"), "\(outcome)")
    #expect(outcome.output.contains("The data is unchanged."), "\(outcome)")
    #expect(try Data(contentsOf: store(folder)) == data)
  }

  /// A killed attempt's backup was damaged since then: it is never restored.
  @Test func aDamagedBackup() throws {
    try Sample.make(store(folder))
    let before = try sampleContents(store(folder))
    var place = 0
    repeat { place += 1 } while try !isKilledAfter("at the bridge", place)
    _ = try StandIn.run("migrate", store(folder), ["KILL_AT": "\(place)"])
    let backup = try #require(try StoreBackups(of: store(folder)).list().first)
    var data = try Data(contentsOf: backup.url)
    data[data.count / 2] ^= 0xFF
    try data.write(to: backup.url)
    let outcome = try StandIn.run("migrate", store(folder))
    #expect(outcome.status == 0, "\(outcome)")
    let (version, rows) = try found(folder)
    #expect(version == "V3")
    #expect(rows == before)
    // Another backup was made of the existing store.
    #expect(try StoreBackups(of: store(folder)).list().count == 2)
  }
}
