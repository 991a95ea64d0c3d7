public import Foundation
public import Observation

/// The state of a migration coordinator, for views.
public enum MigrationState: Sendable {
  /// No migration was started yet, or it was cancelled.
  case idle
  /// The store is being checked, or opened without a migration.
  case checking
  /// The store is being copied: backed up, or moved to its new place.
  case backingUp(MigrationProgress)
  /// The migration's stages are running.
  case migrating(MigrationProgress)
  /// The store's rows are being checked.
  case validating(MigrationProgress)
  /// The migration failed, and the backup is being restored.
  case restoring(MigrationProgress)
  /// The store is open.
  case completed(MigrationReport)
  /// The store cannot be opened yet, because the device is locked or the system gives the app no more time in the
  /// background. The coordinator continues when the device is unlocked or the app comes to the foreground.
  case paused(MigrationFailure)
  /// The store cannot be opened.
  case failed(MigrationFailure)

  /// Whether the store is being changed, which a view should show. This is false for the check at every launch.
  public var isMigrating: Bool {
    switch self {
    case .backingUp, .migrating, .validating, .restoring: true
    case .idle, .checking, .completed, .paused, .failed: false
    }
  }

  /// The fraction that is completed, from 0 to 1; `nil` if it is unknown.
  public var fraction: Double? {
    switch self {
    case .backingUp(let progress), .migrating(let progress), .validating(let progress),
      .restoring(let progress):
      progress.fraction
    case .completed: 1
    default: nil
    }
  }

  /// The failure of a failed or paused migration; `nil` in any other state.
  public var failure: MigrationFailure? {
    switch self {
    case .paused(let failure), .failed(let failure): failure
    default: nil
    }
  }
}

/// Migrates and opens a store for an app's views, and publishes its progress.
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
  /// The current state of the migration, or its result.
  public private(set) var migrationState = MigrationState.idle
  /// The container that `open` returned; `nil` until the migration is completed.
  public private(set) var container: Container?
  /// Whether this process is waiting for another process that uses the store. The state does not change meanwhile.
  public private(set) var isWaiting = false

  /// The migration, with its store, plan and backups.
  @ObservationIgnored public let migration: StoreMigration
  @ObservationIgnored private let open: @Sendable () async throws -> Container
  /// The coordinator owns this task, so that a view that disappears does not cancel it.
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var resuming: Task<Void, Never>?

  /// Creates a coordinator for a migration.
  ///
  /// - Parameters:
  ///   - migration: The store's migration.
  ///   - open: A closure that opens the store with the migration plan. It must not keep the container.
  public init(
    _ migration: StoreMigration, open: @escaping @Sendable () async throws -> Container
  ) {
    self.migration = migration
    self.open = open
  }

  /// Creates a coordinator for a store, with the default options.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: The versions that the store may have, and the migrations between them.
  ///   - old: The store's place in earlier releases of the app, from which it is moved first.
  ///   - open: A closure that opens the store with the migration plan. It must not keep the container.
  public convenience init(
    of store: URL, plan: MigrationPlanDescription, movingFrom old: URL? = nil,
    open: @escaping @Sendable () async throws -> Container
  ) {
    self.init(StoreMigration(of: store, plan: plan, movingFrom: old), open: open)
  }

  /// Checks the store, migrates it if it has an older version, and opens it.
  ///
  /// Views appear more than once, so you can call this repeatedly. If a migration is running, the call waits for it. If
  /// the store is open, the call does nothing. If an earlier call has failed, the call tries again only if the failure
  /// `isTransient`. It does not retry a migration that earlier launches gave up.
  ///
  /// Views are replaced, so cancelling the calling task does not stop the migration. `cancel()` does.
  public func checkAndPerformMigration() async {
    await perform(isRetry: false)
  }

  /// Tries again at the user's request, even if the migration was given up.
  public func retry() async { await perform(isRetry: true) }

  /// Stops the migration, unless the store is being opened already. You can start it again.
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
    // Listen from now on, so that an unlock during the run counts.
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
    // The container follows a moment later.
    case .waiting, .done: break
    }
  }
}
