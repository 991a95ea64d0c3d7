public import Foundation

/// Brings a store to the newest version and opens it: looks at it, backs it up, has the app open it with its migration
/// plan, looks at what came of it, and puts the backup back when that failed.
///
/// ```swift
/// let migration = StoreMigration(of: storeURL, plan: .ritualist)
/// let run = migration.run { try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: configuration) }
/// for await progress in run.progress { print(progress) }
/// let container = try await run.result.container
/// ```
///
/// A store is never wiped. After every error, and after a kill at any moment and the next run, the store is what it was,
/// or the whole new one, or the error says what happened and where the backup is.
public struct StoreMigration: Sendable {
  /// The store's database.
  public var store: URL { backups.store }
  /// What the store can be.
  public let plan: MigrationPlanDescription
  /// Where its backups are.
  public let backups: StoreBackups
  /// How the store comes to where it is now; `nil` where it has always been there.
  public let relocation: StoreRelocation?
  /// What the app may choose.
  public let options: Options
  /// Who is told what a run does; on Apple's systems the system's log unless the app names another.
  public let observer: (any MigrationObserver)?

  /// What the app may choose.
  public struct Options: Sendable, Hashable {
    /// How many attempts that failed or were killed there are before a release of the app stops trying by itself.
    /// When rows were missing in one of them, there is one more.
    public var maximumAttempts: Int
    /// Which backups are kept afterwards; `nil` removes none.
    public var retention: RetentionRules?
    /// The app's build. One that is new tries again what an old one has given up.
    public var release: String
    /// How long to wait for another process that migrates the store or works on its backups, in seconds.
    public var lockTimeout: TimeInterval
    /// Whether backups and replaced stores are left out of the device's own backup.
    public var excludesBackupsFromDeviceBackup: Bool
    /// What to do with a store that is where another one is to be moved.
    public var existingStore: StoreRelocation.ExistingStore

    /// - Parameters:
    ///   - maximumAttempts: How many attempts there are; at least one.
    ///   - retention: Which backups are kept afterwards; `nil` removes none.
    ///   - release: The app's build; by default `CFBundleVersion` of the main bundle.
    ///   - lockTimeout: How long to wait for another process, in seconds; then it fails as `busy`.
    ///   - excludesBackupsFromDeviceBackup: Whether backups and replaced stores are left out of the device's own backup.
    ///   - existingStore: What to do with a store that is where another one is to be moved.
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

  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: What the store can be.
  ///   - old: Where the store was in earlier releases of the app; it is moved from there first.
  ///   - backups: The folder of the store's backups; by default `Backups` beside it.
  ///   - options: What the app may choose.
  ///   - observer: Who is told what a run does, for logs and metrics; by default the system's log on Apple's systems.
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

  /// The stores that have people's data now, for a salvage: `store`; the one at its old place, while it has not moved from
  /// there; both, where nothing says that the second came from the first. Looks at files, and changes nothing.
  public var storesWithData: [URL] { relocation?.storesWithData ?? [store] }

  /// Looks at the store and changes nothing. Blocks; in an async function the other form is taken.
  public func check() throws -> PreflightReport {
    try StorePreflight(plan: plan, backups: backups).check()
  }

  /// Says that the app has seen that rows are missing since a migration: reports no longer have the note. Blocks while it
  /// writes a small file, for half a second at most where another process does.
  ///
  /// - Throws: `BackupError` when the record cannot be written.
  public func acknowledgeLoss() throws {
    try backups.translatingErrors {
      let record = VersionRecordFile(backups)
      guard record.read().unacknowledgedLoss != nil else { return }
      try record.update { $0.unacknowledgedLoss = nil }
    }
  }

  /// Begins at once, away from the main actor.
  ///
  /// - Parameters:
  ///   - isRetry: Whether people have asked for it: what was given up is then tried again.
  ///   - open: Opens the store with the migration plan. It must not keep the container: should rows be missing, the
  ///     container is released and the backup put back.
  public func run<Container: Sendable>(
    isRetry: Bool = false, open: @escaping @Sendable () async throws -> Container
  ) -> MigrationRun<Container> {
    // Who does not listen must not make it grow.
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

/// A migration that is under way.
public struct MigrationRun<Container: Sendable>: Sendable {
  /// How far it has come; ends with it. For one listener.
  public let progress: AsyncStream<MigrationProgress>
  fileprivate let task: Task<MigrationResult<Container>, any Error>

  /// What came of it. A task that waits for it and is cancelled cancels the migration.
  ///
  /// - Throws: `MigrationFailure`; `CancellationError` when it was cancelled before the store was opened, after which
  ///   everything is as it was. Once the store is being opened, it goes on to its end.
  public var result: MigrationResult<Container> {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Stops it, if the store is not being opened yet.
  public func cancel() { task.cancel() }
}

/// An open store, and how it came to be open.
public struct MigrationResult<Container: Sendable>: Sendable {
  /// What `open` has made.
  public let container: Container
  /// What was done.
  public let report: MigrationReport
}

/// What was done to a store when it was opened.
public struct MigrationReport: Sendable, Hashable {
  /// The version that it was of; `nil` when there was none. An older version of a Core Data model has no number: for a
  /// store of one it is the version that Core Data brought it to first, so that an app does for it what it does for stores
  /// of that version.
  public internal(set) var from: StoreVersion?
  /// The older version of a Core Data model that it was of, as Xcode shows it: "Trips 2"; `nil` for any other store.
  public internal(set) var coreDataVersion: String?
  /// The version that it is of.
  public internal(set) var to: StoreVersion?
  /// How many attempts it took; 0 when there was nothing to migrate.
  public internal(set) var attempts = 0
  /// How long opening took, in seconds.
  public internal(set) var duration: TimeInterval = 0
  /// The backup from before the migration.
  public internal(set) var backup: URL?
  /// What came of its relocation; `nil` when there is none to be done.
  public internal(set) var relocation: StoreRelocation.Outcome?
  /// What a look at the store found; `nil` when there was nothing to migrate, or when a note says why.
  public internal(set) var validation: ValidationReport?
  /// What did not work and does not matter to the store, for a log; and that rows are missing, with the backup's name,
  /// which is told at every launch until `StoreMigration.acknowledgeLoss()`; and that the store's old place was written to
  /// after it had moved, until `StoreRelocation.acknowledgeChanges()`.
  public internal(set) var notes: [String] = []

  /// Whether the store was of an older version.
  public var wasMigrated: Bool { attempts > 0 }
}
