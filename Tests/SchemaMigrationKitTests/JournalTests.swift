import Foundation
import StoreEngine
import StoreFormat
import Testing

@testable import SchemaMigrationKit

/// What an interrupted migration leaves, and the launches after it.
@Suite(.serialized) struct JournalTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups
  private var journal: MigrationJournalFile { MigrationJournalFile(backups) }

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    backups = StoreBackups(of: store)
  }

  private struct Broken: Error {}

  private func migration(freeSpace: Int64 = 1 << 40) -> StoreMigration {
    StoreMigration(
      plan: Sample.plan(),
      backups: StoreBackups(
        of: store, environment: SystemEnvironment(freeSpace: { _ in freeSpace })),
      options: StoreMigration.Options(release: "1"))
  }

  /// A store whose migration was killed, with its backup and its journal.
  ///
  /// - Parameter step: The step of the stages; `nil` is after all of them.
  private func interrupt(
    at step: String?, attempts: Int = 1
  ) throws -> (before: [String], backup: Backup) {
    try Sample.make(store)
    let before = try sampleContents(store)
    let backup = try backups.create(from: one, to: StoreVersion(3, 0, 0))
    try journal.write(
      MigrationJournal(
        from: one, to: StoreVersion(3, 0, 0), release: "1", attempts: attempts, date: backup.date,
        backup: backup.url.lastPathComponent, counts: ["Note": 40, "Folder": 2, "Tag": 1],
        isRepeatable: true))
    do {
      _ = try Sample.open(store) { if $0 == step { throw Broken() } }
    } catch is Broken {}
    return (before, backup)
  }

  /// The failure of a launch that must not open the store.
  private func refusal(_ migration: StoreMigration) async throws -> MigrationFailure {
    try await #require(throws: MigrationFailure.self) {
      _ = try await migration.run { Issue.record("opened") }.result
    }
  }

  // MARK: One that cannot be read

  /// While there is a journal, a backup may be restored, and anything that an app wrote in the meantime would be lost.
  @Test(
    arguments: [
      "empty", "nonsense", "without fields", "later", "too long", "a loop", "a folder", "a FIFO",
      "forbidden",
    ], ["at the bridge", nil])
  func aJournalThatCannotBeReadIsNotNone(kind: String, step: String?) async throws {
    // Root may read everything.
    if kind == "forbidden", getuid() == 0 { return }
    let (before, backup) = try interrupt(at: step)
    let path = journal.path
    let url = URL(fileURLWithPath: path)
    var fifo: FIFO?
    if !["too long", "forbidden"].contains(kind) { try Disk.unlink(path) }
    switch kind {
    case "empty": try Data().write(to: url)
    case "nonsense": try Data("nonsense".utf8).write(to: url)
    case "without fields": try Data(#"{"format": 1}"#.utf8).write(to: url)
    case "later": try Data(#"{"format": 7, "state": {}}"#.utf8).write(to: url)
    case "too long":
      try (Data(contentsOf: url) + Data(repeating: 0x20, count: 1 << 20)).write(to: url)
    case "a loop": symlink(path, path)
    case "a folder": mkdir(path, 0o755)
    case "a FIFO": fifo = try FIFO(path)
    default: chmod(path, 0)
    }
    let bytes = try Data(contentsOf: store)
    let names = folder.names()
    for _ in 1...2 {
      let failure = try await refusal(migration())
      #expect(failure.kind == .journal)
      // The migration may be incomplete.
      #expect(failure.store == .left)
      #expect(failure.backup == backup.url)
      #expect(failure.reason.contains("'\(path)'"))
      #expect(failure.reason.contains("Nothing was changed"), "\(failure)")
      switch kind {
      case "later":
        #expect(failure.reason.contains("by a newer version of this app (format 7)"), "\(failure)")
        #expect(failure.recoverySuggestion == UserText.updateApp.rawValue)
      case "a loop", "forbidden":
        #expect(failure.reason.contains("try again"), "\(failure)")
      default:
        #expect(failure.reason.contains("is damaged"), "\(failure)")
        #expect(failure.reason.contains("'\(backup.url.lastPathComponent)'"), "\(failure)")
        #expect(failure.recoverySuggestion == UserText.contactDeveloper.rawValue)
      }
    }
    #expect(fifo?.hasKeptSomebodyWaiting != true)
    #expect(try Data(contentsOf: store) == bytes)
    #expect(folder.names() == names)

    // The advice of the message.
    if kind == "a folder" { try Disk.removeFolder(path) } else { try Disk.unlink(path) }
    try await backups.restore(backup)
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.validation?.isValid == true)
    #expect(try sampleContents(store) == before)
  }

  // MARK: Space

  /// In a measured migration the log was nearly twice as long as the database.
  @Test func theLogIsCountedInTheSpace() throws {
    try Sample.make(store)
    try writeExternal("one", of: store, String(repeating: "x", count: 10_000))
    var report = try migration().check()
    let database = report.databaseSize
    #expect(database == report.storeSize - 10_000)
    #expect(report.spaceNeeded == report.storeSize + 3 * database + 1 << 20)
    // With larger external files, restoring the backup needs more space than the log.
    try writeExternal("two", of: store, String(repeating: "x", count: Int(3 * database)))
    report = try migration().check()
    #expect(report.spaceNeeded == report.storeSize + database + report.storeSize + 1 << 20)
  }

  @Test func withoutRoomToGoOnTheBackupIsPutBack() async throws {
    let (before, backup) = try interrupt(at: "at the bridge")
    // Enough for the backup beside the store, but not for what the stages may still write.
    let free = try #require(backup.manifest).totalSize + 1 << 20
    let failure = try await refusal(migration(freeSpace: free))
    guard case .noSpace(let needed, available: free) = failure.kind, case .restored = failure.store
    else {
      Issue.record("\(failure)")
      return
    }
    #expect(needed > free)
    #expect(failure.backup == backup.url)
    #expect(try sampleContents(store) == before)
    #expect(try await migration().check().verdict.version?.name == "V1")
    // From here on the store is the original, even if there is still no space.
    let second = try await refusal(migration(freeSpace: 1000))
    #expect(second.store == .untouched)
    #expect(try sampleContents(store) == before)
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.attempts == 2)
    #expect(try sampleContents(store) == before)
  }

  @Test(arguments: [true, false])
  func withoutAnyRoomAHalfMigratedStoreIsNotAsItWas(hasBackup: Bool) async throws {
    let (before, backup) = try interrupt(at: "at the bridge")
    if !hasBackup { try Disk.unlink(backup.url.path) }
    let bytes = try Data(contentsOf: store)
    for _ in 1...2 {
      let failure = try await refusal(migration(freeSpace: 1000))
      guard case .noSpace(let needed, available: 1000) = failure.kind else {
        Issue.record("\(failure)")
        return
      }
      #expect(failure.store == .left)
      #expect(!failure.description.contains("as they were"), "\(failure)")
      let missing = megabytes(needed - 1000)
      #expect(failure.reason.contains("paused until \(missing) more are free"), "\(failure)")
      #expect(try Data(contentsOf: store) == bytes)
    }
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.attempts == 2)
    #expect(try sampleContents(store) == before)
  }

  // MARK: Attempts

  @Test func anAttemptAfterTheStagesCounts() async throws {
    let (before, _) = try interrupt(at: nil)
    let journal = journal
    let result = try await migration().run { [store] in
      let counted = try journal.read()
      #expect(counted?.attempts == 2)
      return try Sample.open(store)
    }.result
    #expect(result.report.attempts == 2)
    #expect(try sampleContents(store) == before)
  }

  @Test func killedTwiceAfterTheStagesItIsGivenUp() async throws {
    let (before, backup) = try interrupt(at: nil, attempts: 2)
    let failure = try await refusal(migration())
    #expect(failure.kind == .gaveUp(attempts: 2))
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.backup == backup.url)
    #expect(try await migration().check().verdict.version?.name == "V1")
    #expect(try sampleContents(store) == before)
    #expect(try await refusal(migration()).kind == .gaveUp(attempts: 2))
    // A retry that people ask for is made.
    let run = migration().run(isRetry: true) { [store] in try Sample.open(store) }
    #expect(try await run.result.report.attempts == 1)
    #expect(try sampleContents(store) == before)
  }

  /// Without a backup to restore, the store is used if it is intact.
  @Test func withoutABackupNothingIsGivenUpAfterTheStages() async throws {
    let (before, backup) = try interrupt(at: nil, attempts: 2)
    try Disk.unlink(backup.url.path)
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.attempts == 3)
    #expect(try sampleContents(store) == before)
  }
}

/// A FIFO that releases whoever waits for a writer after three seconds, so that a failing test ends.
final class FIFO: @unchecked Sendable {
  private let lock = NSLock()
  private var hasHadReader = false

  var hasKeptSomebodyWaiting: Bool { lock.withLock { hasHadReader } }

  init(_ path: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread { [weak self] in
      repeat {
        sleep(3)
        // It has a reader only while one waits.
        let file = open(path, O_WRONLY | O_NONBLOCK)
        guard file >= 0 else { continue }
        self?.lock.withLock { self?.hasHadReader = true }
        close(file)
      } while self != nil
    }
  }
}
