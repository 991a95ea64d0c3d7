import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// The contents of the sample's store in any version; values that the migration moves are compared by meaning.
func sampleContents(_ store: URL) throws -> [String] {
  let connection = try Connection(store)
  let columns = try connection.texts("SELECT name FROM pragma_table_info('ZNOTE')")
  let worth = columns.contains("ZSTARS") ? "ZSTARS" : "CAST(ZSCORE AS INTEGER)"
  return try connection.texts(
    """
    SELECT Z_PK || '|' || ZTEXT || '|' || \(worth) || '|' || ZFOLDER || '|' || hex(ZDATA) FROM ZNOTE
    ORDER BY Z_PK
    """) + connection.texts("SELECT ZNAME FROM ZFOLDER ORDER BY 1")
    + connection.texts("SELECT count(*) FROM Z_2TAGS")
}

/// Brings a store to the newest version and opens it.
///
/// Serialised: a message of a stage on a thread of its own reaches every migration of the process.
@Suite(.serialized) struct MigrationTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    backups = StoreBackups(of: store)
  }

  private func migration(
    _ plan: MigrationPlanDescription = Sample.plan(), attempts: Int = 2, release: String = "1",
    patience: TimeInterval = 60,
    environment: SystemEnvironment = SystemEnvironment()
  ) -> StoreMigration {
    StoreMigration(
      plan: plan, backups: StoreBackups(of: store, environment: environment),
      options: StoreMigration.Options(
        maximumAttempts: attempts, release: release, lockTimeout: patience))
  }

  private var newest: PreflightReport.Verdict {
    .current(Sample.plan().versions[3])
  }

  /// The migration's failure; its container is released then.
  private func failure(
    _ migration: StoreMigration, isRetry: Bool = false,
    _ open: @escaping @Sendable () async throws -> Sample.Container
  ) async throws -> MigrationFailure {
    try await #require(throws: MigrationFailure.self) {
      _ = try await migration.run(isRetry: isRetry, open: open).result
    }
  }

  private struct Broken: Error, CustomStringConvertible {
    var description: String { "broken on purpose" }
  }

  private var journal: URL {
    folder.url.appendingPathComponent("Backups/default.store_migration.json")
  }

  // MARK: Without a failure

  @Test func aStoreThatIsNotThereIsMade() async throws {
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.from == nil)
    #expect(!result.report.wasMigrated)
    #expect(try await migration().check().verdict == newest)
    #expect(try backups.list() == [])
    #expect(VersionRecord.read(of: store).current == StoreVersion(3, 0, 0))
  }

  @Test func aCurrentStoreIsOnlyOpened() async throws {
    try Sample.make(store, Sample.v3)
    let before = try sampleContents(store)
    let run = migration().run { [store] in try Sample.open(store) }
    var phases: [MigrationProgress.Phase] = []
    for await progress in run.progress { phases.append(progress.phase) }
    #expect(phases == [.checking, .done])
    #expect(try await run.result.report.validation == nil)
    #expect(try sampleContents(store) == before)
    #expect(try backups.list() == [])
  }

  @Test(arguments: 0..<3)
  func anOldStoreIsMigrated(position: Int) async throws {
    try Sample.make(store, Sample.chain[position])
    let before = try sampleContents(store)
    let from = Sample.plan().versions[position].number
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(try sampleContents(store) == before)
    #expect(try await migration().check().verdict == newest)
    #expect(result.report.from == from)
    #expect(result.report.attempts == 1)
    #expect(result.report.validation?.isValid == true)
    #expect(result.report.notes == [])
    let backup = try #require(try backups.list().first)
    #expect(result.report.backup == backup.url)
    #expect(backup.manifest?.from == from)
    #expect(try sampleContents(backup.url) == before)
    #expect(!FileManager.default.fileExists(atPath: journal.path))
    let record = VersionRecord.read(of: store)
    #expect(record.current == StoreVersion(3, 0, 0))
    #expect(record.history.map(\.outcome) == [.migrated])
    #expect(record.history.first?.rows == 43)
    #expect(record.history.first?.backup == backup.url.lastPathComponent)
  }

  @Test func theRecordIsDated() async throws {
    try Sample.make(store)
    let clock = try Clock("20251115T093011000Z")
    let begun = clock.now
    let migration = migration(environment: SystemEnvironment(now: { clock.now }))
    _ = try await migration.run { [store] in
      clock.advance(days: 1)
      return try Sample.open(store)
    }.result
    let record = VersionRecord.read(of: store)
    #expect(record.updated == clock.now)
    #expect(record.history.first?.date == begun)
    #expect(record.history.first?.duration == 86_400)
  }

  @Test func progressIsTold() async throws {
    try Sample.make(store)
    let run = migration().run { [store] in try Sample.open(store) }
    var all: [MigrationProgress] = []
    for await progress in run.progress { all.append(progress) }
    _ = try await run.result
    let fractions = all.map(\.fraction)
    #expect(fractions == fractions.sorted())
    #expect(fractions.first == 0)
    #expect(fractions.last == 1)
    var phases: [MigrationProgress.Phase] = []
    for progress in all where phases.last != progress.phase { phases.append(progress.phase) }
    #expect(phases == [.checking, .backingUp, .migrating, .validating, .done])
    let lines = all.map(\.description)
    #expect(lines.contains("Step 1 of 3: V1 → V2: Pins"))
    #expect(lines.contains("Step 3 of 3: V2 → V3: Stars become scores, 20 of 40 rows"))
    // Messages of stages in other tests reach all migrations, so others may come in between.
    var rows = all.compactMap(\.rowsDone)[...]
    for expected in [10, 20, 30, 40] {
      rows = rows[(try #require(rows.firstIndex(of: expected)))...]
    }
  }

  /// The phases of a run, each once, with their progress.
  private func progress(
    _ run: MigrationRun<Sample.Container>
  ) async -> [MigrationProgress.Phase: [MigrationProgress]] {
    var all: [MigrationProgress] = []
    for await progress in run.progress { all.append(progress) }
    return Dictionary(grouping: all, by: \.phase)
  }

  @Test(
    "A restore and a validation report progress and estimate the time left")
  func progressOfEveryPhase() async throws {
    try Sample.make(store)
    let clock = try Clock("20251115T093011000Z")
    // Every step takes a second.
    let environment = SystemEnvironment(
      now: { clock.now }, reached: { _ in clock.advance(days: 1.0 / 86_400) }, pagesAtOnce: 1)
    let failed = await progress(migration(environment: environment).run { throw Broken() })
    let restoring = try #require(failed[.restoring])
    #expect(restoring.first?.phaseFraction == nil && restoring.first?.timeLeft == nil)
    #expect(restoring.last?.phaseFraction == 0.9)
    #expect(restoring.last?.bytesDone == restoring.last?.bytesTotal)
    #expect(restoring.last?.bytesTotal ?? 0 > 0)
    #expect(Set(restoring.map(\.fraction)).count == 1)
    let backingUp = try #require(failed[.backingUp])
    let half = try #require(backingUp.first { $0.phaseFraction ?? 0 >= 0.25 })
    #expect(half.bytesDone ?? 0 > 0)
    #expect(half.timeLeft ?? 0 > 0)
    #expect(backingUp.last?.timeLeft == 0)

    let run = migration(environment: environment).run { [store] in
      clock.advance(days: 10.0 / 86_400)
      return try Sample.open(store)
    }
    let done = await progress(run)
    _ = try await run.result
    let validating = try #require(done[.validating])
    let parts = validating.compactMap(\.phaseFraction)
    #expect(parts.count > 3 && parts == parts.sorted() && parts.last == 1)
    // The duration of stages is not known.
    #expect(try #require(done[.migrating]).allSatisfy { $0.timeLeft == nil })
  }

  @Test("If a restored store is mirrored by CloudKit, the failure says so")
  func aMirroredStore() async throws {
    try Sample.make(store)
    try Connection(store).run("CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY)")
    let failure = try await failure(migration()) { throw Broken() }
    #expect(failure.reason.contains("CloudKit mirrors the store"))
    #expect(!failure.localizedDescription.contains("CloudKit"))
  }

  /// Records the events of an observer.
  private final class Ear: MigrationObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var events: [MigrationEvent] = []
    var all: [MigrationEvent] { lock.withLock { events } }
    func migration(_ event: MigrationEvent) { lock.withLock { events.append(event) } }
  }

  @Test("An observer receives phases, durations and the result, without file paths")
  func observer() async throws {
    try Sample.make(store)
    let clock = try Clock("20251115T093011000Z")
    let environment = SystemEnvironment(now: { clock.now })
    func told(
      _ open: @escaping @Sendable () async throws -> Sample.Container
    ) async throws -> [MigrationEvent] {
      let ear = Ear()
      _ = try? await StoreMigration(
        plan: Sample.plan(), backups: StoreBackups(of: store, environment: environment),
        options: StoreMigration.Options(release: "1"), observer: ear
      ).run(open: open).result
      return ear.all
    }
    let failed = try await told {
      clock.advance(days: 3.0 / 86_400)
      throw Broken()
    }
    #expect(
      failed.map(\.description) == [
        "began checking", "ended checking after 0.00 s", "began backingUp",
        "ended backingUp after 0.00 s", "began migrating", "ended migrating after 3.00 s",
        "began restoring", "ended restoring after 0.00 s", "failed: open, store restored",
      ])
    let completed = try await told { [store] in try Sample.open(store) }
    #expect(
      completed.last
        == .completed(
          from: StoreVersion(1, 0, 0), to: StoreVersion(3, 0, 0), attempts: 2, seconds: 0))
    #expect(completed.dropLast().last == .ended(.validating, 0))
    // Another process holds the lock.
    let lock = try #require(
      try Disk.lock(folder.url.path + "/Backups/.default.store.lock"))
    let ear = Ear()
    let busy = StoreMigration(
      plan: Sample.plan(), backups: StoreBackups(of: store),
      options: StoreMigration.Options(release: "1", lockTimeout: 0), observer: ear)
    _ = try? await busy.run { [store] in try Sample.open(store) }.result
    Disk.unlock(lock)
    #expect(ear.all.last == .failed(code: "busy", store: "untouched"))
  }

  @Test func twoMigrationsDoNotHearEachOther() async throws {
    let other = folder.url.appendingPathComponent("other.store")
    try Sample.make(store)
    try Sample.make(other, notes: 20)
    let first = migration().run { [store] in try Sample.open(store) }
    let second = StoreMigration(of: other, plan: Sample.plan()).run {
      try Sample.open(other)
    }
    var rows: [[Int]] = []
    for run in [first, second] {
      var told: [Int] = []
      for await progress in run.progress { if let done = progress.rowsDone { told.append(done) } }
      rows.append(told)
      _ = try await run.result
    }
    #expect(rows == [[10, 20, 30, 40], [10, 20]])
  }

  @Test func anExternalListenerHearsOtherThreads() async throws {
    try Sample.make(store)
    let run = migration().run { [store] in
      // As SwiftData may run stages on a thread of its own, which does not know this task.
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(with: Result { try Sample.open(store) })
        }
      }
    }
    var titles: Set<String> = []
    for await progress in run.progress {
      if let stage = progress.stage { titles.insert(stage.title) }
    }
    _ = try await run.result
    #expect(titles.contains(Sample.customTitle))
  }

  @Test func nobodyListensForEver() async throws {
    final class Ear: Sendable {}
    weak var ear: Ear?
    do {
      let own = Ear()
      ear = own
      let listener: MigrationActivity.Listener = { _ in _ = own }
      try await MigrationActivity.listening(listener) { MigrationActivity.began(title: "x") }
    }
    #expect(ear == nil)
  }

  @Test func nobodyNeedsToListen() throws {
    MigrationActivity.began(title: "x")
    MigrationActivity.rows(3, entity: "y")
    MigrationActivity.failed(title: "x", error: Broken())
    MigrationActivity.ended(title: "x")
  }

  // MARK: Refusals

  @Test(arguments: ["retired", "newer", "edited", "garbage", "cut off", "foreign"])
  func refusals(kind: String) async throws {
    try Sample.make(store, Sample.v2)
    try Connection(store).run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    switch kind {
    case "retired": break
    case "newer":
      try FileManager.default.removeItem(at: store)
      var model = Sample.v3
      model.versionIdentifier = "9.0.0"
      model.entities[2].attributes.append(
        ManagedAttribute(name: "color", type: .string, isOptional: true))
      try Sample.make(store, model)
    case "edited": try Connection(store).run("ALTER TABLE ZNOTE ADD COLUMN ZCOLOR VARCHAR")
    case "garbage": try Data(repeating: 0xA5, count: 10_000).write(to: store)
    case "cut off": try Data(contentsOf: store).prefix(8192).write(to: store)
    default:
      try FileManager.default.removeItem(at: store)
      try makeStore(store, named: "foreign")
    }
    let bytes = try Data(contentsOf: store)
    let names = folder.names()
    // It has the hashes of no version in the plan.
    let whole = Sample.plan()
    let retired = MigrationPlanDescription(
      versions: [whole.versions[3]], retired: Array(whole.versions.prefix(3)), retiredThrough: "3.2"
    )
    let unknown = MigrationPlanDescription(
      versions: whole.versions.map { version in
        MigrationPlanDescription.Version(
          number: version.number, name: version.name, isBridge: version.isBridge,
          entities: version.entities, computedHashes: ["Note": "", "Folder": "", "Tag": ""])
      }, stages: whole.stages)
    let failure = try await failure(migration(kind == "retired" ? retired : unknown)) {
      Issue.record("opened")
      throw Broken()
    }
    switch (kind, failure.kind) {
    case ("retired", .retired(StoreVersion(2, 0, 0), through: "3.2")):
      #expect(failure.code == "retired" && !failure.isTransient)
      #expect(failure.reason.contains("release 3.2 of the app does"))
      #expect(
        failure.recoverySuggestion == "Open your data with version 3.2 of this app first.")
    case ("newer", .newer(identifier: "9.0.0")), ("edited", .unknown), ("garbage", .notAStore),
      ("cut off", .damaged), ("foreign", .notAStore):
      break
    default: Issue.record("\(failure)")
    }
    #expect(failure.store == .untouched)
    #expect(failure.description.hasSuffix("The data is unchanged."))
    #expect(try Data(contentsOf: store) == bytes)
    #expect(folder.names() == names)
  }

  /// SwiftData goes by hashes. If a version's hashes are unknown, and tables and metadata contradict each other,
  /// opening is tried, with a backup.
  @Test func aClaimIsTriedWithABackup() async throws {
    try Sample.make(store)
    try Connection(store).run("ALTER TABLE ZTAG ADD COLUMN ZCOLOR VARCHAR")
    let before = try sampleContents(store)
    // SwiftData does not know the store: the backup is restored.
    let failure = try await failure(migration()) { throw Broken() }
    #expect(failure.kind == .open)
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
    // SwiftData knows the store.
    try Connection(store).run("ALTER TABLE ZTAG DROP COLUMN ZCOLOR")
    let opened = { @Sendable [store] in try Sample.open(store) }
    var edited = Sample.plan()
    let oldest = edited.versions[0]
    let other = MigrationPlanDescription.Version(
      number: oldest.number, name: oldest.name,
      entities: oldest.entities.map { entity in
        var entity = entity
        if entity.name == "Tag" {
          entity.managed.attributes.append(ManagedAttribute(name: "guessed", type: .binary))
        }
        return entity
      })
    edited = MigrationPlanDescription(
      versions: [other] + edited.versions.dropFirst(), stages: edited.stages)
    let result = try await migration(edited).run(open: opened).result
    #expect(result.report.wasMigrated)
    #expect(
      result.report.notes == [
        "the store was treated as V1: the store claims to be '1.0.0', but does not match the app's V1"
      ])
    #expect(try backups.list().contains { $0.manifest?.from == oldest.number })
  }

  /// Otherwise every launch would make a backup.
  @Test func aClaimThatHeldIsOnlyOpened() async throws {
    try Sample.make(store, Sample.v3)
    let newest = Sample.plan().versions[3]
    let twin = MigrationPlanDescription.Version(
      number: StoreVersion(4, 0, 0), name: "V4", entities: newest.entities)
    let plan = MigrationPlanDescription(
      versions: Sample.plan().versions + [twin],
      stages: Sample.plan().stages + [
        MigrationPlanDescription.Stage(from: newest.number, to: twin.number, title: "V3 → V4")
      ])
    var model = Sample.v3
    model.versionIdentifier = "main"
    try FileManager.default.removeItem(at: store)
    try Sample.make(store, model)
    for launch in 1...2 {
      let result = try await migration(plan).run { 0 }.result
      #expect(result.report.notes.count == 1 && result.report.wasMigrated == (launch == 1))
      #expect(try backups.list().count == 1)
    }
  }

  @Test func tooLittleRoom() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    let environment = SystemEnvironment(freeSpace: { _ in 1_000_000 })
    let failure = try await failure(migration(environment: environment)) { throw Broken() }
    guard case .noSpace(let needed, available: 1_000_000) = failure.kind else {
      Issue.record("\(failure)")
      return
    }
    #expect(needed > 1_100_000)
    #expect(
      failure.description
        == "The update needs 2 MB on the disk, but only 1 MB are free. The data is unchanged.")
    #expect(try sampleContents(store) == before)
    #expect(try backups.list() == [])
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }

  @Test func aBackupThatCannotBeMade() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent(".default_SUPPORT"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent(".default_SUPPORT/link"),
      withDestinationURL: folder.url)
    let failure = try await failure(migration()) { throw Broken() }
    #expect(failure.kind == .backup(.storeChanged))
    #expect(failure.store == .untouched)
    #expect(failure.reason.contains("a link to a folder"), "\(failure)")
    #expect(try sampleContents(store) == before)
  }

  /// It cannot hold anything of the store, so it does not prevent the migration.
  @Test func whatIsNoFileBesideExternalFilesIsTold() async throws {
    try Sample.make(store)
    try writeExternal("one", of: store, "one")
    let external = externalFolder(of: store).path
    try #require(mkfifo(external + "/fifo", 0o600) == 0)
    let report = try await migration().run { [store] in try Sample.open(store) }.result.report
    #expect(
      report.notes == [
        "'_EXTERNAL_DATA/fifo' in the folder of external files is neither a file nor a link to one, so it is not in the backup"
      ])
    let backup = try #require(try backups.list().first)
    #expect(backup.manifest?.externalFiles.map(\.path) == ["_EXTERNAL_DATA/one"])
  }

  // MARK: Failures

  @Test func openingFails() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    let failure = try await failure(migration()) { [store] in
      try Sample.open(store) { if $0 == "carried rows" { throw Broken() } }
    }
    #expect(failure.kind == .open)
    #expect(failure.underlyingError is Broken)
    #expect(failure.reason.contains("'\(Sample.customTitle)' has failed: broken on purpose."))
    guard case .restored(let replaced?) = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
    #expect(try await migration().check().verdict.version?.name == "V1")
    #expect(
      try await StorePreflight(of: replaced, plan: Sample.plan()).check().verdict.version?.isBridge
        == true)
    let backup = try #require(failure.backup)
    #expect(failure.description.hasSuffix("The backup is '\(backup.path)'."))
    let history = VersionRecord.read(of: store).history
    #expect(history.map(\.outcome) == [.restored])
    #expect(history.first?.reason == failure.reason)
  }

  @Test func openingFailsWithNothingToMigrate() async throws {
    try Sample.make(store, Sample.v3)
    let before = try sampleContents(store)
    let failure = try await failure(migration()) { throw Broken() }
    #expect(failure.kind == .open)
    #expect(failure.store == .untouched)
    #expect(try sampleContents(store) == before)
  }

  @Test func afterTwoFailuresItIsNotTriedAgain() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    for _ in 1...2 {
      let failure = try await failure(migration()) { throw Broken() }
      #expect(failure.kind == .open)
    }
    let names = folder.names()
    for _ in 1...2 {
      let failure = try await failure(migration()) {
        Issue.record("opened")
        throw Broken()
      }
      #expect(failure.kind == .gaveUp(attempts: 2))
      #expect(failure.store == .untouched)
      #expect(failure.backup != nil)
    }
    #expect(folder.names() == names)
    #expect(try sampleContents(store) == before)
    // People may ask for a retry, and a new release tries by itself.
    let again = try await failure(migration(), isRetry: true) { throw Broken() }
    #expect(again.kind == .open)
    let result = try await migration(release: "2").run { [store] in try Sample.open(store) }.result
    #expect(result.report.attempts == 1)
    #expect(try sampleContents(store) == before)
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }

  @Test func rowsAreLost() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    final class Watch: @unchecked Sendable { weak var container: Sample.Container? }
    let watch = Watch()
    let failure = try await failure(migration()) { [store] in
      let container = try Sample.open(store)
      watch.container = container
      try Connection(store).run("DELETE FROM ZNOTE WHERE Z_PK > 30")
      return container
    }
    #expect(watch.container == nil)
    #expect(failure.kind == .rowsLost)
    #expect(failure.validation?.losesRows == true)
    #expect(failure.reason.contains("'Note' has lost rows: 30 of 40 are left"))
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
  }

  /// The migration loses all tags of all notes.
  @Test func linksAreLost() async throws {
    try Sample.make(store, notes: 300)
    let before = try sampleContents(store)
    let open = { @Sendable [store] () throws -> Sample.Container in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM Z_2TAGS")
      return container
    }
    let failure = try await failure(migration(), open)
    #expect(failure.kind == .rowsLost)
    #expect(failure.reason.contains("'Note.tags' has lost links: 0 of 100 are left"))
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
    // It is no loss if the plan allows it.
    let meant = migration(Sample.plan(effects: ["Note.tags": .mayChange("tags are given up")]))
    #expect(try await meant.run(open: open).result.report.validation?.isValid == true)
  }

  /// Rows may be deleted between opening and validation, and a plan may not list everything that a stage deletes. That
  /// must not lock people out for ever.
  @Test(arguments: [1, 2])
  func rowsThatAreLostAgainAreNoLockout(attempts: Int) async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    let clock = try Clock("20250101T000000000Z")
    let migration = migration(
      attempts: attempts, environment: SystemEnvironment(now: { clock.now }))
    let open = { @Sendable [store] () throws -> Sample.Container in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM Z_2TAGS; DELETE FROM ZNOTE WHERE Z_PK > 30")
      return container
    }
    // Another failure in between is not counted.
    if attempts > 1 {
      #expect(try await failure(migration) { throw Broken() }.kind == .open)
    }
    #expect(try await failure(migration, open).kind == .rowsLost)
    #expect(try sampleContents(store) == before)
    clock.advance(days: 1)
    let report = try await migration.run(open: open).result.report
    #expect(report.wasMigrated)
    #expect(report.validation?.isValid == false)
    #expect(report.validation?.losesRows == true)
    let backup = try #require(try backups.list().first { $0.url == report.backup })
    #expect(try sampleContents(backup.url) == before)
    #expect(
      report.notes == [
        "the update has lost data again, and the app uses the data anyway: 'Note' has lost rows: 30 of 40 are left; 'Note.tags' has lost links: 0 of 14 are left; the missing rows are in the backup '\(backup.url.lastPathComponent)', which is never removed automatically"
      ])
    let entry = try #require(VersionRecord.read(of: store).history.last)
    #expect(entry.outcome.rawValue == "migratedWithLoss")
    #expect(entry.reason == report.notes[0])
    #expect(!FileManager.default.fileExists(atPath: journal.path))
    #expect(try await migration.check().verdict == newest)
    // The next launch only has to report it, since the app may have been killed before it saw the report.
    for _ in 1...2 {
      let next = try await migration.run(open: open).result.report
      #expect(!next.wasMigrated)
      #expect(next.notes == report.notes)
    }
    try migration.acknowledgeLoss()
    #expect(try await migration.run(open: open).result.report.notes == [])
    try migration.acknowledgeLoss()
    // The backup stays whatever backups are made later.
    for day in 1...3 {
      clock.advance(days: 100)
      _ = try await migration.backups.create(
        from: StoreVersion(3 + day, 0, 0), to: StoreVersion(4 + day, 0, 0))
    }
    try await backups.markShipped(StoreVersion(99, 0, 0))
    clock.advance(days: 100)
    let pruning = try await migration.backups.prune(
      keeping: RetentionRules(versions: 1, days: 1, untilShipped: true))
    #expect(pruning.removed.count == attempts + 2)
    let left = try migration.backups.list().first { $0.url == backup.url }
    #expect(left?.manifest?.keptBecause == "the migration lost rows that this backup contains")
  }

  /// There may be no space for it, or CloudKit may never release the first attempt's container.
  @Test func aBackupThatCanNeverBePutBackIsNoLockout() async throws {
    try Sample.make(store)
    final class Disk: @unchecked Sendable {
      private let lock = NSLock()
      private var isFull = false
      var free: Int64 { lock.withLock { isFull ? 0 : 1 << 40 } }
      func fill() { lock.withLock { isFull = true } }
    }
    let disk = Disk()
    let migration = migration(environment: SystemEnvironment(freeSpace: { _ in disk.free }))
    let open = { @Sendable [store] () throws -> Sample.Container in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM ZNOTE WHERE Z_PK > 30")
      disk.fill()
      return container
    }
    for _ in 1...2 {
      let failure = try await failure(migration, open)
      #expect(failure.kind == .rowsLost)
      #expect(failure.store == .left)
    }
    let report = try await migration.run(open: open).result.report
    #expect(report.validation?.losesRows == true)
    #expect(report.notes.count == 1)
    #expect(report.backup != nil)
    #expect(report.backup == (try backups.list().first?.url))
  }

  /// An emptied store is never used, however often that happens.
  @Test func aStoreThatIsEmptiedIsNeverUsed() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    for launch in 1...3 {
      let failure = try await failure(migration()) { [store] in
        let container = try Sample.open(store)
        for suffix in ["", "-wal", "-shm"] { try Disk.unlink(store.path + suffix) }
        try Data().write(to: store)
        return container
      }
      #expect(failure.kind == .rowsLost)
      guard case .restored = failure.store else {
        Issue.record("\(launch): \(failure)")
        continue
      }
      #expect(try sampleContents(store) == before)
    }
    #expect(try await failure(migration()) { throw Broken() }.kind == .gaveUp(attempts: 3))
  }

  @Test func rowsMayBeMerged() async throws {
    try Sample.make(store)
    let plan = Sample.plan(effects: ["Note": .mayChange("equal notes are merged")])
    let result = try await migration(plan).run { [store] in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM Z_2TAGS; DELETE FROM ZNOTE WHERE Z_PK > 30")
      return container
    }.result
    let validation = try #require(result.report.validation)
    #expect(validation.isValid)
    #expect(validation.description.contains("Note: 40 → 30 (equal notes are merged)"))
  }

  @Test(.enabled(if: Checkout.runsEverything))
  func aStoreThatStaysOpenCannotBeReplaced() async throws {
    try Sample.make(store)
    final class Keeper: @unchecked Sendable { var container: Sample.Container? }
    let keeper = Keeper()
    let failure = try await failure(migration()) { [store] in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM ZNOTE WHERE Z_PK > 30")
      keeper.container = container
      return container
    }
    #expect(failure.kind == .rowsLost)
    #expect(failure.store == .left)
    #expect(failure.reason.hasSuffix("is in use by another connection."))
    let backup = try #require(try backups.list().first)
    #expect(failure.backup == backup.url)
    #expect(try sampleContents(store).count == 33)
    // At the next launch the store is not open.
    keeper.container = nil
    let second = try await self.failure(migration()) { [store] in try Sample.open(store) }
    #expect(second.kind == .rowsLost)
    guard case .restored = second.store else {
      Issue.record("\(second)")
      return
    }
    #expect(try sampleContents(store).count == 43)
  }

  /// It cannot be known then whether rows are missing, and with the container the app would work with what is left.
  @Test func aStoreThatCannotBeValidatedIsNotHandedOut() async throws {
    try Sample.make(store)
    let away = folder.url.appendingPathComponent("away")
    let failure = try await failure(migration()) { [store] in
      let container = try Sample.open(store)
      try Connection(store).run("DELETE FROM Z_2TAGS; DELETE FROM ZNOTE WHERE Z_PK > 30")
      // A folder cannot be opened as a database.
      try FileManager.default.moveItem(at: store, to: away)
      try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
      return container
    }
    guard case .backup(.system) = failure.kind else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.store == .left)
    #expect(failure.backup != nil)
    try Disk.removeFolder(store.path)
    try FileManager.default.moveItem(at: away, to: store)
    let second = try await self.failure(migration()) { [store] in try Sample.open(store) }
    #expect(second.kind == .rowsLost)
    guard case .restored = second.store else {
      Issue.record("\(second)")
      return
    }
    #expect(try sampleContents(store).count == 43)
  }

  @Test func aJournalThatCannotBeWritten() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    // Nothing can replace a folder.
    let environment = SystemEnvironment(reached: { [journal] step in
      if step == "wrote the sidecar" { mkdir(journal.path, 0o755) }
    })
    let failure = try await failure(migration(environment: environment)) { throw Broken() }
    #expect(failure.kind == .journal)
    #expect(failure.store == .untouched)
    #expect(try sampleContents(store) == before)
    #expect(try backups.list() == [])
  }

  @Test(arguments: ["nonsense", "{}", #"{"format": 7}"#])
  func aRecordThatCannotBeRead(text: String) async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    try FileManager.default.createDirectory(at: backups.folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(
      to: backups.folder.appendingPathComponent("default.store_versions.json"))
    #expect(VersionRecord.read(of: store) == VersionRecord())
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.validation?.isValid == true)
    #expect(try sampleContents(store) == before)
    #expect(VersionRecord.read(of: store).history.count == 1)
  }

  @Test func theHistoryIsShort() throws {
    let file = VersionRecordFile(backups)
    for numbers in [1...40, 41...70] {
      try file.update { record in
        record.history += numbers.map { number in
          VersionRecord.Migration(
            from: one, to: StoreVersion(number, 0, 0), date: Date(timeIntervalSince1970: 0),
            duration: 1, attempts: 1, outcome: .migrated, backup: nil, rows: 1, reason: nil)
        }
      }
    }
    #expect(file.read().history.map(\.to.major) == Array(21...70))
  }

  /// A migration was killed, and then the store is missing or empty: the data is only in the backup.
  @Test(arguments: ["missing", "empty", "without tables"], [true, false])
  func aStoreThatIsGoneIsPutBack(how: String, hasBackup: Bool) async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    let backup = try await backups.create(from: one, to: StoreVersion(3, 0, 0))
    let left = MigrationJournal(
      from: one, to: StoreVersion(3, 0, 0), release: "1", attempts: 1, date: Date(),
      backup: backup.url.lastPathComponent, counts: ["Note": 40, "Folder": 2, "Tag": 1],
      isRepeatable: true)
    try MigrationJournalFile(backups).write(left)
    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(store.path + suffix) }
    if how == "empty" { try Data().write(to: store) }
    if how == "without tables" { try Connection(store).run("PRAGMA user_version = 1") }
    if !hasBackup {
      try Data("nonsense".utf8).write(to: backup.url)
      let names = folder.names()
      for _ in 1...3 {
        let failure = try await failure(migration()) {
          Issue.record("opened")
          throw Broken()
        }
        #expect(failure.kind == .interrupted)
        #expect(failure.reason.contains("'\(backup.url.lastPathComponent)' is missing or damaged"))
        #expect(failure.reason.contains("the data is missing"))
      }
      #expect(folder.names() == names)
      return
    }
    let result = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(result.report.attempts == 2)
    #expect(result.report.validation?.isValid == true)
    #expect(try sampleContents(store) == before)
    #expect(try backups.list().count == 1)
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }

  // MARK: Cancellation and others

  /// Another process holds the lock for longer than a moment.
  @Test(arguments: [".default.store.migration.lock", ".default.store.lock"])
  func itWaitsForOthers(name: String) async throws {
    try Sample.make(store)
    try FileManager.default.createDirectory(at: backups.folder, withIntermediateDirectories: true)
    let lock = try #require(try Disk.lock(backups.folder.path + "/" + name))
    let run = migration().run { [store] in try Sample.open(store) }
    var isHeld = true
    var lines: [String] = []
    for await progress in run.progress {
      lines.append(progress.description)
      if isHeld, progress.phase.rawValue == "waiting" {
        isHeld = false
        Disk.unlock(lock)
      }
    }
    if isHeld { Disk.unlock(lock) }
    #expect(try await run.result.report.wasMigrated)
    #expect(lines.contains("Waiting for another process that uses the data"))
    #expect(lines.contains("Backing up"))
  }

  @Test func whoWaitsForOthersCanBeCancelled() async throws {
    try Sample.make(store)
    try FileManager.default.createDirectory(at: backups.folder, withIntermediateDirectories: true)
    let lock = try #require(
      try Disk.lock(backups.folder.path + "/.default.store.migration.lock"))
    defer { Disk.unlock(lock) }
    let run = migration().run { [store] in try Sample.open(store) }
    for await progress in run.progress where progress.phase.rawValue == "waiting" { run.cancel() }
    await #expect(throws: CancellationError.self) { _ = try await run.result }
    #expect(folder.names() == ["default.store"])
  }

  @Test(arguments: ["copied pages", "wrote the sidecar", "wrote the migration's journal"])
  func cancelledBeforeOpening(step: String) async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    final class Holder: @unchecked Sendable {
      private let lock = NSLock()
      private var run: MigrationRun<Sample.Container>?
      func set(_ run: MigrationRun<Sample.Container>) { lock.withLock { self.run = run } }
      func cancel() {
        while true {
          if let run = lock.withLock({ run }) { return run.cancel() }
          usleep(1000)
        }
      }
    }
    let holder = Holder()
    let migration = migration(
      environment: SystemEnvironment(reached: { if $0 == step { holder.cancel() } }, pagesAtOnce: 4)
    )
    let run = migration.run { () -> Sample.Container in
      Issue.record("opened")
      throw Broken()
    }
    holder.set(run)
    await #expect(throws: CancellationError.self) { _ = try await run.result }
    #expect(try sampleContents(store) == before)
    #expect(folder.names() == ["default.store"])
  }

  @Test func whoWaitsAndIsCancelledCancels() async throws {
    try Sample.make(store)
    let migration = migration()
    let task = Task { [store] in
      while !Task.isCancelled { await Task.yield() }
      return try await migration.run { try Sample.open(store) }.result.report.attempts
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await migration.check().verdict.version?.name == "V1")
  }

  @Test func onceBegunItEnds() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    // Opening notices the cancellation and fails: the backup is restored anyway.
    let failure = try await failure(migration()) { [store] in
      _ = try Sample.open(store)
      withUnsafeCurrentTask { $0?.cancel() }
      try Task.checkCancellation()
      throw Broken()
    }
    #expect(failure.underlyingError is CancellationError)
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
    #expect(
      !FileManager.default.fileExists(atPath: folder.url.path + "/.default.store.restore.json"))
  }

  @Test func oneAtATime() async throws {
    try Sample.make(store)
    let migration = migration(patience: 0.1)
    let result = try await migration.run { [self] in
      let second = try await self.failure(migration) { throw Broken() }
      #expect(second.kind == .busy)
      return try Sample.open(self.store)
    }.result
    #expect(result.report.attempts == 1)
  }

  /// An app and its widget may be launched at once.
  @Test func launchedAtOnce() async throws {
    try Sample.make(store, Sample.v3)
    try FileManager.default.createDirectory(at: backups.folder, withIntermediateDirectories: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask { [store] in
          _ = try await StoreMigration(of: store, plan: Sample.plan())
            .run { try StoreFile(at: .file(store), isReadOnly: true).identifier }.result
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func anOlderAppTakesOver() async throws {
    // A newer app was killed before it changed anything, and then the older one was installed again.
    try Sample.make(store, Sample.v3)
    let left = MigrationJournal(
      from: StoreVersion(3, 0, 0), to: StoreVersion(9, 0, 0), release: "9", attempts: 2,
      date: Date(), backup: "none", counts: ["Note": 99], isRepeatable: true)
    try MigrationJournalFile(backups).write(left)
    _ = try await migration().run { [store] in try Sample.open(store) }.result
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }
}
