public import Foundation

/// Migrates a store to the newest version and opens it.
///
/// It checks the store, backs it up, has the app open it with its migration plan, and checks the result. If opening or
/// the check fails, it restores the backup.
///
/// ```swift
/// let migration = StoreMigration(of: storeURL, plan: .ritualist)
/// let run = migration.run { try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: configuration) }
/// for await progress in run.progress { print(progress) }
/// let container = try await run.result.container
/// ```
///
/// A store is never wiped. After an error, or after a kill at any moment and the next run, the store is either the old
/// one or the complete new one. If the store is neither, the error describes what happened and where the backup is.
public struct StoreMigration: Sendable {
  /// The store's database.
  public var store: URL { backups.store }
  /// The versions that the store may have, and the migrations between them.
  public let plan: MigrationPlanDescription
  /// The store's backups.
  public let backups: StoreBackups
  /// The store's move to its present place; `nil` if it has always been there.
  public let relocation: StoreRelocation?
  /// The options that the app has chosen.
  public let options: Options
  /// The observer that receives the events of a run. By default it is the system's log on Apple's systems.
  public let observer: (any MigrationObserver)?

  /// Options of a migration.
  public struct Options: Sendable, Hashable {
    /// The number of failed or interrupted attempts after which a release of the app stops trying automatically. If
    /// rows were missing after one of these attempts, there is one more.
    public var maximumAttempts: Int
    /// The rules for old backups, which are applied after a migration; `nil` removes none.
    public var retention: RetentionRules?
    /// The app's build. A new build tries again what an old one has given up.
    public var release: String
    /// How long to wait for another process that migrates the store or works on its backups, in seconds.
    public var lockTimeout: TimeInterval
    /// Whether backups and replaced stores are excluded from the device's backup.
    public var excludesBackupsFromDeviceBackup: Bool
    /// What to do if there is already a store at the place to which the old store should be moved.
    public var existingStore: StoreRelocation.ExistingStore

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The number of attempts; at least one.
    ///   - retention: The rules for old backups; `nil` removes none.
    ///   - release: The app's build; by default `CFBundleVersion` of the main bundle.
    ///   - lockTimeout: How long to wait for another process, in seconds. After that the run fails as `busy`.
    ///   - excludesBackupsFromDeviceBackup: Whether backups and replaced stores are excluded from the device's backup.
    ///   - existingStore: What to do if there is already a store at the place to which the old store should be moved.
    public init(
      maximumAttempts: Int = 2, retention: RetentionRules? = RetentionRules(),
      release: String? = nil,
      lockTimeout: TimeInterval = 60,
      excludesBackupsFromDeviceBackup: Bool = false,
      existingStore: StoreRelocation.ExistingStore = .refuse
    ) {
      self.existingStore = existingStore
      self.maximumAttempts = max(1, maximumAttempts)
      self.lockTimeout = lockTimeout
      self.excludesBackupsFromDeviceBackup = excludesBackupsFromDeviceBackup
      self.retention = retention
      self.release = release ?? Bundle.main.infoDictionary?["CFBundleVersion"] as? String ?? ""
    }
  }

  /// Creates a migration. This changes no file.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: The versions that the store may have, and the migrations between them.
  ///   - old: The store's place in earlier releases of the app, from which it is moved first.
  ///   - backups: The folder of the store's backups; by default `Backups` next to the store.
  ///   - options: The app's choices.
  ///   - observer: The observer that receives the events of a run, for logs and metrics; by default the system's log on
  ///     Apple's systems.
  ///   - now: The clock that dates backups and the record.
  public init(
    of store: URL, plan: MigrationPlanDescription, movingFrom old: URL? = nil,
    backups: URL? = nil, options: Options = Options(),
    observer: (any MigrationObserver)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      plan: plan, movingFrom: old, isSharingBackups: backups != nil,
      backups: StoreBackups(
        of: store, in: backups,
        isExcludedFromDeviceBackup: options.excludesBackupsFromDeviceBackup, now: now),
      options: options, observer: observer)
  }

  package init(
    plan: MigrationPlanDescription, movingFrom old: URL? = nil, isSharingBackups: Bool = false,
    backups: StoreBackups, options: Options = Options(),
    observer: (any MigrationObserver)? = nil
  ) {
    relocation = old.map { old in
      StoreRelocation(
        from: old, to: backups, isSharingBackups: isSharingBackups,
        existingStore: options.existingStore)
    }
    self.plan = plan
    self.observer = observer ?? backups.environment.platform.observer
    self.backups = backups
    self.options = options
  }

  /// The stores that contain the user's data now, for a salvage: `store`, or the store at its old location if it has
  /// not been moved yet. If both exist, and there is no record that one came from the other, the result is both.
  ///
  /// This reads files and changes nothing.
  public var storesWithData: [URL] { relocation?.storesWithData ?? [store] }

  /// Examines the store without changing it.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Throws: `BackupError` or `CancellationError`.
  public func check() throws -> PreflightReport {
    try StorePreflight(plan: plan, backups: backups).check()
  }

  /// Records that the app has seen the note on missing rows, so that reports no longer contain the note.
  ///
  /// This blocks while it writes a small file. It waits at most half a second for another process.
  ///
  /// - Throws: `BackupError` if the record cannot be written.
  public func acknowledgeLoss() throws {
    try backups.translatingErrors {
      let record = VersionRecordFile(backups)
      guard record.read().unacknowledgedLoss != nil else { return }
      try record.update { $0.unacknowledgedLoss = nil }
    }
  }

  /// Starts the migration at once, away from the main actor.
  ///
  /// - Parameters:
  ///   - isRetry: Whether the user has asked for this run. Such a run also tries again what was given up.
  ///   - open: A closure that opens the store with the migration plan. It must not keep the container: if rows are
  ///     missing, the container is released and the backup restored.
  /// - Returns: The migration in progress.
  public func run<Container: Sendable>(
    isRetry: Bool = false, open: @escaping @Sendable () async throws -> Container
  ) -> MigrationRun<Container> {
    // The buffer is limited, in case the app does not read the progress.
    let (progress, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(256))
    let task = Task.detached {
      defer { continuation.finish() }
      let tracker = ProgressTracker(observer: observer, now: backups.environment.now) {
        continuation.yield($0)
      }
      do {
        let result = try await backups.environment.platform.perform("migrating a store") {
          try await MigrationAttempt(migration: self, tracker: tracker, isRetry: isRetry)
            .perform(open)
        }
        let report = result.report
        tracker.end(
          .completed(
            from: report.from, to: report.to, attempts: report.attempts, seconds: report.duration))
        return result
      } catch {
        let failure = (error as? BackupError).map { MigrationFailure($0) } ?? error
        let event = (failure as? MigrationFailure).map { failure in
          MigrationEvent.failed(code: failure.code, store: failure.store.code)
        }
        tracker.end(event ?? .cancelled)
        throw failure
      }
    }
    return MigrationRun(progress: progress, task: task)
  }
}

/// A migration in progress.
public struct MigrationRun<Container: Sendable>: Sendable {
  /// The progress, for one listener. It ends with the migration.
  public let progress: AsyncStream<MigrationProgress>
  fileprivate let task: Task<MigrationResult<Container>, any Error>

  /// The result of the migration. Cancelling a task that waits for the result cancels the migration.
  ///
  /// - Throws: `MigrationFailure`, or `CancellationError` if the migration was cancelled before the store was opened.
  ///   After a `CancellationError` everything is unchanged. Once the store is being opened, the migration runs to its
  ///   end.
  public var result: MigrationResult<Container> {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Stops the migration, unless the store is being opened already.
  public func cancel() { task.cancel() }
}

/// An open store, and a report of how it was opened.
public struct MigrationResult<Container: Sendable>: Sendable {
  /// The container that `open` returned.
  public let container: Container
  /// The report of what was done.
  public let report: MigrationReport
}

/// A report of what was done to a store when it was opened.
public struct MigrationReport: Sendable, Hashable {
  /// The version that the store had; `nil` if there was none. A store with an older version of a Core Data model has no
  /// number. For such a store, this is the version to which Core Data migrated it first, so an app treats it like a
  /// store of that version.
  public internal(set) var from: StoreVersion?
  /// The older version of a Core Data model that the store had, as Xcode shows it: "Trips 2"; `nil` for any other
  /// store.
  public internal(set) var coreDataVersion: String?
  /// The version that the store has now.
  public internal(set) var to: StoreVersion?
  /// The number of attempts; 0 if no migration was needed.
  public internal(set) var attempts = 0
  /// How long opening took, in seconds.
  public internal(set) var duration: TimeInterval = 0
  /// The backup from before the migration.
  public internal(set) var backup: URL?
  /// The outcome of the store's relocation; `nil` if none was requested.
  public internal(set) var relocation: StoreRelocation.Outcome?
  /// The result of the validation; `nil` if no migration was needed, or if a note says why there was no validation.
  public internal(set) var validation: ValidationReport?
  /// Notes for a log, on problems that do not affect the store. Two notes are lasting. The note on missing rows, with
  /// the backup's name, appears at every launch until `StoreMigration.acknowledgeLoss()`. The note that the store's old
  /// place was written to afterwards appears until `StoreRelocation.acknowledgeChanges()`.
  public internal(set) var notes: [String] = []

  /// Whether the store had an older version.
  public var wasMigrated: Bool { attempts > 0 }
}
