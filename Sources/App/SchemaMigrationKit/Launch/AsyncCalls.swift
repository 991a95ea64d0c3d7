public import Foundation

// These are the async forms of the blocking methods with the same names. In an async function the compiler chooses
// them. They leave the caller's actor, and end if their task is cancelled. On Apple's mobile systems they ask for time
// in the background, and throw `BackupError.Kind.backgroundTimeExpired` if the system gives no more.

extension StoreBackups {
  /// Makes a backup of the store's current state, without blocking.
  ///
  /// - Parameters:
  ///   - from: The schema version of the store.
  ///   - to: The schema version to which the store will be migrated.
  ///   - progress: A closure that is called after every step, on another thread. An error that it throws stops the
  ///     backup and is rethrown.
  /// - Returns: The complete backup.
  /// - Throws: `BackupError` or `CancellationError`. After an error no backup remains.
  public func create(
    from: StoreVersion, to: StoreVersion,
    progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> Backup {
    try await environment.platform.unblocked("backing up a store") {
      try create(from: from, to: to, progress: progress)
    }
  }

  /// Compares a backup with its sidecar and has SQLite check its structure, without blocking.
  ///
  /// - Parameters:
  ///   - backup: The backup to check.
  ///   - progress: A closure that is called after every step, on another thread. An error that it throws stops the
  ///     check and is rethrown.
  /// - Throws: `BackupError` or `CancellationError`.
  public func verify(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try await environment.platform.unblocked("checking a backup") {
      try verify(backup, progress: progress)
    }
  }

  /// Replaces the store with a backup and keeps the replaced store, without blocking.
  ///
  /// Close the store first: release the `ModelContainer` and everything that came from it.
  ///
  /// - Parameters:
  ///   - backup: A complete backup.
  ///   - progress: A closure that is called after every step, on another thread. An error that it throws stops the
  ///     restore and is rethrown.
  /// - Returns: The replaced store, and notes for developers.
  /// - Throws: `BackupError`, or `CancellationError` if the task was cancelled before the store was replaced.
  @discardableResult
  public func restore(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> Restoration {
    try await environment.platform.unblocked("restoring a store") {
      try restore(backup, progress: progress)
    }
  }

  /// Finishes or undoes an interrupted restore, without blocking.
  ///
  /// Call it at every launch, before the store is opened.
  ///
  /// - Returns: What was finished or undone.
  /// - Throws: `BackupError` or `CancellationError`.
  @discardableResult
  public func recover() async throws -> Recovery {
    try await environment.platform.unblocked("finishing a restore") { try recover() }
  }

  /// Removes backups that no rule keeps, and old stores that restores have replaced, without blocking.
  ///
  /// - Parameter rules: The rules that keep backups.
  /// - Returns: What was removed.
  /// - Throws: `BackupError` or `CancellationError`.
  @discardableResult
  public func prune(keeping rules: RetentionRules = RetentionRules()) async throws -> Pruning {
    try await environment.platform.unblocked("removing old backups") { try prune(keeping: rules) }
  }

  /// Marks a schema version as shipped, without blocking.
  ///
  /// - Parameter version: The schema version of the shipped app.
  /// - Throws: `BackupError` or `CancellationError`.
  public func markShipped(_ version: StoreVersion) async throws {
    try await environment.platform.unblocked("marking a version") { try markShipped(version) }
  }
}

extension StoreRelocation {
  /// Moves the store unless it was moved before, without blocking.
  ///
  /// - Parameter progress: A closure that is called after every step, on another thread. An error that it throws ends
  ///   the call and is rethrown.
  /// - Returns: What happened.
  /// - Throws: `MigrationFailure` or `CancellationError`. After an error there is nothing at the new location, unless
  ///   the failure's `store` is `left`; then the next call continues.
  @discardableResult
  public func perform(
    progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> Outcome {
    try await unblocked("moving a store") { try perform(progress: progress) }
  }

  private func unblocked<Result: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    do {
      return try await environment.platform.unblocked(reason, work)
    } catch let error as BackupError {
      throw MigrationFailure(relocating: error)
    }
  }
}

extension StoreMigration {
  /// Examines the store without changing it or blocking.
  ///
  /// - Throws: `BackupError` or `CancellationError`.
  public func check() async throws -> PreflightReport {
    try await backups.environment.platform.unblocked("checking a store") { try check() }
  }
}

extension StorePreflight {
  /// Examines the store, without blocking.
  ///
  /// - Throws: `BackupError` or `CancellationError`.
  public func check() async throws -> PreflightReport {
    try await environment.platform.unblocked("checking a store") { try check() }
  }
}

extension StoreValidation {
  /// Checks the store, without blocking.
  ///
  /// - Parameter before: The pre-flight's report, for the numbers of rows. Without the report the numbers are not
  ///   compared.
  /// - Throws: `BackupError` or `CancellationError`.
  public func report(since before: PreflightReport? = nil) async throws -> ValidationReport {
    try await environment.platform.unblocked("checking a store") { try report(since: before) }
  }
}

extension StoreSalvage {
  /// Reads the store and writes the file, without blocking.
  ///
  /// - Parameters:
  ///   - file: The JSON file. An existing one is replaced.
  ///   - progress: A closure that is called with an entity and its number of rows so far, every thousand rows, on
  ///     another thread. An error that it throws stops the salvage and is rethrown.
  /// - Returns: What was read and what was lost.
  /// - Throws: `BackupError` if nothing can be read or the file cannot be written, or `CancellationError`.
  public func write(
    to file: URL,
    progress: @escaping @Sendable (_ entity: String, _ rows: Int) throws -> Void = { _, _ in }
  ) async throws -> SalvageReport {
    try await Platform.current.unblocked("salvaging a store") {
      try write(to: file, progress: progress)
    }
  }
}
