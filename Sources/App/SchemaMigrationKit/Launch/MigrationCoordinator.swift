public import Foundation
public import Observation

/// What a migration coordinator is doing, for views.
public enum MigrationState: Sendable {
  /// Nothing was asked for yet, or it was cancelled.
  case idle
  /// The store is looked at, or opened where there is nothing to migrate.
  case checking
  /// The store is copied: backed up, or moved to its new place.
  case backingUp(MigrationProgress)
  /// Its stages run.
  case migrating(MigrationProgress)
  /// Its rows are looked at.
  case validating(MigrationProgress)
  /// It failed, and the backup is put back.
  case restoring(MigrationProgress)
  /// The store can be used.
  case completed(MigrationReport)
  /// The store cannot be used yet: the device is locked, or the system gives the app no more time in the background. The
  /// coordinator goes on by itself when the device is unlocked or the app comes to the foreground.
  case paused(MigrationFailure)
  /// The store cannot be used.
  case failed(MigrationFailure)

  /// Whether the store is being changed, so that a view should say so. A look at it, which every launch takes, is not.
  public var isMigrating: Bool {
    switch self {
    case .backingUp, .migrating, .validating, .restoring: true
    case .idle, .checking, .completed, .paused, .failed: false
    }
  }

  /// How far it has come, from 0 to 1, where that is known.
  public var fraction: Double? {
    switch self {
    case .backingUp(let progress), .migrating(let progress), .validating(let progress),
      .restoring(let progress):
      progress.fraction
    case .completed: 1
    default: nil
    }
  }

  /// Why it failed or is paused.
  public var failure: MigrationFailure? {
    switch self {
    case .paused(let failure), .failed(let failure): failure
    default: nil
    }
  }
}

/// Migrates and opens a store for an app's views, and tells them how far it is.
///
/// ```swift
/// @State private var coordinator = MigrationCoordinator(of: storeURL, plan: .ritualist) {
///   try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: configuration)
/// }
/// // …
/// if let container = coordinator.container {
///   ContentView().modelContainer(container)
/// } else {
///   MigrationProgressView(coordinator: coordinator).task { await coordinator.checkAndPerformMigration() }
/// }
/// ```
@MainActor
@Observable
public final class MigrationCoordinator<Container: Sendable> {
  /// What is being done, or came of it.
  public private(set) var migrationState = MigrationState.idle
  /// What `open` has made; `nil` until the migration is completed.
  public private(set) var container: Container?
  /// Whether another process works with the store, and this one waits for it; the state stays what it is meanwhile.
  public private(set) var isWaiting = false

  /// Where the store is, its plan and its backups.
  @ObservationIgnored public let migration: StoreMigration
  @ObservationIgnored private let open: @Sendable () async throws -> Container
  /// The coordinator's own: a view that goes away does not take it along.
  @ObservationIgnored private var running: Task<Void, Never>?
  /// Goes on when what it was paused for is over.
  @ObservationIgnored private var resuming: Task<Void, Never>?

  /// - Parameters:
  ///   - migration: The store's migration.
  ///   - open: Opens the store with the migration plan. It must not keep the container.
  public init(
    _ migration: StoreMigration, open: @escaping @Sendable () async throws -> Container
  ) {
    self.migration = migration
    self.open = open
  }

  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: What the store can be.
  ///   - old: Where the store was in earlier releases of the app; it is moved from there first.
  ///   - open: Opens the store with the migration plan. It must not keep the container.
  public convenience init(
    of store: URL, plan: MigrationPlanDescription, movingFrom old: URL? = nil,
    open: @escaping @Sendable () async throws -> Container
  ) {
    self.init(StoreMigration(of: store, plan: plan, movingFrom: old), open: open)
  }

  /// Looks at the store, migrates it where it is of an older version, and opens it.
  ///
  /// Does nothing when that is done already or has failed since the launch, and waits when it is being done: views appear
  /// more than once. A failure that `isTransient` does not count: then it tries again. It goes on when the task that waits for it is cancelled, for views are replaced: `cancel()` stops
  /// it. What the last launches have given up is not tried again.
  public func checkAndPerformMigration() async {
    await perform(isRetry: false)
  }

  /// Tries once more, because people have asked for it.
  public func retry() async { await perform(isRetry: true) }

  /// Stops it, if the store is not being opened yet. It can be begun anew.
  public func cancel() {
    running?.cancel()
    resuming?.cancel()
    if case .paused = migrationState { migrationState = .idle }
  }

  private func perform(isRetry: Bool) async {
    while let running {
      let wasStopped = running.isCancelled
      await running.value
      if !wasStopped { return }
    }
    let isDue = isRetry || migrationState.failure?.isTransient ?? true
    guard container == nil, isDue, !Task.isCancelled else { return }
    let task = Task {
      await run(isRetry: isRetry)
      running = nil
    }
    running = task
    await task.value
  }

  private func run(isRetry: Bool) async {
    resuming?.cancel()
    // From now on, so that a device that is unlocked meanwhile counts.
    let wakes = migration.backups.environment.platform.wakes()
    migrationState = .checking
    let run = migration.run(isRetry: isRetry, open: open)
    await withTaskCancellationHandler {
      for await progress in run.progress { show(progress) }
    } onCancel: {
      run.cancel()
    }
    isWaiting = false
    do {
      let result = try await run.result
      container = result.container
      migrationState = .completed(result.report)
    } catch let failure as MigrationFailure where failure.pauses {
      migrationState = .paused(failure)
      resuming = Task { [weak self] in
        for await _ in wakes { return await self?.checkAndPerformMigration() ?? () }
      }
    } catch let failure as MigrationFailure {
      migrationState = .failed(failure)
    } catch {
      migrationState = .idle
    }
  }

  private func show(_ progress: MigrationProgress) {
    isWaiting = progress.phase == .waiting
    switch progress.phase {
    case .checking: migrationState = .checking
    case .moving, .backingUp: migrationState = .backingUp(progress)
    case .migrating: migrationState = .migrating(progress)
    case .validating: migrationState = .validating(progress)
    case .restoring: migrationState = .restoring(progress)
    // The container comes a moment later.
    case .waiting, .done: break
    }
  }
}
