internal import Foundation

/// One run of a migration, from the first look to the container.
struct MigrationAttempt: Sendable {
  let migration: StoreMigration
  let tracker: ProgressTracker
  let isRetry: Bool

  private var backups: StoreBackups { migration.backups }
  private var plan: MigrationPlanDescription { migration.plan }
  private var options: StoreMigration.Options { migration.options }
  private var environment: SystemEnvironment { backups.environment }
  private var journal: MigrationJournalFile { MigrationJournalFile(backups) }
  private var record: VersionRecordFile { VersionRecordFile(backups) }

  init(migration: StoreMigration, tracker: ProgressTracker, isRetry: Bool) {
    self.migration = migration
    self.tracker = tracker
    self.isRetry = isRetry
  }

  func perform<Container: Sendable>(
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    tracker.enter(.checking)
    // Before anything is touched, for then nothing may be.
    _ = try journalLeft()
    try await recover()
    try Task.checkCancellation()
    let first = try check()
    if try journalLeft() == nil, first.stages.isEmpty {
      return try await openOnly(first, open)
    }
    // Another process may be at it, or have been until now.
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
      // By this launch; the one that was killed may have left it half-way.
      if case .newer = report.verdict { throw failure }
      guard left.state == .began, (try? journal.read())?.state == .began else { throw failure }
      throw failure.with(.left)
    }
  }

  // MARK: - Before

  /// An app and its extensions may be launched at once, and each of them takes a look: they wait for each other.
  private func recover() async throws {
    try await patiently { try prepare { _ = try backups.recover() } }
  }

  /// Tries again while another process is at it, and says so when that takes longer than a moment.
  ///
  /// - Throws: What `body` throws, with `busy` when patience is over; `CancellationError`.
  private func patiently<Result>(_ body: () throws -> Result) async throws -> Result {
    // Turns are counted, and no clock is asked, for an app that is suspended meanwhile has not waited.
    let turns = Int(min(max(0, options.lockTimeout), 86_400) * 20)
    if let result = try await attempted(turns: min(turns, 10), body) { return result }
    guard turns > 10 else { return try body() }
    let result = try await tracker.during(.waiting) {
      try await attempted(turns: turns - 10, body)
    }
    return try result ?? body()
  }

  /// `nil` when another process is still at it after so many turns.
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

  private func prepare<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      guard let error = backups.translated(error) as? BackupError else { throw error }
      throw MigrationFailure(error)
    }
  }

  /// The failure of whoever could not read the store because the device is locked, or `nil`.
  private func locked() -> MigrationFailure? {
    do {
      _ = try StorePreflight(plan: plan, backups: backups).check(heedsCancellation: false)
      return nil
    } catch {
      let failure = (error as? BackupError).map { MigrationFailure($0) }
      return failure?.kind == .protectedData ? failure : nil
    }
  }

  /// The journal of an attempt before this one, or `nil` where none was left.
  private func journalLeft() throws -> MigrationJournal? {
    do {
      return try journal.read()
    } catch {
      let file = "The file '\(error.path)', which says how far an update has come,"
      // What keeps it from being read may keep the backups from being listed.
      let backup = (try? backups.list())?.first { $0.manifest != nil }?.url
      let reason =
        switch error.trouble {
        case .later(let format):
          "\(file) was written by a newer version of this app (format \(format)). Nothing was touched. Update the app."
        case .damaged(let why):
          "\(file) is damaged: \(why). Nothing was touched. \(wayOut(backup))"
        case .refused(let why):
          "\(file) cannot be read: \((why as? BackupError)?.reason ?? "\(why)") Nothing was touched. Make sure that it can be read, and try again."
        }
      var underlying: any Error = error
      if case .refused(let why) = error.trouble { underlying = why }
      let isLocked = (underlying as? BackupError)?.kind == .protectedData
      throw MigrationFailure(
        isLocked ? .protectedData : .journal, reason, store: .left, backup: backup,
        underlyingError: underlying)
    }
  }

  /// What to do where nobody can tell how far an update has come.
  private func wayOut(_ backup: URL?) -> String {
    guard let backup else {
      return "There is no complete backup. If the data is right, remove the file."
    }
    return
      "Restore the backup '\(backup.lastPathComponent)' with 'StoreBackups.restore', or make sure that the data is right; then remove the file."
  }

  private func check() throws -> PreflightReport {
    var report = try prepare { try migration.check() }
    guard case .unknown(let unknown) = report.verdict else {
      return report
    }
    // What the record says was true after the last launch.
    let known = record.read().current
    guard
      let version = unknown.possible.last(where: { $0.number == known }) ?? unknown.possible.first
    else { return report }
    report.doubt = "the store was taken for \(version.name): \(unknown.why)"
    report.verdict =
      version == plan.newest
      ? .current(version) : .migrates(from: version, stages: plan.stages(from: version.number))
    return report
  }

  private func takeLock() throws -> Int32 {
    let lock = try prepare {
      try backups.prepareFolder()
      let path = backups.folder.path + "/." + backups.files.label + ".migration.lock"
      let lock = try Disk.lock(path)
      if lock != nil { try backups.protect(path) }
      return lock
    }
    guard let lock else {
      throw MigrationFailure(.busy, "Another process is updating this data.")
    }
    return lock
  }

  /// Why a store cannot be opened, or `nil`.
  private func refusal(_ report: PreflightReport) -> MigrationFailure? {
    switch report.verdict {
    case .absent, .current, .migrates: return nil
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

  private func openOnly<Container: Sendable>(
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

  /// Writes down which version the store is of, where that is news.
  private func note(_ report: inout MigrationReport) {
    guard record.read().current != plan.newest?.number else { return }
    update(&report) { $0.current = plan.newest?.number }
  }

  /// Rows that were missing after a migration whose report the app may never have seen.
  private func noteLoss(_ report: inout MigrationReport) {
    guard let loss = record.read().unacknowledgedLoss, !report.notes.contains(loss) else { return }
    report.notes.append(loss)
  }

  private func update(_ report: inout MigrationReport, _ body: (inout VersionRecord) -> Void) {
    do {
      try record.update { record in
        record.updated = environment.now()
        body(&record)
      }
    } catch {
      report.notes.append("the record was not written: \(error)")
    }
  }

  // MARK: - After an interruption

  private func goOn<Container: Sendable>(
    _ left: MigrationJournal, _ report: PreflightReport,
    _ open: @Sendable () async throws -> Container
  ) async throws -> MigrationResult<Container> {
    // The folder of an app that was installed anew, or an older app that migrates to another version.
    let isOurs = left.to == plan.newest?.number
    switch (left.state, report.verdict) {
    case (_, .newer): break
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
        MigrationFailure(.interrupted, "The last update was interrupted, and cannot be continued."))
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

  /// The backup that an interrupted migration has made.
  private func requireBackup(_ left: MigrationJournal, _ report: PreflightReport) throws -> Backup {
    let found = try prepare { try backupKept(by: left) }
    guard let found else {
      let what = report.verdict == .absent ? "the data is gone, and " : "and "
      throw MigrationFailure(
        .interrupted,
        "The last update was interrupted, \(what)its backup '\(left.backup)' is gone or damaged.",
        store: .left)
    }
    return found
  }

  private func backupKept(by left: MigrationJournal) throws -> Backup? {
    let found = try backups.list().first { $0.url.lastPathComponent == left.backup }
    guard let found, found.manifest != nil else { return nil }
    do {
      try backups.verify(found)
      return found
    } catch let error as BackupError where [.altered, .corrupt, .incomplete].contains(error.kind) {
      return nil
    }
  }

  /// It was killed when all stages had run: what is left is to look at the store.
  private func complete<Container: Sendable>(
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

  // MARK: - Migrating

  /// What an attempt has to go by.
  private struct Attempt {
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
  private func migrate<Container: Sendable>(
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
      from: isFirst ? version.number : left?.from ?? version.number, to: newest.number,
      release: options.release, attempts: (left.map(attempts) ?? 0) + 1,
      date: isFirst ? backup.date : left?.date ?? backup.date, backup: backup.url.lastPathComponent,
      counts: isFirst ? report.rowCounts : left?.counts ?? report.rowCounts,
      links: isFirst ? report.linkCounts : left?.links,
      isRepeatable: stages.allSatisfy(\.isRepeatable))
    if let left, left.from == journal.from, left.to == journal.to {
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
    tracker.migrate(stages, report.rowCounts, expected: report.expectedDuration)
    let attempt = Attempt(
      journal: journal, backup: backup, begun: environment.now(),
      notes: [report.doubt].compactMap { $0 } + notesOnExternalFiles())
    return try await finish(attempt, try await opened(attempt, open))
  }

  /// What beside external files is in their folder, and in no backup.
  private func notesOnExternalFiles() -> [String] {
    let others = (try? backups.files.externalPaths().others) ?? []
    return others.map { path in
      "'\(path)' in the folder of external files is no file, or a link that leads to none, and is not in the backup"
    }
  }

  /// How many attempts of this release there were.
  private func attempts(_ left: MigrationJournal) -> Int {
    let isSame = left.to == plan.newest?.number && left.release == options.release
    return isSame && !isRetry ? left.attempts : 0
  }

  private func isExhausted(_ left: MigrationJournal) -> Bool {
    // When rows were missing, there is always one attempt more, whose outcome is used whatever is missing.
    attempts(left) >= options.maximumAttempts
      + (left.hasLostRows == true ? 1 : 0) + (left.failedRestores ?? 0)
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
    }
    guard let available = report.spaceAvailable, available < needed else { return nil }
    return MigrationFailure(
      .noSpace(needed: needed, available: available),
      "The update needs \(megabytes(needed)) on the disk, and \(megabytes(available)) are free.")
  }

  /// The failure of an update that was interrupted, and that only needs space.
  private func waiting(for shortage: MigrationFailure) -> MigrationFailure {
    guard case .noSpace(let needed, let available) = shortage.kind else { return shortage }
    return MigrationFailure(
      shortage.kind,
      "\(shortage.reason) It was interrupted, and goes on once \(megabytes(needed - available)) more are free.",
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

  private func gaveUp(
    _ left: MigrationJournal, _ report: PreflightReport
  ) async throws -> MigrationFailure {
    let failure = MigrationFailure(
      .gaveUp(attempts: left.attempts),
      "The update has failed \(left.attempts) times, and is not tried again automatically.")
    if left.state == .began {
      return try await restored(left, requireBackup(left, report), failure)
    }
    return MigrationFailure(
      failure.kind, failure.reason,
      backup: backups.folder.appendingPathComponent(left.backup))
  }

  // MARK: - Opening

  /// The container, alone in a variable, so that it can be released.
  private func opened<Container: Sendable>(
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

  /// Looks at the store, and hands the container out only when it is what it should be.
  private func finish<Container: Sendable>(
    _ attempt: Attempt, _ opened: consuming Container
  ) async throws -> MigrationResult<Container> {
    let duration = environment.now().timeIntervalSince(attempt.begun)
    var container: Container? = consume opened
    tracker.enter(.validating)
    var report = MigrationReport(from: attempt.journal.from, to: attempt.journal.to)
    report.attempts = attempt.journal.attempts
    report.duration = duration
    report.backup = attempt.backup?.url
    report.notes += attempt.notes
    var loss: String?
    if let failure = validate(attempt, &report) {
      loss = failure.kind == .rowsLost ? accept(failure, attempt, &report) : nil
      if loss == nil {
        // The store must be closed before another takes its place.
        container = nil
        // Of this one the next launch may learn more.
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
        "a power failure may take back the last of the stages: \(backups.translated(error))")
    }
    // From here the app works with the store, so nothing may say any more that it can be replaced.
    do {
      try journal.remove()
    } catch {
      container = nil
      throw MigrationFailure(
        .journal,
        "The data is updated, but the file '\(journal.path)' cannot be removed, and the data cannot be used while that file exists.",
        store: .left, backup: attempt.backup?.url, underlyingError: backups.translated(error))
    }
    noteLoss(&report)
    prune(&report)
    guard let container else { throw CancellationError() }
    tracker.enter(.done)
    return MigrationResult(container: container, report: report)
  }

  /// In a function that is not async, for it is to block: whoever loses patience now does not stop it.
  private func prune(_ report: inout MigrationReport) {
    guard let rules = options.retention else { return }
    do {
      _ = try backups.prune(keeping: rules)
    } catch {
      report.notes.append("old backups were not removed: \(error)")
    }
  }

  /// Why the store is not what it should be, or `nil`.
  private func validate(_ attempt: Attempt, _ report: inout MigrationReport) -> MigrationFailure? {
    let validation: ValidationReport
    do {
      let tracker = tracker
      validation = try StoreValidation(
        of: migration.store, plan: plan, environment: environment
      )
      .report(
        from: attempt.journal.from, counts: attempt.journal.counts,
        links: attempt.journal.links ?? [:]
      ) { tracker.validate($0, of: $1) }
    } catch let error as BackupError where [.corrupt, .notADatabase].contains(error.kind) {
      return MigrationFailure(
        .damaged, "The updated data is damaged: \(error.reason)", underlyingError: error)
    } catch let error as BackupError where error.kind != .storeInUse && !error.kind.isOfSchema {
      // Rows may be missing, and once the app works with the store, the backup cannot take its place any more.
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

  /// Why a store is used although rows are missing, which is also a note of the report; `nil` when it is not.
  ///
  /// Once the backup was put back for that, another time would change nothing and lock people out for ever: anybody may
  /// delete rows while the store is open, and a plan may not know of all that a stage deletes.
  private func accept(
    _ failure: MigrationFailure, _ attempt: Attempt, _ report: inout MigrationReport
  ) -> String? {
    let journal = attempt.journal
    guard journal.hasLostRows == true || journal.failedRestores ?? 0 >= 2 else { return nil }
    // Without any tables, all would be lost, and made anew.
    switch try? StorePreflight(plan: plan, backups: backups).check(heedsCancellation: false).verdict
    {
    case .current, .migrates, .newer, .unknown: break
    case .absent, .damaged, .notAStore, nil: return nil
    }
    let lost = (failure.validation?.issues ?? []).filter(\.isLoss).map(\.description)
    let place: String
    if let backup = attempt.backup {
      do {
        try backups.mark(backup, because: "rows that it has were missing after the migration")
      } catch {
        // Nobody could say that it will be there when it is asked for.
        return nil
      }
      place =
        "the missing rows are in the backup '\(backup.url.lastPathComponent)', which is never removed automatically"
    } else {
      place = "the backup '\(journal.backup)' is gone or damaged"
    }
    let why =
      "the update has lost data again, as before, and the data is used anyway: \(lost.joined(separator: "; ")); \(place)"
    report.notes.append(why)
    return why
  }

  private func entry(
    _ attempt: Attempt, _ outcome: VersionRecord.Outcome, duration: TimeInterval, reason: String?
  ) -> VersionRecord.Migration {
    let journal = attempt.journal
    return VersionRecord.Migration(
      from: journal.from, to: journal.to, date: journal.date, duration: duration,
      attempts: journal.attempts, outcome: outcome, backup: attempt.backup?.url.lastPathComponent,
      rows: journal.counts.values.reduce(0, +), reason: reason)
  }

  // MARK: - Going back

  private func putBack(_ attempt: Attempt, _ failure: MigrationFailure) async -> MigrationFailure {
    guard let backup = attempt.backup else {
      countFailedRestore(attempt.journal, failure)
      return MigrationFailure(
        failure.kind,
        "\(failure.reason) Its backup '\(attempt.journal.backup)' is gone or damaged.",
        store: .left, validation: failure.validation, underlyingError: failure.underlyingError)
    }
    do {
      return try await restored(attempt.journal, backup, failure)
    } catch {
      return error
    }
  }

  /// Puts the backup back, and says so in the failure. Throws it with what stood in the way.
  private func restored(
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
        "\(failure.reason) The backup could not be put back: \(why)", store: .left,
        backup: backup.url, validation: failure.validation,
        underlyingError: failure.underlyingError ?? obstacle?.underlyingError ?? error)
    }
  }

  /// So that a backup that can never be put back does not lock people out.
  private func countFailedRestore(_ left: MigrationJournal, _ failure: MigrationFailure) {
    guard failure.kind == .rowsLost else { return }
    var counted = left
    counted.failedRestores = (left.failedRestores ?? 0) + 1
    // Where it cannot be written, the next launch looks once more.
    try? journal.write(counted)
  }

  private func append(_ entry: VersionRecord.Migration) {
    // The history is for people.
    try? record.update { $0.history.append(entry) }
  }

  /// A container that was just released may take a moment to close its store, and another process may be at the backups.
  /// Not stopped by cancellation.
  private func restore(_ backup: Backup) async throws -> StoreBackups.Restoration {
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
