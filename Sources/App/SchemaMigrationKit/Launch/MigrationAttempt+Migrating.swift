internal import Foundation

/// With a migration: a backup, then the app's own opening.
extension MigrationAttempt {
  /// What one attempt works with.
  struct Attempt {
    var journal: MigrationJournal
    /// `nil` only where a backup that was there is gone.
    var backup: Backup?
    var begun: Date
    /// Why the version that it began at is not certain, and what is not in the backup.
    var notes: [String] = []
  }

  /// - Parameters:
  ///   - left: What an attempt before this one has left.
  ///   - isRestored: Whether the backup was put back already.
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

    // The first attempt's backup is of the store as it was; what is there now may be half of each.
    let kept = try left.flatMap { left in
      left.state == .began ? try prepare { try backupKept(by: left) } : nil
    }
    if let shortage = shortage(report, kept) {
      guard let left, left.state == .began, !isRestored else { throw shortage }
      guard let kept else { throw waiting(for: shortage) }
      let outcome: MigrationFailure
      do {
        // What the stages have written into the log goes with that, and then the store is what it was.
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

  /// Notes on what else is in the folder of external files, and in no backup.
  private func notesOnExternalFiles() -> [String] {
    let others = (try? backups.files.externalPaths().others) ?? []
    return others.map { path in
      "'\(path)' in the folder of external files is neither a file nor a link to one, so it is not in the backup"
    }
  }

  /// How many attempts of this release there were.
  func attempts(_ left: MigrationJournal) -> Int {
    let isSame = left.to == plan.newest?.number && left.release == options.release
    return isSame && !isRetry ? left.attempts : 0
  }

  func isExhausted(_ left: MigrationJournal) -> Bool {
    // When rows were missing, there is always one attempt more, whose outcome is used whatever is missing.
    attempts(left) >= options.maximumAttempts
      + (left.hasLostRows ? 1 : 0) + left.failedRestores
  }

  /// Why there is not enough space, or `nil`.
  ///
  /// - Parameter kept: The backup of an attempt that was interrupted.
  private func shortage(_ report: PreflightReport, _ kept: Backup?) -> MigrationFailure? {
    var needed = report.spaceNeeded
    if let manifest = kept?.manifest {
      // What that attempt has written already counts for it.
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

  /// The failure of an update that was interrupted, and that only needs space.
  func waiting(for shortage: MigrationFailure) -> MigrationFailure {
    guard case .noSpace(let needed, let available) = shortage.kind else { return shortage }
    return MigrationFailure(
      shortage.kind,
      "\(shortage.reason) It is paused until \(megabytes(needed - available)) more are free.",
      store: .left, backup: shortage.backup, underlyingError: shortage.underlyingError)
  }

  /// Leaves everything as it was when the store was not opened yet, and says why.
  private func takenBack(
    _ error: any Error, _ left: MigrationJournal?, _ created: Backup?
  ) -> any Error {
    // A journal without an attempt costs the next launch a look at the store, and a backup is only one too many.
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
      "The update has failed \(left.attempts) times and will not be tried again automatically.")
    if left.state == .began {
      return try await restored(left, requireBackup(left, report), failure)
    }
    return MigrationFailure(
      failure.kind, failure.reason,
      backup: backups.folder.appendingPathComponent(left.backup))
  }
}
