public import Foundation

// Each of these does what the call of the same name does that blocks, away from the caller's actor: in an async function
// the compiler takes it by itself. It ends when its task is cancelled. On Apple's systems for devices it asks for time in
// the background, and ends with `BackupError.Kind.backgroundTimeExpired` when there is no more.

extension StoreBackups {
  /// Makes a backup of the store as it is at this moment, without blocking.
  ///
  /// - Parameters:
  ///   - from: The schema version of the store.
  ///   - to: The schema version that it is to be migrated to.
  ///   - progress: Is told after every step, on another thread. What it throws stops the backup and is thrown on.
  /// - Throws: `BackupError`; `CancellationError`. Nothing is left then.
  public func create(
    from: StoreVersion, to: StoreVersion,
    progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> Backup {
    try await environment.platform.unblocked("backing up a store") {
      try create(from: from, to: to, progress: progress)
    }
  }

  /// Holds a backup against its sidecar and has SQLite check its structure, without blocking.
  public func verify(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws {
    try await environment.platform.unblocked("checking a backup") {
      try verify(backup, progress: progress)
    }
  }

  /// Puts a backup in the store's place and keeps the store that was there, without blocking.
  ///
  /// - Parameters:
  ///   - backup: The backup.
  ///   - progress: Is told after every step, on another thread. What it throws stops the restore and is thrown on.
  /// - Throws: `BackupError`; `CancellationError` when the task was cancelled before the store was replaced.
  @discardableResult
  public func restore(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> Restoration {
    try await environment.platform.unblocked("restoring a store") {
      try restore(backup, progress: progress)
    }
  }

  /// Finishes or undoes a restore that was interrupted, without blocking.
  @discardableResult
  public func recover() async throws -> Recovery {
    try await environment.platform.unblocked("finishing a restore") { try recover() }
  }

  /// Removes backups that no rule keeps, and old stores that restores have replaced, without blocking.
  @discardableResult
  public func prune(keeping rules: RetentionRules = RetentionRules()) async throws -> Pruning {
    try await environment.platform.unblocked("removing old backups") { try prune(keeping: rules) }
  }

  /// Records that the app with this schema version is in its users' hands, without blocking.
  public func markShipped(_ version: StoreVersion) async throws {
    try await environment.platform.unblocked("marking a version") { try markShipped(version) }
  }
}

extension StoreRelocation {
  /// Moves the store, if that was not done before, without blocking.
  ///
  /// - Parameter progress: Is told after every step, on another thread. What it throws ends it and is thrown on.
  /// - Throws: `MigrationFailure`; `CancellationError`. Nothing is at the new place then.
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
  /// Looks at the store and changes nothing, without blocking.
  public func check() async throws -> PreflightReport {
    try await backups.environment.platform.unblocked("checking a store") { try check() }
  }
}

extension StorePreflight {
  /// What was found, without blocking.
  ///
  /// - Throws: `BackupError`; `CancellationError`.
  public func check() async throws -> PreflightReport {
    try await environment.platform.unblocked("checking a store") { try check() }
  }
}

extension StoreValidation {
  /// What is wrong with the store, without blocking.
  ///
  /// - Parameter before: What the pre-flight found, for the numbers of rows; without it they are not compared.
  /// - Throws: `BackupError`; `CancellationError`.
  public func report(since before: PreflightReport? = nil) async throws -> ValidationReport {
    try await environment.platform.unblocked("checking a store") { try report(since: before) }
  }
}

extension StoreSalvage {
  /// Reads the store and writes the file, without blocking.
  ///
  /// - Parameters:
  ///   - file: The JSON file; one that is there is replaced.
  ///   - progress: Is told the entity and its rows so far, on another thread. What it throws ends the salvage.
  /// - Throws: `BackupError` when nothing can be read or the file cannot be written; `CancellationError`.
  public func write(
    to file: URL,
    progress: @escaping @Sendable (_ entity: String, _ rows: Int) throws -> Void = { _, _ in }
  ) async throws -> SalvageReport {
    try await Platform.current.unblocked("salvaging a store") {
      try write(to: file, progress: progress)
    }
  }
}
