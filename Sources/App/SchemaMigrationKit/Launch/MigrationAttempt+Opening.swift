internal import Foundation

extension MigrationAttempt {
  /// Opens the container. The caller must hold it in a single variable, so that it can be released.
  func opened<Container: Sendable>(
    _ attempt: Attempt, _ open: @Sendable () async throws -> Container
  ) async throws -> Container {
    environment.reached("before opening")
    do {
      let tracker = tracker
      let container = try await MigrationActivity.listening({ tracker.hear($0) }, open)
      environment.reached("opened")
      return container
    } catch {
      environment.reached("failed to open")
      let stage = tracker.failure.map { " '\($0.title)' has failed: \($0.reason)." } ?? ""
      throw await putBack(
        attempt,
        MigrationFailure(
          .open, "The data could not be updated: \(error).\(stage)", underlyingError: error))
    }
  }

  /// Checks the store, and returns the container only if the store may be used.
  func finish<Container: Sendable>(
    _ attempt: Attempt, _ opened: consuming Container
  ) async throws -> MigrationResult<Container> {
    let duration = environment.now().timeIntervalSince(attempt.begun)
    var container: Container? = consume opened
    tracker.enter(.validating)
    var report = MigrationReport(from: attempt.journal.from, to: attempt.journal.to)
    report.coreDataVersion = attempt.journal.coreDataVersion
    report.attempts = attempt.journal.attempts
    report.duration = duration
    report.backup = attempt.backup?.url
    report.notes += attempt.notes
    var loss: String?
    if let failure = validate(attempt, &report) {
      loss = failure.kind == .rowsLost ? accept(failure, attempt, &report) : nil
      if loss == nil {
        // The store must be closed before the backup replaces it.
        container = nil
        // The next launch may be able to check the store.
        if failure.store == .left { throw failure }
        throw await putBack(attempt, failure)
      }
    }
    environment.reached("validated")

    update(&report) { record in
      record.current = attempt.journal.to
      if let loss { record.unacknowledgedLoss = loss }
      record.history.append(
        entry(
          attempt, loss == nil ? .migrated : .migratedWithLoss, duration: duration, reason: loss))
    }
    do {
      try backups.synchronizeStore()
    } catch {
      report.notes.append(
        "a power failure may undo the last stages: \(backups.translated(error))")
    }
    // From here the app works with the store, so no file may say any more that the store can be replaced.
    do {
      try journal.remove()
    } catch {
      container = nil
      throw MigrationFailure(
        .journal,
        "The data is updated, but cannot be used while the file '\(journal.path)' exists, and the file cannot be removed.",
        store: .left, backup: attempt.backup?.url, underlyingError: backups.translated(error))
    }
    noteLoss(&report)
    prune(&report)
    guard let container else { throw CancellationError() }
    tracker.enter(.done)
    return MigrationResult(container: container, report: report)
  }

  /// This function is synchronous, since cancellation must not stop it.
  private func prune(_ report: inout MigrationReport) {
    guard let rules = options.retention else { return }
    do {
      _ = try backups.prune(keeping: rules)
    } catch {
      report.notes.append("old backups were not removed: \(error)")
    }
  }

  private func validate(_ attempt: Attempt, _ report: inout MigrationReport) -> MigrationFailure? {
    let validation: ValidationReport
    do {
      let tracker = tracker
      validation = try StoreValidation(
        of: migration.store, plan: plan, environment: environment
      )
      .report(
        from: attempt.journal.from, coreDataVersion: attempt.journal.coreDataVersion,
        counts: attempt.journal.counts,
        links: attempt.journal.links
      ) { tracker.validate($0, of: $1) }
    } catch let error as BackupError where [.corrupt, .notADatabase].contains(error.kind) {
      return MigrationFailure(
        .damaged, "The updated data is damaged: \(error.reason)", underlyingError: error)
    } catch let error as BackupError where error.kind != .storeInUse && !error.kind.isOfSchema {
      // Rows may be missing, and once the app works with the store, the backup cannot replace it any more.
      return MigrationFailure(
        MigrationFailure(error).kind, "The updated data cannot be checked: \(error.reason)",
        store: .left, backup: attempt.backup?.url, underlyingError: error)
    } catch {
      report.notes.append("the store was not validated: \(error)")
      return nil
    }
    report.validation = validation
    guard validation.losesRows else { return nil }
    let issues = validation.issues.map(\.description).joined(separator: "; ")
    return MigrationFailure(
      .rowsLost, "The update has lost data: \(issues).", validation: validation)
  }

  /// The reason why a store is used although rows are missing, which is also added to the report; `nil` if the store
  /// must not be used.
  ///
  /// Once the backup was restored for missing rows, another attempt would change nothing and lock people out forever:
  /// other code may delete rows while the store is open, and a plan may not list everything that a stage deletes.
  private func accept(
    _ failure: MigrationFailure, _ attempt: Attempt, _ report: inout MigrationReport
  ) -> String? {
    let journal = attempt.journal
    guard journal.hasLostRows || journal.failedRestores >= 2 else { return nil }
    // Without any tables, all data would be lost, and the app would create an empty store.
    switch try? StorePreflight(plan: plan, backups: backups).check(heedsCancellation: false).verdict
    {
    case .current, .migrates, .retired, .newer, .unknown: break
    case .absent, .damaged, .notAStore, nil: return nil
    }
    let lost = (failure.validation?.issues ?? []).filter(\.isLoss).map(\.description)
    let place: String
    if let backup = attempt.backup {
      do {
        try backups.mark(backup, because: "the migration lost rows that this backup contains")
      } catch {
        // A backup that is not marked might be removed before it is needed.
        return nil
      }
      place =
        "the missing rows are in the backup '\(backup.url.lastPathComponent)', which is never removed automatically"
    } else {
      place = "the backup '\(journal.backup)' is missing or damaged"
    }
    let why =
      "the update has lost data again, and the app uses the data anyway: \(lost.joined(separator: "; ")); \(place)"
    report.notes.append(why)
    return why
  }

  func entry(
    _ attempt: Attempt, _ outcome: VersionRecord.Outcome, duration: TimeInterval, reason: String?
  ) -> VersionRecord.Migration {
    let journal = attempt.journal
    return VersionRecord.Migration(
      from: journal.from, coreDataVersion: journal.coreDataVersion, to: journal.to,
      date: journal.date, duration: duration,
      attempts: journal.attempts, outcome: outcome, backup: attempt.backup?.url.lastPathComponent,
      rows: journal.counts.values.reduce(0, +), reason: reason)
  }
}
