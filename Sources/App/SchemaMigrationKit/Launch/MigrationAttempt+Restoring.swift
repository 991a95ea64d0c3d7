internal import Foundation

extension MigrationAttempt {
  func putBack(_ attempt: Attempt, _ failure: MigrationFailure) async -> MigrationFailure {
    guard let backup = attempt.backup else {
      countFailedRestore(attempt.journal, failure)
      return MigrationFailure(
        failure.kind,
        "\(failure.reason) Its backup '\(attempt.journal.backup)' is missing or damaged.",
        store: .left, validation: failure.validation, underlyingError: failure.underlyingError)
    }
    do {
      return try await restored(attempt.journal, backup, failure)
    } catch {
      return error
    }
  }

  /// Puts the backup back and notes that in the failure, or throws it with what prevented that.
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
      // One that still says "began" only makes the next launch restore the same backup once more.
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
      // Once the device is unlocked, the next attempt goes on with what this one has left.
      throw MigrationFailure(
        obstacle?.kind == .protectedData ? .protectedData : failure.kind,
        "\(failure.reason) The backup could not be restored: \(why)", store: .left,
        backup: backup.url, validation: failure.validation,
        underlyingError: failure.underlyingError ?? obstacle?.underlyingError ?? error)
    }
  }

  /// Counts it, so that a backup that can never be put back does not lock people out.
  private func countFailedRestore(_ left: MigrationJournal, _ failure: MigrationFailure) {
    guard failure.kind == .rowsLost else { return }
    var counted = left
    counted.failedRestores = left.failedRestores + 1
    // Where it cannot be written, the next launch looks once more.
    try? journal.write(counted)
  }

  func append(_ entry: VersionRecord.Migration) {
    // The history is for people.
    try? record.update { $0.history.append(entry) }
  }

  /// A container that was just released may take a moment to close its store, and another process may be at the backups.
  /// Not stopped by cancellation.
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
