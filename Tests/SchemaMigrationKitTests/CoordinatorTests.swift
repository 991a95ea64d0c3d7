import Foundation
import Observation
import Testing

@testable import SchemaMigrationKit

/// What the coordinator shows to views.
@MainActor
@Suite(.serialized) struct CoordinatorTests {
  let folder: TemporaryFolder
  let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  private struct Broken: Error {}

  /// Every state that a coordinator goes through, by name.
  @MainActor private final class Watcher<Container: Sendable> {
    var names: [String] = []

    func watch(_ coordinator: MigrationCoordinator<Container>) {
      let name = coordinator.migrationState.name
      if names.last != name { names.append(name) }
      withObservationTracking {
        _ = coordinator.migrationState
      } onChange: {
        Task { @MainActor in self.watch(coordinator) }
      }
    }
  }

  @Test func itOpens() async throws {
    try Sample.make(store)
    let coordinator = MigrationCoordinator(of: store, plan: Sample.plan()) { [store] in
      try Sample.open(store)
    }
    let watcher = Watcher<Sample.Container>()
    watcher.watch(coordinator)
    #expect(!coordinator.migrationState.isMigrating)
    await coordinator.checkAndPerformMigration()
    for _ in 1...100 { await Task.yield() }
    #expect(watcher.names.first == "idle")
    #expect(watcher.names.last == "completed")
    #expect(coordinator.container != nil)
    guard case .completed(let report) = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(report.wasMigrated)
    #expect(coordinator.migrationState.fraction == 1)
    // A second check does nothing.
    let container = coordinator.container
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.container === container)
  }

  @Test func itFailsAndIsRetried() async throws {
    try Sample.make(store)
    final class Switch: @unchecked Sendable {
      private let lock = NSLock()
      private var isBroken = true
      var breaks: Bool {
        get { lock.withLock { isBroken } }
        set { lock.withLock { isBroken = newValue } }
      }
    }
    let isBroken = Switch()
    func launch() -> MigrationCoordinator<Sample.Container> {
      MigrationCoordinator(of: store, plan: Sample.plan()) { [store] in
        if isBroken.breaks { throw Broken() }
        return try Sample.open(store)
      }
    }
    for _ in 1...2 {
      let coordinator = launch()
      // The view may appear any number of times.
      for _ in 1...3 { await coordinator.checkAndPerformMigration() }
      #expect(coordinator.migrationState.failure?.kind == .open)
    }
    isBroken.breaks = false
    let coordinator = launch()
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.migrationState.failure?.kind == .gaveUp(attempts: 2))
    #expect(coordinator.container == nil)
    await coordinator.retry()
    #expect(coordinator.container != nil)
  }

  @Test func onlyOneRunsAtATime() async throws {
    try Sample.make(store)
    final class Counter: @unchecked Sendable {
      private let lock = NSLock()
      private var value = 0
      func count() -> Int {
        lock.withLock {
          value += 1
          return value
        }
      }
    }
    let counter = Counter()
    let coordinator = MigrationCoordinator(of: store, plan: Sample.plan()) { [store] in
      #expect(counter.count() == 1)
      return try Sample.open(store)
    }
    async let first: Void = coordinator.checkAndPerformMigration()
    async let second: Void = coordinator.checkAndPerformMigration()
    _ = await (first, second)
    #expect(coordinator.container != nil)
  }

  @Test func cancelledItIsIdle() async throws {
    try Sample.make(store)
    let coordinator = MigrationCoordinator(of: store, plan: Sample.plan()) { [store] in
      try Sample.open(store)
    }
    let task = Task { await coordinator.checkAndPerformMigration() }
    task.cancel()
    await task.value
    guard case .idle = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
    #expect(folder.names() == ["default.store"])
  }

  /// Pauses a migration at a step.
  private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var isReached = false
    private var isOpen = false
    var wasReached: Bool { lock.withLock { isReached } }
    func reached() {
      lock.withLock { isReached = true }
      while !lock.withLock({ isOpen }) { usleep(1000) }
    }
    func open() { lock.withLock { isOpen = true } }
  }

  private func coordinator(
    _ gate: Gate, at step: String, failing: Bool = false
  ) -> MigrationCoordinator<Sample.Container> {
    let backups = StoreBackups(
      of: store, environment: SystemEnvironment(reached: { if $0 == step { gate.reached() } }))
    return MigrationCoordinator(
      StoreMigration(plan: Sample.plan(), backups: backups)
    ) { [store] in
      if failing { throw Broken() }
      return try Sample.open(store)
    }
  }

  /// A view is replaced while its task waits, and the next view has appeared already. The run belongs to the
  /// coordinator.
  @Test(arguments: ["before copying", "copied pages", "wrote the sidecar"])
  func aViewThatIsReplacedStopsNothing(step: String) async throws {
    try Sample.make(store)
    let gate = Gate()
    let coordinator = coordinator(gate, at: step)
    let first = Task { await coordinator.checkAndPerformMigration() }
    while !gate.wasReached { await Task.yield() }
    let second = Task { await coordinator.checkAndPerformMigration() }
    for _ in 1...10 { await Task.yield() }
    first.cancel()
    gate.open()
    await first.value
    await second.value
    #expect(coordinator.container != nil)
    guard case .completed = coordinator.migrationState else {
      Issue.record("\(coordinator.migrationState)")
      return
    }
  }

  @Test func stoppedItIsIdleAndBegunAnew() async throws {
    try Sample.make(store)
    let gate = Gate()
    let coordinator = coordinator(gate, at: "copied pages")
    let first = Task { await coordinator.checkAndPerformMigration() }
    while !gate.wasReached { await Task.yield() }
    coordinator.cancel()
    // A task that waits already gets no result, and one that comes now starts again.
    let second = Task { await coordinator.checkAndPerformMigration() }
    gate.open()
    await first.value
    await second.value
    #expect(coordinator.container != nil)
    #expect(try coordinator.migration.backups.list().count == 1)
    coordinator.cancel()
    #expect(coordinator.container != nil)
  }

  @Test(
    arguments: [
      ("copied pages", "backingUp"), ("before opening", "migrating"), ("validated", "validating"),
      ("before restoring", "restoring"),
    ])
  func itSaysWhatItDoes(step: String, state: String) async throws {
    try Sample.make(store)
    let gate = Gate()
    let coordinator = coordinator(gate, at: step, failing: state == "restoring")
    let task = Task { await coordinator.checkAndPerformMigration() }
    while !gate.wasReached { await Task.yield() }
    // The run is paused, and its last report may still be on its way.
    for _ in 1...10_000 where coordinator.migrationState.name != state { await Task.yield() }
    #expect(coordinator.migrationState.name == state)
    #expect(coordinator.migrationState.isMigrating)
    gate.open()
    await task.value
    #expect(!coordinator.migrationState.isMigrating)
  }

  /// After a failure, people can save the data from its old place, not from where it should have gone.
  @Test func aStoreThatCannotBeMovedIsSalvagedWhereItIs() async throws {
    try Sample.make(store)
    let group = folder.url.appendingPathComponent("Group")
    let new = group.appendingPathComponent("new.store")
    let file = folder.url.appendingPathComponent("data.json")
    // A file where a folder is to be created.
    #expect(FileManager.default.createFile(atPath: group.path, contents: nil))
    let coordinator = MigrationCoordinator(of: new, plan: Sample.plan(), movingFrom: store) {
      try Sample.open(new)
    }
    await coordinator.checkAndPerformMigration()
    #expect(coordinator.migrationState.failure?.kind == .relocation(.system(ENOTDIR)))
    let migration = coordinator.migration
    #expect(migration.storesWithData == [store])
    let report = try await StoreSalvage(of: #require(migration.storesWithData.first))
      .write(to: file)
    #expect(report.tables.contains { $0.entity == "Note" && $0.read > 0 })

    try FileManager.default.removeItem(at: group)
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: false)
    try Sample.make(new, notes: 1)
    await coordinator.retry()
    #expect(coordinator.migrationState.failure?.kind == .relocation(.storeExists))
    #expect(migration.storesWithData == [store, new])

    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(new.path + suffix) }
    await coordinator.retry()
    #expect(coordinator.container != nil)
    #expect(migration.storesWithData == [new])
    #expect(StoreMigration(of: store, plan: Sample.plan()).storesWithData == [store])
  }

  @Test func itSaysThatItWaits() async throws {
    try Sample.make(store)
    let coordinator = MigrationCoordinator(of: store, plan: Sample.plan()) { [store] in
      try Sample.open(store)
    }
    let folder = coordinator.migration.backups.folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lock = try #require(try Disk.lock(folder.path + "/.default.store.migration.lock"))
    let task = Task { await coordinator.checkAndPerformMigration() }
    while !coordinator.isWaiting, coordinator.migrationState.failure == nil { await Task.yield() }
    #expect(!coordinator.migrationState.isMigrating)
    Disk.unlock(lock)
    await task.value
    #expect(!coordinator.isWaiting)
    #expect(coordinator.container != nil)
  }
}

extension MigrationState {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .checking: "checking"
    case .backingUp: "backingUp"
    case .migrating: "migrating"
    case .validating: "validating"
    case .restoring: "restoring"
    case .completed: "completed"
    case .paused: "paused"
    case .failed: "failed"
    }
  }
}
