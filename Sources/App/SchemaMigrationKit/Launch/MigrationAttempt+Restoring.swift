internal import Foundation

extension MigrationAttempt {
  func putBack(_ attempt: Attempt, _ failure: MigrationFailure) async -> MigrationFailure {
    guard let backup = attempt.backup else {
      countFailedRestore(attempt.journal, failure)
      return MigrationFailure(
        failure.kind,
        "\(failure.reason) The backup '\(attempt.journal.backup)' is missing or damaged.",
        store: .left, validation: failure.validation, underlyingError: failure.underlyingError)
    }
    do {
      return try await restored(attempt.journal, backup, failure)
    } catch {
      return error
    }
  }

  /// Restores the backup, and returns the failure with the store's condition. If restoring fails, this throws the
  /// failure with the reason.
  func restored(
    _ left: MigrationJournal, _ backup: Backup, _ failure: MigrationFailure
  ) async throws(MigrationFailure) -> MigrationFailure {
    tracker.enter(.restoring)
    environment.reached("before restoring")
    let attempt = Attempt(journal: left, backup: backup, begun: environment.now())
    do {
      let restoration = try await restore(backup)
      environment.reached("restored")
      var failed = left
      failed.state = .failed
      if failure.kind == .rowsLost { failed.hasLostRows = true }
      // If this fails, the journal still has the state "began", and the next launch only restores the same backup
      // again.
      try? journal.write(failed)
      append(entry(attempt, .restored, duration: 0, reason: failure.reason))
      return MigrationFailure(
        failure.kind, ([failure.reason] + restoration.notes).joined(separator: " "),
        store: .restored(replaced: restoration.replaced), backup: backup.url,
        validation: failure.validation, underlyingError: failure.underlyingError)
    } catch {
      append(entry(attempt, .failed, duration: 0, reason: failure.reason))
      countFailedRestore(left, failure)
      let obstacle = error as? MigrationFailure
      let why = obstacle?.reason ?? "\(error)"
      // Once the device is unlocked, the next attempt continues from what this one left.
      throw MigrationFailure(
        obstacle?.kind == .protectedData ? .protectedData : failure.kind,
        "\(failure.reason) The backup could not be restored: \(why)", store: .left,
        backup: backup.url, validation: failure.validation,
        underlyingError: failure.underlyingError ?? obstacle?.underlyingError ?? error)
    }
  }

  /// Counts the failed restore, so that a backup that can never be restored does not lock people out.
  private func countFailedRestore(_ left: MigrationJournal, _ failure: MigrationFailure) {
    guard failure.kind == .rowsLost else { return }
    var counted = left
    counted.failedRestores = left.failedRestores + 1
    // If the journal cannot be written, the next launch tries once more.
    try? journal.write(counted)
  }

  func append(_ entry: VersionRecord.Migration) {
    // Ignore errors: the history is only for people.
    try? record.update { $0.history.append(entry) }
  }

  /// Restores a backup, and retries: a container that was just released may take a moment to close its store, and
  /// another process may be working on the backups. Cancellation does not stop this.
  func restore(_ backup: Backup) async throws -> StoreBackups.Restoration {
    let attempt = self
    return try await Task.detached {
      var patience = 5
      while true {
        do {
          return try await attempt.patiently {
            try attempt.prepare {
              try attempt.backups.restore(backup) { attempt.tracker.backUp($0) }
            }
          }
        } catch let failure as MigrationFailure
          where failure.kind == .backup(.storeInUse) && patience > 0
        {
          patience -= 1
          try await Task.sleep(nanoseconds: 100_000_000)
        }
      }
    }.value
  }
}
