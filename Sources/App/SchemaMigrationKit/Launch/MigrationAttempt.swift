internal import Foundation

/// One run of a migration, from the first check to the container.
struct MigrationAttempt: Sendable {
  let migration: StoreMigration
  let tracker: ProgressTracker
  let isRetry: Bool

  var backups: StoreBackups { migration.backups }
  var plan: MigrationPlanDescription { migration.plan }
  var options: StoreMigration.Options { migration.options }
  var environment: SystemEnvironment { backups.environment }
  var journal: MigrationJournalFile { MigrationJournalFile(backups) }
  var record: VersionRecordFile { VersionRecordFile(backups) }

  func perform<Container: Sendable>(
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    guard let outcome = try await relocated() else { return try await migrated(open) }
    let result = try await migrated(open)
    var report = result.report
    report.relocation = outcome
    if let note = migration.relocation?.note(outcome) { report.notes.append(note) }
    return MigrationResult(container: result.container, report: report)
  }

  private func relocated() async throws -> StoreRelocation.Outcome? {
    guard let relocation = migration.relocation else { return nil }
    tracker.enter(.moving)
    return try await patiently { try relocation.perform { tracker.backUp($0) } }
  }

  private func migrated<Container: Sendable>(
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    tracker.enter(.checking)
    // The journal is read before anything is changed, since an unreadable journal forbids any change.
    _ = try journalLeft()
    try await recover()
    try Task.checkCancellation()
    let first = try check()
    if try journalLeft() == nil, first.stages.isEmpty {
      return try await openOnly(first, open)
    }
    // Another process may be migrating, or may just have finished.
    let lock = try await patiently { try takeLock() }
    defer { Disk.unlock(lock) }
    let report = try check()
    guard let left = try journalLeft() else {
      return report.stages.isEmpty
        ? try await openOnly(report, open) : try await migrate(report, after: nil, open)
    }
    do {
      return try await goOn(left, report, open)
    } catch let failure as MigrationFailure where failure.store == .untouched {
      // This launch left the store untouched, but the killed launch may have left it partly migrated.
      switch report.verdict {
      case .newer, .retired: throw failure
      default: break
      }
      guard left.state == .began, (try? journal.read())?.state == .began else { throw failure }
      throw failure.with(.left)
    }
  }

  // MARK: - Before the migration

  /// Recovers backups. An app and its extensions may be launched at once, and then they wait for each other.
  private func recover() async throws {
    try await patiently { try prepare { _ = try backups.recover() } }
  }

  /// Retries while another process is busy, and reports the phase `waiting` if that takes longer than half a second.
  ///
  /// - Throws: The errors of `body`, including `busy` once the wait is over; `CancellationError`.
  func patiently<Result>(_ body: () throws -> Result) async throws -> Result {
    // Count turns and not time, since a suspended app has not waited.
    let turns = Int(min(max(0, options.lockTimeout), 86_400) * 20)
    if let result = try await attempted(turns: min(turns, 10), body) { return result }
    guard turns > 10 else { return try body() }
    let result = try await tracker.during(.waiting) {
      try await attempted(turns: turns - 10, body)
    }
    return try result ?? body()
  }

  /// Tries `body` repeatedly; `nil` if another process is still busy after the last turn.
  private func attempted<Result>(
    turns: Int, _ body: () throws -> Result
  ) async throws -> Result? {
    for _ in 0..<turns {
      do {
        return try body()
      } catch let failure as MigrationFailure where failure.kind == .busy {
        try await Task.sleep(nanoseconds: 50_000_000)
      }
    }
    return nil
  }

  func prepare<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      guard let error = backups.translated(error) as? BackupError else { throw error }
      throw MigrationFailure(error)
    }
  }

  /// The failure if the store cannot be read because the device is locked; `nil` otherwise.
  private func locked() -> MigrationFailure? {
    do {
      _ = try StorePreflight(plan: plan, backups: backups).check(heedsCancellation: false)
      return nil
    } catch {
      let failure = (error as? BackupError).map { MigrationFailure($0) }
      return failure?.kind == .protectedData ? failure : nil
    }
  }

  private func journalLeft() throws -> MigrationJournal? {
    do {
      return try journal.read()
    } catch {
      let file = "The file '\(error.path)', which records the progress of an update,"
      // The problem with reading the journal may also keep the backups from being listed.
      let backup = (try? backups.list())?.first { $0.manifest != nil }?.url
      let reason =
        switch error.trouble {
        case .later(let format):
          "\(file) was written by a newer version of this app (format \(format)). Nothing was changed. Update the app."
        case .damaged(let why):
          "\(file) is damaged: \(why). Nothing was changed. \(wayOut(backup))"
        case .refused(let why):
          "\(file) cannot be read: \((why as? BackupError)?.reason ?? "\(why)") Nothing was changed. Make sure that it can be read, and try again."
        }
      var underlying: any Error = error
      if case .refused(let why) = error.trouble { underlying = why }
      let isLocked = (underlying as? BackupError)?.kind == .protectedData
      throw MigrationFailure(
        isLocked ? .protectedData : .journal, reason, store: .left, backup: backup,
        underlyingError: underlying)
    }
  }

  /// What to do if the state of an update is unknown.
  private func wayOut(_ backup: URL?) -> String {
    guard let backup else {
      return "There is no complete backup. If the data is right, remove the file."
    }
    return
      "Restore the backup '\(backup.lastPathComponent)' with 'StoreBackups.restore', or make sure that the data is right; then remove the file."
  }

  func check() throws -> PreflightReport {
    var report = try prepare { try migration.check() }
    guard case .unknown(let unknown) = report.verdict else {
      return report
    }
    // The record shows the version after the last launch.
    let known = record.read().current
    guard
      let version = unknown.possible.last(where: { $0.number == known }) ?? unknown.possible.first
    else { return report }
    report.doubt = "the store was treated as \(version.name): \(unknown.why)"
    report.verdict =
      version == plan.newest
      ? .current(version) : .migrates(from: version, stages: plan.stages(from: version.number))
    return report
  }

  private func takeLock() throws -> Int32 {
    guard let lock = try prepare({ try backups.lockMigration() }) else {
      throw MigrationFailure(.busy, "Another process is updating this data.")
    }
    return lock
  }

  func refusal(_ report: PreflightReport) -> MigrationFailure? {
    switch report.verdict {
    case .absent, .current, .migrates: return nil
    case .retired(let version):
      let way = plan.retiredThrough.map { ": release \($0) of the app does" } ?? ""
      return MigrationFailure(
        .retired(version.number, through: plan.retiredThrough),
        "This data has version \(version.name), which this version of the app no longer migrates\(way)."
      )
    case .newer(let identifier):
      return MigrationFailure(
        .newer(identifier: identifier),
        "This data was saved by a newer version of this app (\(identifier)).")
    case .unknown(let unknown):
      return MigrationFailure(
        .unknown(unknown), "This app does not recognise the version of your data: \(unknown.why).")
    case .damaged(let why): return MigrationFailure(.damaged, "The data is damaged: \(why).")
    case .notAStore(let why):
      return MigrationFailure(.notAStore, "This file does not contain this app's data: \(why).")
    }
  }

  // MARK: - Without a migration

  func openOnly<Container: Sendable>(
    _ report: PreflightReport, _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    if let refusal = refusal(report) { throw refusal }
    let begun = environment.now()
    let container: Container
    do {
      container = try await open()
    } catch {
      if let locked = locked() { throw locked }
      throw MigrationFailure(
        .open, "The data could not be opened: \(error).", underlyingError: error)
    }
    var result = MigrationReport(from: report.verdict.version?.number, to: plan.newest?.number)
    result.duration = environment.now().timeIntervalSince(begun)
    if let doubt = report.doubt { result.notes.append(doubt) }
    note(&result)
    noteLoss(&result)
    tracker.enter(.done)
    return MigrationResult(container: container, report: result)
  }

  func note(_ report: inout MigrationReport) {
    guard record.read().current != plan.newest?.number else { return }
    update(&report) { $0.current = plan.newest?.number }
  }

  /// Adds a note on rows that were missing after a migration, in case the app has not seen that migration's report.
  func noteLoss(_ report: inout MigrationReport) {
    guard let loss = record.read().unacknowledgedLoss, !report.notes.contains(loss) else { return }
    report.notes.append(loss)
  }

  func update(_ report: inout MigrationReport, _ body: (inout VersionRecord) -> Void) {
    do {
      try record.update { record in
        record.updated = environment.now()
        body(&record)
      }
    } catch {
      report.notes.append("the record was not written: \(error)")
    }
  }
}
