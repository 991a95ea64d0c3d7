internal import Foundation

/// Migrates the store: makes a backup, and then has the app open the store.
extension MigrationAttempt {
  /// The data of one attempt.
  struct Attempt {
    var journal: MigrationJournal
    /// The backup; `nil` only if it existed but has been lost or damaged.
    var backup: Backup?
    var begun: Date
    var notes: [String] = []
  }

  func migrate<Container: Sendable>(
    _ report: PreflightReport, after left: MigrationJournal?, isRestored: Bool = false,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    guard case .migrates(let version, let stages) = report.verdict, let newest = plan.newest
    else {
      if let refusal = refusal(report) { throw refusal }
      return try await openOnly(report, open)
    }
    if let left, isExhausted(left) { throw try await gaveUp(left, report) }

    // The first attempt's backup has the original store. The store itself may now be partly migrated.
    let kept = try left.flatMap { left in
      left.state == .began ? try prepare { try backupKept(by: left) } : nil
    }
    if let shortage = shortage(report, kept) {
      guard let left, left.state == .began, !isRestored else { throw shortage }
      guard let kept else { throw waiting(for: shortage) }
      let outcome: MigrationFailure
      do {
        // Restoring also removes the WAL that the stages wrote, and leaves the original store.
        outcome = try await restored(left, kept, shortage)
      } catch {
        outcome = waiting(for: error)
      }
      throw outcome
    }
    tracker.enter(.backingUp)
    let backup: Backup
    if let kept {
      backup = kept
    } else {
      backup = try await patiently {
        try prepare {
          try backups.create(from: version.number, to: newest.number) { tracker.backUp($0) }
        }
      }
    }
    let isFirst = kept == nil || left == nil
    var journal = MigrationJournal(
      from: isFirst ? version.number : left?.from ?? version.number,
      coreDataVersion: isFirst ? report.coreDataVersion : left?.coreDataVersion,
      to: newest.number,
      release: options.release, attempts: (left.map(attempts) ?? 0) + 1,
      date: isFirst ? backup.date : left?.date ?? backup.date, backup: backup.url.lastPathComponent,
      counts: isFirst ? report.rowCounts : left?.counts ?? report.rowCounts,
      links: isFirst ? report.linkCounts : left?.links ?? report.linkCounts,
      isRepeatable: stages.allSatisfy(\.isRepeatable))
    if let left, left.from == journal.from, left.coreDataVersion == journal.coreDataVersion,
      left.to == journal.to
    {
      journal.hasLostRows = left.hasLostRows
      journal.failedRestores = left.failedRestores
    }
    do {
      try Task.checkCancellation()
      try self.journal.write(journal)
      try Task.checkCancellation()
    } catch {
      throw takenBack(error, left, kept == nil ? backup : nil)
    }
    tracker.migrate(stages, report.rowCounts)
    let attempt = Attempt(
      journal: journal, backup: backup, begun: environment.now(),
      notes: [report.doubt].compactMap { $0 } + notesOnExternalFiles())
    return try await finish(attempt, try await opened(attempt, open))
  }

  /// Notes on items in the folder of external files that no backup contains.
  private func notesOnExternalFiles() -> [String] {
    let others = (try? backups.files.externalPaths().others) ?? []
    return others.map { path in
      "'\(path)' in the folder of external files is neither a file nor a link to one, so it is not in the backup"
    }
  }

  func attempts(_ left: MigrationJournal) -> Int {
    let isSame = left.to == plan.newest?.number && left.release == options.release
    return isSame && !isRetry ? left.attempts : 0
  }

  func isExhausted(_ left: MigrationJournal) -> Bool {
    // After rows were missing there is always one more attempt, whose result is used even if rows are missing again.
    attempts(left) >= options.maximumAttempts
      + (left.hasLostRows ? 1 : 0) + left.failedRestores
  }

  private func shortage(_ report: PreflightReport, _ kept: Backup?) -> MigrationFailure? {
    var needed = report.spaceNeeded
    if let manifest = kept?.manifest {
      // Space that the interrupted attempt has already used is not needed again.
      let written = max(0, report.databaseSize - manifest.size)
      needed = max(manifest.size, 3 * manifest.size - written, manifest.totalSize) + 1 << 20
      if report.coreDataVersion != nil {
        needed = max(needed, manifest.totalSize + 2 * manifest.size + 1 << 20)
      }
    }
    guard let available = report.spaceAvailable, available < needed else { return nil }
    return MigrationFailure(
      .noSpace(needed: needed, available: available),
      "The update needs \(megabytes(needed)) on the disk, but only \(megabytes(available)) are free."
    )
  }

  func waiting(for shortage: MigrationFailure) -> MigrationFailure {
    guard case .noSpace(let needed, let available) = shortage.kind else { return shortage }
    return MigrationFailure(
      shortage.kind,
      "\(shortage.reason) The update is paused until \(megabytes(needed - available)) more are free.",
      store: .left, backup: shortage.backup, underlyingError: shortage.underlyingError)
  }

  /// Undoes the preparations if the store was not opened yet, and returns the failure.
  private func takenBack(
    _ error: any Error, _ left: MigrationJournal?, _ created: Backup?
  ) -> any Error {
    // If this fails, a journal without an attempt makes the next launch check the store, and an unneeded backup
    // remains.
    if let left { try? journal.write(left) } else { try? journal.remove() }
    if let created { try? backups.remove(created) }
    if error is CancellationError { return error }
    let reason = backups.translated(error)
    return MigrationFailure(
      .journal, "The update cannot begin: \((reason as? BackupError)?.reason ?? "\(reason)")",
      underlyingError: reason)
  }

  func gaveUp(
    _ left: MigrationJournal, _ report: PreflightReport
  ) async throws -> MigrationFailure {
    let failure = MigrationFailure(
      .gaveUp(attempts: left.attempts),
      "The update has failed \(counting(left.attempts, "time")) and will not be tried again automatically."
    )
    if left.state == .began {
      return try await restored(left, requireBackup(left, report), failure)
    }
    return MigrationFailure(
      failure.kind, failure.reason,
      backup: backups.folder.appendingPathComponent(left.backup))
  }
}
