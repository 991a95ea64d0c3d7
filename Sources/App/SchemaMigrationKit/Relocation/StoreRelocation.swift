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
/// The store is copied, with its log and its external files, and the old one stays as it is. Meanwhile nobody can write
/// to it. The copy is checked, and appears at the new place whole, with a record that it came from the old one. A kill
/// at any moment leaves nothing at the new place or all of it; the next call brings it to an end.
///
/// A store that is at the new place already is never overwritten, and what is written at the old place later is told of
/// and not merged.
public struct StoreRelocation: Sendable {
  /// Where the store was in earlier releases of the app.
  public let old: URL
  /// Where it is to be; `nil` where the system gives the app no such folder.
  public let new: URL?
  /// What to do with a store that is at the new place already.
  public let existingStore: ExistingStore

  private let source: StoreBackups
  private let destination: StoreBackups?
  let environment: SystemEnvironment

  /// What to do with a store that is at the new place already, where nothing says that it came from the old one. The store
  /// that gives way is kept beside the other one as `<name>_aside_<moment>`, and never removed.
  public enum ExistingStore: Sendable, Hashable {
    /// Fail, with an error that names both.
    case refuse
    /// If no model has a row in it, put it aside: an earlier release has opened an empty one there. Otherwise fail.
    case putAsideIfEmpty
    /// Put it aside, whatever it has: the old one is right.
    case putAside
    /// Leave it there: it is right, and the old one is not asked for any more.
    case keep
  }

  /// What came of it.
  public enum Outcome: Sendable, Hashable {
    /// There is no store at the old place, or one without rows beside a store at the new place; or both places are one.
    case nothingToMove
    /// The store is at the new place now.
    case moved
    /// It was moved before; and what the old place is like.
    case alreadyMoved(OldStore)
    /// It was moved before, and is gone from the new place since. It is not moved again: what was deleted would come back.
    case movedAndRemoved
    /// The store at the new place was left there, as asked for.
    case keptExisting
  }

  /// What has become of the store at the old place since it was copied.
  public enum OldStore: Sendable, Hashable {
    /// Nobody has written to it.
    case unchanged
    /// Its files are not what they were: somebody still opens it there, and may have changed rows. Nothing of that is at the
    /// new place.
    case changed
    /// It was removed.
    case gone
  }

  /// - Parameters:
  ///   - old: Where the store was in earlier releases of the app.
  ///   - new: Where it is to be. What `containerURL(forSecurityApplicationGroupIdentifier:)` gave may be `nil`: then
  ///     `perform()` fails.
  ///   - backups: The folder of the backups of both; by default `Backups` beside each.
  ///   - existingStore: What to do with a store that is at the new place already.
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

  /// Moves the store, if that was not done before. Blocks; in an async function the other form is taken.
  ///
  /// - Parameter progress: Is told after every step. What it throws ends it and is thrown on.
  /// - Throws: `MigrationFailure` of the kind `relocation`, or `busy` where another process moves the store;
  ///   `CancellationError`. Nothing is at the new place then, unless the failure says `left`: the next call goes on.
  @discardableResult
  public func perform(
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> Outcome {
    try telling { try outcome(progress) }
  }

  /// Takes the old store's files as they are for known: `perform()` tells only of what is written from here on. For apps
  /// that have read, or shown, what was written there. Blocks while it writes a small file.
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

  /// What an outcome has that developers should know, or `nil`.
  func note(_ outcome: Outcome) -> String? {
    switch outcome {
    case .nothingToMove, .moved, .keptExisting, .alreadyMoved(.unchanged), .alreadyMoved(.gone):
      nil
    case .alreadyMoved(.changed):
      "the store's files at its old location, '\(old.path)', have changed since it was moved, and the new location has none of the changes"
    case .movedAndRemoved:
      "the store was moved here but is now missing; the one at its old location, '\(old.path)', was not moved again"
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

  /// Whether there is anything at the old place; an empty file is no store.
  private func hasStore() throws -> Bool {
    let sizes = try ["", "-wal"].map { try Disk.status(source.files.database + $0)?.size ?? 0 }
    return try sizes[0] > 1 || sizes[1] > 0 || unfinishedMigration() != nil
  }

  /// Whether both places are one: by their paths, or by another name for the same file.
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
    // A device that is locked keeps it from being read, and not from being right.
    let data = try Disk.read(path)
    guard let record = try? JSONDecoder().decode(RelocationRecord.self, from: data),
      record.format == RelocationRecord.currentFormat
    else {
      throw BackupError(
        .unreadableJournal,
        "The file '\(path)', which records that the store was moved there, cannot be read. If the store next to it is the right one, remove the file and move with 'existingStore: .keep'."
      )
    }
    return record
  }

  private func write(_ record: RelocationRecord, _ destination: StoreBackups) throws {
    try destination.write(destination.encoded(record), to: destination.files.relocationRecord)
  }

  /// The stores that have the data, as far as files tell; what cannot be looked at may have some.
  var storesWithData: [URL] {
    guard let new, let destination else { return [old] }
    let isMoved = (try? Disk.exists(destination.files.relocationRecord)) ?? false
    let isSame = (try? isSamePlace(destination)) ?? false
    guard !isMoved, !isSame, (try? hasStore()) ?? true else { return [new] }
    return (try? isTaken(destination)) ?? true ? [old, new] : [old]
  }

  // MARK: - Afterwards

  private func look(_ record: RelocationRecord, _ destination: StoreBackups) throws -> Outcome {
    guard try Disk.exists(destination.files.database) else { return .movedAndRemoved }
    // The store that the app works with is not in doubt, whatever cannot be looked at here.
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
      // Of an earlier launch, or of another process that has been at it until now.
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

    // From here nobody can write to it until the copy is in its place.
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

  /// Keeps others from writing for as long as it is there. It writes nothing, and leaves the log to whoever comes next.
  private func writeLock() throws -> SQLite {
    do {
      let lock = try SQLite(
        path: source.files.database, access: .existing, patience: 1000, isShared: true)
      try lock.distrustSchema()
      try lock.execute("BEGIN IMMEDIATE")
      // Of a file that it may not write, SQLite takes a lock to read, and says nothing.
      guard !lock.isReadOnly else {
        throw SystemFailure(code: EACCES, path: source.files.database)
      }
      return lock
    } catch let error as StoreError where error.backupError.kind == .storeInUse {
      // Whoever waits for another process waits for this one, too.
      throw BackupError(.busy, "Another process is writing to the store at its old location.")
    }
  }

  /// Whether what is at the new place may be put aside.
  ///
  /// - Parameter held: The store there, when nobody else can open it; `nil` if there is none that can be read.
  private func mayGive(way held: SQLite?, _ destination: StoreBackups) throws -> Bool {
    guard let held else {
      return try existingStore == .putAside || !Disk.exists(destination.files.database)
    }
    return switch existingStore {
    case .putAside: true
    case .putAsideIfEmpty: try held.hasNoRows
    // An empty file. Anything else has come since it was looked at.
    case .refuse, .keep: try held.number("SELECT count(*) FROM sqlite_master") == 0
    }
  }

  /// Whether there is a store at the new place; an empty file is none.
  private func isTaken(_ destination: StoreBackups) throws -> Bool {
    let path = destination.files.database
    guard let status = try Disk.status(path) else { return false }
    return try status.isFolder || status.size > 1 || Disk.status(path + "-wal")?.size ?? 0 > 0
  }

  private func conflict(_ destination: StoreBackups) -> BackupError {
    BackupError(
      .storeExists,
      "There is a store at '\(source.files.database)' and one at '\(destination.files.database)', and nothing shows that the second is a copy of the first. Neither was changed. Choose with 'existingStore': '.putAside' moves the first, '.putAsideIfEmpty' does so if the second has no rows, and '.keep' uses the second."
    )
  }

  /// Copies the store next to its new place, and returns its external files.
  ///
  /// - Parameter left: The journal of a migration that was interrupted at the old place: then the backup that it has made
  ///   is copied, for what is in the store's place may be half of each version, and nobody has worked with it since.
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

  /// Writes what is known of the store's past in place of what the new place knows of a store that gives way. Before the
  /// store is there: a kill in between leaves a record that nothing depends on.
  private func bringVersions(to destination: StoreBackups) throws {
    let (old, new) = (VersionRecordFile(source), VersionRecordFile(destination))
    guard old.path != new.path, try Disk.exists(old.path) || Disk.exists(new.path) else { return }
    try new.write(old.read())
    environment.reached("brought the versions along")
  }

  /// Fails where a migration of a store at the new place was interrupted: the next one would put its backup in the place of
  /// the store that was moved.
  private func requireNoMigration(_ destination: StoreBackups) throws {
    let journal = MigrationJournalFile(destination)
    guard journal.path != MigrationJournalFile(source).path, try Disk.exists(journal.path),
      (try? journal.read())?.state != .failed
    else { return }
    throw BackupError(
      .storeExists,
      "An update of a store at '\(destination.files.database)' was interrupted ('\(journal.path)'), so the one at '\(source.files.database)' cannot be moved there."
    )
  }
}

extension SQLite {
  /// Whether no model has a row in it.
  fileprivate var hasNoRows: Bool {
    get throws {
      try requireStoredColumns()
      return try texts("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        .filter(StoreStructure.isModels)
        .allSatisfy { try number("SELECT EXISTS (SELECT 1 FROM \(SQLite.quoted($0)))") == 0 }
    }
  }
}
