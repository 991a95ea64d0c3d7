internal import Foundation

/// After an interruption: what an earlier launch has left is brought to an end.
extension MigrationAttempt {
  func goOn<Container: Sendable>(
    _ left: MigrationJournal, _ report: PreflightReport,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    // The folder of an app that was installed anew, or an older app that migrates to another version.
    let isOurs = left.to == plan.newest?.number
    switch (left.state, report.verdict) {
    case (_, .newer), (_, .retired): break
    case (.failed, .absent):
      try finishJournal()
      return try await openOnly(report, open)
    case (.failed, .migrates): return try await migrate(report, after: left, open)
    case (.failed, .current):
      try finishJournal()
      return try await openOnly(report, open)
    case (.failed, _): break
    case (.began, .current) where !isOurs:
      try finishJournal()
      return try await openOnly(report, open)
    case (.began, .current) where left.isRepeatable:
      return try await complete(left, report, open)
    case (.began, .migrates) where left.isRepeatable:
      return try await migrate(report, after: left, open)
    case (.began, .current), (.began, .migrates), (.began, .absent):
      if isExhausted(left) { throw try await gaveUp(left, report) }
      // Values that a stage had read and not yet written are gone, or all of the store: only the backup has them.
      let backup = try requireBackup(left, report)
      _ = try await restored(
        left, backup,
        MigrationFailure(.interrupted, "The last update was interrupted and cannot be continued."))
      let original = try check()
      guard case .migrates = original.verdict else {
        // Another app's journal, and a store that this one has nothing to do for.
        try finishJournal()
        return try await openOnly(original, open)
      }
      return try await migrate(original, after: left, isRestored: true, open)
    case (.began, _):
      let backup = try requireBackup(left, report)
      let why = refusal(report)?.reason ?? ""
      throw try await restored(
        left, backup, MigrationFailure(.interrupted, "The last update was interrupted. \(why)"))
    }
    if let refusal = refusal(report) { throw refusal }
    return try await openOnly(report, open)
  }

  private func finishJournal() throws {
    do {
      try journal.remove()
    } catch {
      throw MigrationFailure(
        .journal, "The file '\(journal.path)' cannot be removed.",
        underlyingError: backups.translated(error))
    }
  }

  func requireBackup(_ left: MigrationJournal, _ report: PreflightReport) throws -> Backup {
    let found = try prepare { try backupKept(by: left) }
    guard let found else {
      let what = report.verdict == .absent ? "the data is missing, and " : "and "
      throw MigrationFailure(
        .interrupted,
        "The last update was interrupted, \(what)its backup '\(left.backup)' is missing or damaged.",
        store: .left)
    }
    return found
  }

  func backupKept(by left: MigrationJournal) throws -> Backup? {
    let found = try backups.list().first { $0.url.lastPathComponent == left.backup }
    guard let found, found.manifest != nil else { return nil }
    do {
      try backups.verify(found)
      return found
    } catch let error as BackupError where [.altered, .corrupt, .incomplete].contains(error.kind) {
      return nil
    }
  }

  /// Finishes an attempt that was killed after all stages had run: only the check is left.
  func complete<Container: Sendable>(
    _ left: MigrationJournal, _ report: PreflightReport,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    let backup = try prepare { try backupKept(by: left) }
    // Without a backup there is nothing to go back to, and the store may well be whole.
    if backup != nil, isExhausted(left) { throw try await gaveUp(left, report) }
    var journal = left
    journal.attempts = attempts(left) + 1
    journal.release = options.release
    // Where it cannot be written, all that is missing is the count.
    try? self.journal.write(journal)
    let attempt = Attempt(journal: journal, backup: backup, begun: environment.now())
    tracker.migrate([], left.counts)
    return try await finish(attempt, try await opened(attempt, open))
  }
}
