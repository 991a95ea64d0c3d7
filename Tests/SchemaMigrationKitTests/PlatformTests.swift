import Foundation
import ManagedModels
import Testing

@testable import SchemaMigrationKit

/// A device that a test locks and unlocks, and a system that suspends apps on request.
///
/// Reading a locked file fails here with EISDIR, since tests may run as a user who may read everything. Attributes
/// belong to files, not to names, as on a device.
final class Device: @unchecked Sendable {
  private let lock = NSLock()
  private var listeners: [AsyncStream<Void>.Continuation] = []
  private var activities: [Int: @Sendable () -> Void] = [:]
  private var last = 0
  private var classes: [UInt64: String] = [:]
  private var excludedFiles: Set<UInt64> = []

  /// The number of activities that must not be suspended now.
  var activityCount: Int { lock.withLock { activities.count } }
  /// The number of such activities so far.
  var activityTotal: Int { lock.withLock { last } }

  /// The files and folders in a folder that are excluded from the device's backup.
  func excluded(in folder: URL) throws -> [String] {
    let names = try Disk.names(in: folder.path)
    return try names.filter { name in
      let identity = try Self.identity(folder.path + "/" + name)
      return lock.withLock { excludedFiles.contains(identity) }
    }
  }

  private static func identity(_ path: String) throws -> UInt64 {
    guard let status = try Disk.status(path) else { throw SystemFailure(code: ENOENT, path: path) }
    return status.identity
  }

  var platform: Platform {
    var platform = Platform()
    platform.lockedError = EISDIR
    platform.protection = { [self] path in
      guard let identity = try? Self.identity(path) else { return nil }
      return lock.withLock { classes[identity] }
    }
    platform.protect = { [self] path, name in
      let identity = try Self.identity(path)
      lock.withLock { classes[identity] = name }
    }
    platform.excludeFromDeviceBackup = { [self] path in
      guard let identity = try? Self.identity(path) else { return }
      lock.withLock { _ = excludedFiles.insert(identity) }
    }
    platform.wakes = { [self] in
      let (stream, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      lock.withLock { listeners.append(continuation) }
      return stream
    }
    platform.keepAwake = { [self] _, onExpiry in
      let number = lock.withLock {
        last += 1
        activities[last] = onExpiry
        return last
      }
      return { [self] in lock.withLock { activities[number] = nil } }
    }
    return platform
  }

  func wake() { for listener in lock.withLock({ listeners }) { listener.yield() } }

  func expire() { for activity in lock.withLock({ Array(activities.values) }) { activity() } }

}

/// Locked devices and suspended apps.
@MainActor
@Suite(.serialized) struct PlatformTests {
  let folder: TemporaryFolder
  let store: URL
  let device = Device()

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  private func environment(
    reached: @escaping @Sendable (String) -> Void = { _ in }
  ) -> SystemEnvironment {
    SystemEnvironment(reached: reached, platform: device.platform)
  }

  private func coordinator(
    _ environment: SystemEnvironment
  ) -> MigrationCoordinator<Sample.Container> {
    MigrationCoordinator(
      StoreMigration(
        plan: Sample.plan(), backups: StoreBackups(of: store, environment: environment),
        options: StoreMigration.Options(release: "1", lockTimeout: 0))
    ) { [store] in try Sample.open(store) }
  }

  /// Waits for a coordinator that continues by itself; gives up if it does not.
  private func opened(_ coordinator: MigrationCoordinator<Sample.Container>) async throws {
    for _ in 1...6000 where coordinator.container == nil {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(coordinator.container != nil, "\(coordinator.migrationState)")
  }

  private var lockFile: URL {
    folder.url.appendingPathComponent("Backups/.default.store.lock")
  }

  private func lockDevice() throws {
    try FileManager.default.createDirectory(at: lockFile, withIntermediateDirectories: true)
  }

  private func unlockDevice() throws {
    try FileManager.default.removeItem(at: lockFile)
    device.wake()
  }

  @Test("A launch on a locked device pauses and continues after unlocking")
  func aLockedDevice() async throws {
    try Sample.make(store)
    try lockDevice()
    let coordinator = coordinator(environment())
    await coordinator.checkAndPerformMigration()
    guard case .paused(let failure) = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(failure.kind == .protectedData)
    #expect(failure.store == .untouched)
    #expect(failure.isTransient)
    #expect(!coordinator.migrationState.isMigrating)
    #expect(
      failure.localizedDescription
        == "Your data is locked until this device is unlocked. Your data is unchanged.")
    #expect(failure.recoverySuggestion == "Unlock this device.")
    try unlockDevice()
    try await opened(coordinator)
    #expect(try coordinator.migration.backups.list().count == 1)
  }

  @Test("Unlocking during a failing launch is noticed")
  func unlockedMeanwhile() async throws {
    try Sample.make(store)
    try lockDevice()
    let coordinator = coordinator(environment())
    let task = Task { await coordinator.checkAndPerformMigration() }
    for _ in 1...6000 {
      guard case .idle = coordinator.migrationState else { break }
      await Task.yield()
    }
    // The run is under way, whatever it has found.
    device.wake()
    await task.value
    try FileManager.default.removeItem(at: lockFile)
    device.wake()
    try await opened(coordinator)
  }

  @Test("A launch pauses whichever of its files the device has locked")
  func everyFile() async throws {
    for name in [".default.store.lock", ".default.store.migration.lock"] {
      try Sample.make(store)
      let file = folder.url.appendingPathComponent("Backups/" + name)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      let coordinator = coordinator(environment())
      await coordinator.checkAndPerformMigration()
      #expect(coordinator.migrationState.failure?.kind == .protectedData, "\(name)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Backups"))
      try FileManager.default.removeItem(at: store)
    }
  }

  @Test(
    "If the device locks while a store opens, the launch continues after unlocking",
    arguments: [Sample.v1, Sample.v3])
  func lockedWhileOpening(_ model: ManagedModel) async throws {
    try Sample.make(store, model)
    let before = try sampleContents(store)
    let (device, folder, store) = (device, folder, store)
    let hidden = folder.url.appendingPathComponent("hidden.store")
    let isOpen = Expiry()
    // A current store is checked again; one that needed a migration is restored.
    let isCurrent = model.versionIdentifier == Sample.v3.versionIdentifier
    let locked = isCurrent ? store : lockFile
    let coordinator = MigrationCoordinator(
      StoreMigration(
        plan: Sample.plan(), backups: StoreBackups(of: store, environment: environment()),
        options: StoreMigration.Options(release: "1", lockTimeout: 0))
    ) {
      guard isOpen.isFirst() else { return try Sample.open(store) }
      try? FileManager.default.moveItem(at: locked, to: hidden)
      try FileManager.default.createSymbolicLink(at: locked, withDestinationURL: folder.url)
      throw SystemFailure(code: EPERM, path: store.path)
    }
    await coordinator.checkAndPerformMigration()
    guard case .paused(let failure) = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(failure.kind == .protectedData)
    #expect(failure.store == (isCurrent ? .untouched : .left))
    try FileManager.default.removeItem(at: locked)
    if isCurrent { try FileManager.default.moveItem(at: hidden, to: locked) }
    device.wake()
    try await opened(coordinator)
    #expect(try sampleContents(store) == before)
  }

  @Test("Without data protection, a file that cannot be opened is a backup failure, not a pause")
  func elsewhere() async throws {
    try Sample.make(store)
    try lockDevice()
    let coordinator = coordinator(SystemEnvironment(platform: Platform()))
    await coordinator.checkAndPerformMigration()
    guard case .failed(let failure) = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(failure.kind == .backup(.system(EISDIR)))
    #expect(failure.code == "backup.system.\(EISDIR)")
  }

  @Test("A cancelled launch does not continue after unlocking")
  func cancelled() async throws {
    try Sample.make(store)
    try lockDevice()
    let coordinator = coordinator(environment())
    await coordinator.checkAndPerformMigration()
    coordinator.cancel()
    try unlockDevice()
    for _ in 1...1000 { await Task.yield() }
    #expect(coordinator.container == nil)
    guard case .idle = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
  }

  @Test(
    "A transient failure is retried when the view reappears; other failures are not"
  )
  func transient() async throws {
    try Sample.make(store)
    let coordinator = coordinator(environment())
    let backups = coordinator.migration.backups.folder
    try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: true)
    let other = try #require(try Disk.lock(backups.path + "/.default.store.migration.lock"))
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.migrationState.failure?.kind == .busy)
    Disk.unlock(other)
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.container != nil)
  }

  // MARK: Files

  private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  @Test("Journal, backups, locks and the restored store inherit the protection class")
  func protection() async throws {
    try makeStore(store, named: "old", external: ["one"])
    let protection = device.platform.protection
    try device.platform.protect(store.path, "complete")
    let backups = StoreBackups(of: store, environment: environment())
    let backup = try await backups.create(from: one, to: two)
    // From the start, and not only when a later call checks the existing files.
    #expect(protection(backup.url.path) == "complete")
    try await backups.markShipped(one)
    try MigrationJournalFile(backups).write(
      MigrationJournal(
        from: one, to: two, release: "", attempts: 1, date: backup.date,
        backup: backup.url.lastPathComponent, counts: [:], isRepeatable: true))
    let stem = backup.url.deletingPathExtension().lastPathComponent
    for name in [
      "", "/.default.store.lock", "/default.store_shipped.json", "/default.store_migration.json",
      "/\(stem).sqlite", "/\(stem).json", "/\(stem)_SUPPORT",
      "/\(stem)_SUPPORT/_EXTERNAL_DATA/one",
    ] {
      #expect(protection(url("Backups" + name).path) == "complete", "\(name)")
    }
    // A backup that was copied there has no protection class.
    for path in [backup.url.path, externalFolder(of: store).path + "/one"] {
      try device.platform.protect(path, "none")
    }
    try writeExternal("one", of: store, "new")
    let replaced = try #require(try await backups.restore(backup).replaced)
    for file in [store, replaced, externalFolder(of: store).appendingPathComponent("one")] {
      #expect(protection(file.path) == "complete", "\(file.lastPathComponent)")
    }
    // Existing files follow the store's class.
    try device.platform.protect(store.path, "completeUnlessOpen")
    try await backups.recover()
    #expect(protection(backup.url.path) == "completeUnlessOpen")
  }

  @Test("Backups and replaced stores can be excluded from the device's backup")
  func exclusion() throws {
    try makeStore(store, named: "old", external: ["one"])
    func backups(_ isExcluded: Bool) -> StoreBackups {
      StoreBackups(
        of: store, isExcludedFromDeviceBackup: isExcluded, environment: environment())
    }
    let options = StoreMigration.Options(excludesBackupsFromDeviceBackup: true)
    let migration = StoreMigration(of: store, plan: Sample.plan(), options: options)
    #expect(migration.backups.isExcludedFromDeviceBackup)
    let backup = try backups(false).create(from: one, to: two)
    let first = try #require(try backups(false).restore(backup).replaced)
    #expect(try device.excluded(in: folder.url) == [])
    let second = try #require(try backups(true).restore(backup).replaced)
    func names(_ replaced: URL) -> [String] {
      let stem = replaced.deletingPathExtension().lastPathComponent
      return [".\(stem)_SUPPORT", replaced.lastPathComponent]
    }
    #expect(try device.excluded(in: folder.url) == (names(second) + ["Backups"]).sorted())
    // The others are excluded when old backups are pruned; the store and its external file are not.
    _ = try backups(true).prune()
    #expect(
      try device.excluded(in: folder.url) == (names(first) + names(second) + ["Backups"]).sorted())
    #expect(try device.excluded(in: externalFolder(of: store)) == [])
  }

  // MARK: Calls that do not block

  @Test(
    "Asynchronous calls leave the main actor, keep the process awake and end in time"
  )
  func asyncCalls() async throws {
    try makeStore(store, named: "old", rows: 200)
    let threads = Threads()
    let backups = StoreBackups(
      of: store,
      environment: environment(reached: { [device] _ in
        threads.note(Thread.isMainThread, device.activityCount)
      }))
    try await backups.recover()
    let backup = try await backups.create(from: one, to: two)
    try await backups.verify(backup)
    try await backups.restore(backup)
    try await backups.markShipped(one)
    #expect(try await backups.prune().removed.isEmpty)
    #expect(threads.all.count > 10)
    #expect(threads.all.allSatisfy { !$0.isMain && $0.activities == 1 })
    #expect(device.activityCount == 0)

    // Cancelled from within: another task might find no thread to run on.
    let canceller = Canceller()
    let task = Task { try await backups.create(from: one, to: two) { _ in canceller.cancel() } }
    canceller.task = task
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try backups.list().count == 1)
    let expiring = Task {
      try await backups.create(from: one, to: two) { [device] _ in device.expire() }
    }
    let error = await #expect(throws: BackupError.self) { _ = try await expiring.value }
    #expect(error?.kind == .backgroundTimeExpired)
    #expect(try backups.list().count == 1)
  }

  private final class Canceller: @unchecked Sendable {
    private let lock = NSLock()
    private var known: Task<Backup, any Error>?
    var task: Task<Backup, any Error>? {
      get { lock.withLock { known } }
      set { lock.withLock { known = newValue } }
    }
    /// Waits until the task is known, which is at once.
    func cancel() {
      while task == nil { usleep(1000) }
      task?.cancel()
    }
  }

  private final class Threads: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [(isMain: Bool, activities: Int)] = []
    var all: [(isMain: Bool, activities: Int)] { lock.withLock { noted } }
    func note(_ isMain: Bool, _ activities: Int) {
      lock.withLock { noted.append((isMain, activities)) }
    }
  }

  // MARK: Suspension

  /// Ends the background time when a migration first comes to a step.
  private final class Expiry: @unchecked Sendable {
    private let lock = NSLock()
    private var isOver = false
    func isFirst() -> Bool {
      lock.withLock {
        defer { isOver = true }
        return !isOver
      }
    }
    func come(_ device: Device) { if isFirst() { device.expire() } }
  }

  @Test(
    "A migration that runs out of background time pauses and continues in the foreground",
    arguments: ["before copying", "copied pages", "synchronised", "wrote the migration's journal"])
  func outOfTime(step: String) async throws {
    try Sample.make(store)
    let expiry = Expiry()
    let coordinator = coordinator(
      environment(reached: { [device] in if $0 == step { expiry.come(device) } }))
    await coordinator.checkAndPerformMigration()
    guard case .paused(let failure) = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(failure.kind == .backgroundTimeExpired)
    #expect(device.activityCount == 0)
    #expect(folder.names() == ["default.store"])
    // No lock is held.
    for name in [".default.store.lock", ".default.store.migration.lock"] {
      let lock = try #require(try Disk.lock(folder.url.path + "/Backups/" + name))
      Disk.unlock(lock)
    }
    device.wake()
    try await opened(coordinator)
    #expect(device.activityCount == 0)
  }

  @Test(
    "A store that has begun to open is opened even if time runs out",
    arguments: ["opened", "validated"])
  func tooLate(step: String) async throws {
    try Sample.make(store)
    let expiry = Expiry()
    let coordinator = coordinator(
      environment(reached: { [device] in if $0 == step { expiry.come(device) } }))
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.container != nil)
    #expect(device.activityTotal > 0)
    #expect(device.activityCount == 0)
  }
}
