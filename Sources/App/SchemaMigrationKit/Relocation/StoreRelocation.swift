public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Moves a store to another place or name, once: into an app group, for a widget.
///
/// ```swift
/// let relocation = StoreRelocation(from: oldStoreURL, to: storeURL)
/// try await relocation.perform()  // at every launch, in the app only, before anything opens the store
/// ```
///
/// The store is copied with its WAL and its external files, and the old one stays. Meanwhile no other process can write
/// to the old store. The copy is checked, and then appears as a whole at the new location, with a record that it came
/// from the old one. After a kill at any moment, the new location has either nothing or the complete store. The next
/// call finishes moving it.
///
/// A store that is already at the new location is never overwritten. Later changes at the old location are reported and
/// not merged.
public struct StoreRelocation: Sendable {
  /// The store's place in earlier releases of the app.
  public let old: URL
  /// The store's new place; `nil` if the system gives the app no folder for it.
  public let new: URL?
  /// What to do with a store that is already at the new location.
  public let existingStore: ExistingStore

  private let source: StoreBackups
  private let destination: StoreBackups?
  let environment: SystemEnvironment

  /// What to do with a store that is already at the new location, if there is no record that the store came from the
  /// old location. A store that is put aside is kept in the same folder as `<name>_aside_<timestamp>`, and never
  /// removed.
  public enum ExistingStore: Sendable, Hashable {
    /// Throws an error that names both stores.
    case refuse
    /// Puts the existing store aside if no model has a row in it, as when an earlier release opened an empty store
    /// there. Otherwise this throws an error.
    case putAsideIfEmpty
    /// Puts the existing store aside, whatever it contains, and uses the old one.
    case putAside
    /// Uses the existing store, and ignores the old one from then on.
    case keep
  }

  /// The result of a call.
  public enum Outcome: Sendable, Hashable {
    /// There is no store at the old location, or only one without rows while the new location has a store; or both
    /// places are the same.
    case nothingToMove
    /// The store has been moved to the new location.
    case moved
    /// The store was moved before. The value describes the old location.
    case alreadyMoved(OldStore)
    /// The store was moved before and has since been removed from the new location. It is not moved again, since that
    /// would bring deleted data back.
    case movedAndRemoved
    /// The store at the new location was kept, as requested.
    case keptExisting
  }

  /// The state of the store at the old location since it was copied.
  public enum OldStore: Sendable, Hashable {
    /// Its files have not changed.
    case unchanged
    /// Its files have changed: something still opens the store at the old location, and may have changed rows. The new
    /// place has none of these changes.
    case changed
    /// The old store was removed.
    case gone
  }

  /// Creates a relocation. This changes no file.
  ///
  /// - Parameters:
  ///   - old: The store's place in earlier releases of the app.
  ///   - new: The store's new place. It may be the result of `containerURL(forSecurityApplicationGroupIdentifier:)`. If
  ///     that is `nil`, `perform()` fails.
  ///   - backups: The folder of both stores' backups; by default `Backups` next to each store.
  ///   - existingStore: What to do with a store that is already at the new location.
  public init(
    from old: URL, to new: URL?, backups: URL? = nil, existingStore: ExistingStore = .refuse
  ) {
    self.init(
      from: old, to: new, backups: backups, existingStore: existingStore,
      environment: SystemEnvironment())
  }

  package init(
    from old: URL, to new: URL?, backups: URL? = nil, existingStore: ExistingStore = .refuse,
    environment: SystemEnvironment
  ) {
    self.old = old
    self.new = new
    self.existingStore = existingStore
    self.environment = environment
    source = StoreBackups(of: old, in: backups, environment: environment)
    destination = new.map { StoreBackups(of: $0, in: backups, environment: environment) }
  }

  init(
    from old: URL, to destination: StoreBackups, isSharingBackups: Bool,
    existingStore: ExistingStore
  ) {
    self.old = old
    new = destination.store
    self.existingStore = existingStore
    self.destination = destination
    environment = destination.environment
    source = StoreBackups(
      of: old, in: isSharingBackups ? destination.folder : nil,
      isExcludedFromDeviceBackup: destination.isExcludedFromDeviceBackup,
      environment: destination.environment)
  }

  /// Moves the store unless it was moved before.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameter progress: A closure that is called after every step. An error that it throws ends the call and is
  ///   rethrown.
  /// - Returns: What happened.
  /// - Throws: `MigrationFailure` of the kind `relocation`, or `busy` if another process is moving the store;
  ///   `CancellationError`. After an error there is nothing at the new location, unless the failure's `store` is
  ///   `left`; then the next call continues.
  @discardableResult
  public func perform(
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> Outcome {
    try telling { try outcome(progress) }
  }

  /// Records the present state of the old store's files, so that `perform()` only reports later changes. It is for apps
  /// that have read or shown what was written there.
  ///
  /// This blocks while it writes a small file.
  ///
  /// - Throws: `MigrationFailure`.
  public func acknowledgeChanges() throws {
    try telling {
      guard let destination, try record(destination) != nil else { return }
      try destination.exclusively {
        guard var record = try record(destination), try hasStore() else { return }
        record.files = try RelocationRecord.states(of: source.files)
        try write(record, destination)
      }
    }
  }

  func note(_ outcome: Outcome) -> String? {
    switch outcome {
    case .nothingToMove, .moved, .keptExisting, .alreadyMoved(.unchanged), .alreadyMoved(.gone):
      nil
    case .alreadyMoved(.changed):
      "the store's files at its old location, '\(old.path)', have changed since it was moved, and the new location has none of the changes"
    case .movedAndRemoved:
      "the store is missing from its new location, to which it was moved; the store at its old location, '\(old.path)', was not moved again"
    }
  }

  // MARK: - The places

  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      guard let error = environment.translated(error) as? BackupError else { throw error }
      throw MigrationFailure(relocating: error)
    }
  }

  /// Whether there is a store at the old location. An empty file counts as no store.
  private func hasStore() throws -> Bool {
    let sizes = try ["", "-wal"].map { try Disk.status(source.files.database + $0)?.size ?? 0 }
    return try sizes[0] > 1 || sizes[1] > 0 || unfinishedMigration() != nil
  }

  /// Whether the old and the new place are the same, by their paths or as two names for the same file.
  private func isSamePlace(_ destination: StoreBackups) throws -> Bool {
    if source.files == destination.files { return true }
    guard let new = try Disk.status(destination.files.database),
      let old = try Disk.status(source.files.database)
    else { return false }
    // Files on two volumes may have the same number.
    return new.identity == old.identity && new.volume == old.volume
  }

  private func unfinishedMigration() throws -> MigrationJournal? {
    do {
      let journal = try MigrationJournalFile(source).read()
      return journal?.state == .began ? journal : nil
    } catch {
      if case .refused(let why) = error.trouble { throw why }
      throw BackupError(
        .unreadableJournal,
        "The file '\(error.path)', which records the progress of an update of the store at its old location, cannot be read."
      )
    }
  }

  private func record(_ destination: StoreBackups) throws -> RelocationRecord? {
    let path = destination.files.relocationRecord
    guard try Disk.exists(path) else { return nil }
    // A locked device makes the record unreadable but not invalid.
    let data = try Disk.read(path)
    guard let record = try? JSONDecoder().decode(RelocationRecord.self, from: data),
      record.format == RelocationRecord.currentFormat
    else {
      throw BackupError(
        .unreadableJournal,
        "The file '\(path)', which records where the store next to it came from, cannot be read. If that store is the right one, remove the file and move with 'existingStore: .keep'."
      )
    }
    return record
  }

  private func write(_ record: RelocationRecord, _ destination: StoreBackups) throws {
    try destination.write(destination.encoded(record), to: destination.files.relocationRecord)
  }

  /// The stores with the data, as far as files show it. A store that cannot be read may have data.
  var storesWithData: [URL] {
    guard let new, let destination else { return [old] }
    let isMoved = (try? Disk.exists(destination.files.relocationRecord)) ?? false
    let isSame = (try? isSamePlace(destination)) ?? false
    guard !isMoved, !isSame, (try? hasStore()) ?? true else { return [new] }
    return (try? isTaken(destination)) ?? true ? [old, new] : [old]
  }

  // MARK: - After a move

  private func look(_ record: RelocationRecord, _ destination: StoreBackups) throws -> Outcome {
    guard try Disk.exists(destination.files.database) else { return .movedAndRemoved }
    // The store with which the app works is valid, whatever cannot be read at the old location.
    guard (try? hasStore()) ?? true else { return .alreadyMoved(.gone) }
    let files = try? RelocationRecord.states(of: source.files)
    return .alreadyMoved(files == record.files ? .unchanged : .changed)
  }

  // MARK: - Moving

  private func outcome(_ progress: (BackupProgress) throws -> Void) throws -> Outcome {
    guard let destination else {
      throw BackupError(
        .notPermitted,
        "The system returned no folder to move the store to: check the app group in the app's entitlements."
      )
    }
    if try isSamePlace(destination) { return .nothingToMove }
    try destination.recover()
    if let record = try record(destination) { return try look(record, destination) }
    guard try hasStore() else { return .nothingToMove }
    try source.recover()
    return try destination.exclusively {
      try destination.undoOrFinish()
      // An earlier launch, or another process that has just finished, may have left a record.
      guard let record = try record(destination) else { return try move(to: destination, progress) }
      return try look(record, destination)
    }
  }

  private func move(
    to destination: StoreBackups, _ progress: (BackupProgress) throws -> Void
  ) throws -> Outcome {
    let migrationLock = try Disk.exists(source.folder.path) ? source.lockMigration() : -1
    guard let migrationLock else {
      throw BackupError(.busy, "Another process is updating the store at its old location.")
    }
    defer { if migrationLock >= 0 { Disk.unlock(migrationLock) } }
    let left = try unfinishedMigration()
    if left == nil { try source.requireStore() }

    // From here until the copy is in place, no other process can write to the store.
    let lock = try Disk.exists(source.files.database) ? writeLock() : nil
    defer { withExtendedLifetime(lock) {} }
    environment.reached("locked the old store")
    let isEmpty = try lock.map { _ in
      try SQLite.snapshot(of: source.files.database, heedsCancellation: true).hasNoRows
    }
    let record = RelocationRecord(files: try RelocationRecord.states(of: source.files))
    if try isTaken(destination) {
      if left == nil, isEmpty == true { return .nothingToMove }
      switch existingStore {
      case .refuse: throw conflict(destination)
      case .putAsideIfEmpty, .putAside: break
      case .keep:
        try write(record, destination)
        return .keptExisting
      }
    }
    try requireNoMigration(destination)
    try Disk.makeFolder(destination.files.folder)
    _ = try destination.install(source.files.name, isAside: true) {
      let files = try copy(left, to: destination, progress)
      try destination.write(
        destination.encoded(record), to: destination.files.incomingRelocationRecord)
      return files
    } check: { held in
      guard try mayGive(way: held, destination) else { throw conflict(destination) }
      try bringVersions(to: destination)
    }
    return .moved
  }

  /// Returns a connection that keeps others from writing while it exists. It writes nothing itself and leaves the WAL
  /// unchanged.
  private func writeLock() throws -> SQLite {
    do {
      let lock = try SQLite(
        path: source.files.database, access: .existing, patience: 1000, isShared: true)
      try lock.distrustSchema()
      try lock.execute("BEGIN IMMEDIATE")
      // For a file without write permission, SQLite silently takes only a read lock.
      guard !lock.isReadOnly else {
        throw SystemFailure(code: EACCES, path: source.files.database)
      }
      return lock
    } catch let error as StoreError where error.backupError.kind == .storeInUse {
      // The caller retries `busy`, and so also waits for the other process.
      throw BackupError(.busy, "Another process is writing to the store at its old location.")
    }
  }

  /// Whether the store at the new location may be put aside.
  ///
  /// - Parameter held: The store at the new location, opened so that nothing else can open it; `nil` if no store there
  ///   can be read.
  private func mayGive(way held: SQLite?, _ destination: StoreBackups) throws -> Bool {
    guard let held else {
      return try existingStore == .putAside || !Disk.exists(destination.files.database)
    }
    return switch existingStore {
    case .putAside: true
    case .putAsideIfEmpty: try held.hasNoRows
    // Only an empty file may be replaced. Anything else was created since the check.
    case .refuse, .keep: try held.number("SELECT count(*) FROM sqlite_master") == 0
    }
  }

  /// Whether there is a store at the new location. An empty file counts as no store.
  private func isTaken(_ destination: StoreBackups) throws -> Bool {
    let path = destination.files.database
    guard let status = try Disk.status(path) else { return false }
    return try status.isFolder || status.size > 1 || Disk.status(path + "-wal")?.size ?? 0 > 0
  }

  private func conflict(_ destination: StoreBackups) -> BackupError {
    BackupError(
      .storeExists,
      "There is a store at '\(source.files.database)' and one at '\(destination.files.database)', and nothing shows that the second is a copy of the first. Neither was changed. Choose with 'existingStore': '.putAside' puts the second aside and moves the first, '.putAsideIfEmpty' does so if the second has no rows, and '.keep' uses the second."
    )
  }

  /// Copies the store next to its new place, and returns its external files.
  ///
  /// - Parameter left: The journal of a migration that was interrupted at the old location. If there is one, this
  ///   copies the migration's backup: the store may be partly migrated, and no app has worked with it since.
  private func copy(
    _ left: MigrationJournal?, to destination: StoreBackups,
    _ progress: (BackupProgress) throws -> Void
  ) throws -> [BackupManifest.ExternalFile] {
    let incoming = destination.files.incoming
    guard let left else {
      let size = try source.sizeOfStore(source.files.externalPaths().files)
      try destination.requireSpace(size, at: destination.files.folder, for: "The moved store")
      return try source.copyStore(to: incoming, progress).externalFiles
    }
    let found = try source.list().first { $0.url.lastPathComponent == left.backup }
    guard let found, let manifest = found.manifest else {
      throw BackupError(
        .backupMissing,
        "An update of the store at its old location, '\(source.files.database)', was interrupted, and its backup '\(left.backup)' is missing or damaged."
      )
    }
    try destination.requireSpace(
      manifest.totalSize, at: destination.files.folder, for: "The moved store")
    try destination.stage(found, manifest, progress)
    try source.protect(incoming)
    try source.protect(destination.files.incomingExternalFiles)
    return manifest.externalFiles
  }

  /// Replaces the version record at the new location with the old store's. This happens before the store is in place: a
  /// kill in between leaves a record on which nothing depends.
  private func bringVersions(to destination: StoreBackups) throws {
    let (old, new) = (VersionRecordFile(source), VersionRecordFile(destination))
    guard old.path != new.path, try Disk.exists(old.path) || Disk.exists(new.path) else { return }
    try new.write(old.read())
    environment.reached("brought the versions along")
  }

  /// Throws an error if a migration of a store at the new location was interrupted: the next migration would replace
  /// the moved store with that migration's backup.
  private func requireNoMigration(_ destination: StoreBackups) throws {
    let journal = MigrationJournalFile(destination)
    guard journal.path != MigrationJournalFile(source).path, try Disk.exists(journal.path),
      (try? journal.read())?.state != .failed
    else { return }
    throw BackupError(
      .storeExists,
      "An update of a store at '\(destination.files.database)' was interrupted ('\(journal.path)'), so the store at '\(source.files.database)' cannot be moved there."
    )
  }
}

extension SQLite {
  fileprivate var hasNoRows: Bool {
    get throws {
      try requireStoredColumns()
      return try texts("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        .filter(StoreStructure.isModels)
        .allSatisfy { try number("SELECT EXISTS (SELECT 1 FROM \(SQLite.quoted($0)))") == 0 }
    }
  }
}
