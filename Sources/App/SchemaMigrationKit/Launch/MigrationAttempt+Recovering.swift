internal import Foundation

/// Completes or undoes what an interrupted launch left.
extension MigrationAttempt {
  func goOn<Container: Sendable>(
    _ left: MigrationJournal, _ report: PreflightReport,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    // A journal with a different target belongs to an earlier installation, or to an older app that migrates to another
    // version.
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
      // Either the values that a stage had read but not written are lost, or the whole store. Only the backup has the
      // lost data.
      let backup = try requireBackup(left, report)
      _ = try await restored(
        left, backup,
        MigrationFailure(.interrupted, "The last update was interrupted and cannot be continued."))
      let original = try check()
      guard case .migrates = original.verdict else {
        // The journal is another app's, and this app need not migrate the store.
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

  /// Completes an attempt that was killed after all stages had run, so only the check is missing.
  func complete<Container: Sendable>(
    _ left: MigrationJournal, _ report: PreflightReport,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    let backup = try prepare { try backupKept(by: left) }
    // Without a backup there is nothing to restore, and the store may well be complete.
    if backup != nil, isExhausted(left) { throw try await gaveUp(left, report) }
    var journal = left
    journal.attempts = attempts(left) + 1
    journal.release = options.release
    // If the journal cannot be written, only its number of attempts is wrong.
    try? self.journal.write(journal)
    let attempt = Attempt(journal: journal, backup: backup, begun: environment.now())
    tracker.migrate([], left.counts)
    return try await finish(attempt, try await opened(attempt, open))
  }
}
