public import Foundation
internal import ManagedModels
internal import StoreFormat

/// The backups of one store: makes them, lists them, checks them, restores them, and removes old ones.
///
/// ```swift
/// let backups = StoreBackups(of: storeURL)
/// try backups.recover()                      // before the store is opened, at every launch
/// let backup = try backups.create(from: StoreVersion(8, 0, 0), to: StoreVersion(9, 0, 0))
/// // … open the store with the migration plan …
/// try backups.restore(backup)                // if that failed; the store must be closed
/// ```
///
/// All of it works on files and takes as long as the disk takes. In an async function the compiler takes the forms that
/// leave the caller's actor; elsewhere the calls block, and do not belong on the main actor. They may be made from any
/// thread and process; one at a time does something, and others get the error `busy`.
///
/// Every error is a `BackupError` that says what became of the store, except for what `progress` throws and for
/// `CancellationError`, after both of which the store is as it was.
public struct StoreBackups: Sendable {
  /// The store's database.
  public let store: URL
  /// The folder of the backups.
  public let folder: URL
  /// Whether the backups, and the stores that restores have replaced, are left out of the device's own backup.
  public let isExcludedFromDeviceBackup: Bool

  let files: StoreFiles
  let environment: SystemEnvironment

  /// The backups of `store` in `folder`, by default the folder `Backups` beside the store. Changes no file.
  ///
  /// - Parameters:
  ///   - store: The file of the store.
  ///   - folder: The folder of its backups.
  ///   - isExcludedFromDeviceBackup: Whether the backups, and the stores that restores have replaced, are left out of the
  ///     device's own backup, which is as large as all of them otherwise.
  ///   - now: The clock that names and dates backups.
  public init(
    of store: URL, in folder: URL? = nil, isExcludedFromDeviceBackup: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      of: store, in: folder, isExcludedFromDeviceBackup: isExcludedFromDeviceBackup,
      environment: SystemEnvironment(now: now))
  }

  package init(
    of store: URL, in folder: URL? = nil, isExcludedFromDeviceBackup: Bool = false,
    environment: SystemEnvironment
  ) {
    self.store = store
    self.isExcludedFromDeviceBackup = isExcludedFromDeviceBackup
    self.folder =
      folder
      ?? store.deletingLastPathComponent().appendingPathComponent("Backups", isDirectory: true)
    self.environment = environment
    files = StoreFiles(store)
  }

  // MARK: - Listing

  /// All backups, the newest first, with those that were never finished. Blocks while it reads their sidecars.
  public func list() throws -> [Backup] {
    try translatingErrors {
      var found: [(Timestamp, Backup)] = []
      for name in try Disk.names(in: folder.path) {
        guard let timestamp = timestamp(ofBackup: name) else { continue }
        found.append((timestamp, try backup(folder.path + "/" + name, timestamp)))
      }
      return found.sorted { $0.0 > $1.0 }.map(\.1)
    }
  }

  /// Holds a backup against its sidecar, byte for byte, and has SQLite check its structure.
  public func verify(
    _ backup: Backup, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    try translatingErrors {
      let manifest = try manifest(of: backup)
      let found = try Disk.digest(of: backup.url.path) { done in
        try checkpoint(
          "checked a piece", progress,
          .init(activity: .checking, completed: done, total: manifest.size))
      }
      guard found == (manifest.sha256, manifest.size) else { throw altered(backup.url.path) }
      for file in manifest.externalFiles {
        let path = externalFiles(ofBackupAt: backup.url.path) + "/" + file.path
        guard try Disk.exists(path), try Disk.digest(of: path) == (file.sha256, file.size) else {
          throw altered(path)
        }
      }
      let damage = try SQLite(path: backup.url.path, access: .immutable, isShared: true).damage()
      guard damage.isEmpty else { throw corrupt(backup.url.path, damage) }
    }
  }

  // MARK: - Names

  private var prefix: String { files.label + "_backup_" }

  func path(ofBackup timestamp: Timestamp) -> String {
    folder.path + "/" + prefix + timestamp.text + ".sqlite"
  }

  func sidecar(ofBackupAt path: String) -> String {
    (path as NSString).deletingPathExtension + ".json"
  }

  func externalFiles(ofBackupAt path: String) -> String {
    (path as NSString).deletingPathExtension + "_SUPPORT"
  }

  /// What a backup is called before it is finished.
  func partial(_ path: String) -> String {
    folder.path + "/." + (path as NSString).lastPathComponent + ".partial"
  }

  func isPartial(_ name: String) -> Bool {
    name.hasPrefix("." + prefix) && name.contains(".sqlite.partial")
      || [shippedVersionsName, recordName, journalName].contains { name == $0 + ".partial" }
      || name.hasPrefix(prefix) && name.hasSuffix(".json.partial")
  }

  func timestamp(ofBackup name: String) -> Timestamp? {
    guard name.hasPrefix(prefix), name.hasSuffix(".sqlite") else { return nil }
    return Timestamp(name.dropFirst(prefix.count).dropLast(".sqlite".count))
  }

  var shippedVersionsName: String { files.label + "_shipped.json" }
  var recordName: String { files.label + "_versions.json" }

  /// What a migration that is under way has to finish.
  var journalName: String { files.label + "_migration.json" }

  // MARK: - Reading sidecars

  private func backup(_ path: String, _ timestamp: Timestamp) throws -> Backup {
    Backup(
      url: URL(fileURLWithPath: path), date: timestamp.date, state: try state(ofBackupAt: path))
  }

  func state(ofBackupAt path: String) throws -> Backup.State {
    let sidecar = sidecar(ofBackupAt: path)
    guard try Disk.exists(sidecar) else { return .incomplete("it has no sidecar") }
    guard
      let manifest = try? JSONDecoder().decode(BackupManifest.self, from: Disk.read(sidecar))
    else { return .incomplete("its sidecar cannot be read") }
    if let trouble = manifest.trouble(forStore: files.name) { return .incomplete(trouble) }
    guard try Disk.status(path)?.size == manifest.size else {
      return .incomplete("its size differs from the one in its sidecar")
    }
    return .complete(manifest)
  }

  /// Reads the backup's sidecar again.
  func manifest(of backup: Backup) throws -> BackupManifest {
    let path = backup.url.path
    let name = backup.url.lastPathComponent
    guard try Disk.exists(path) else {
      throw BackupError(.backupMissing, "The backup '\(name)' no longer exists.")
    }
    switch try state(ofBackupAt: path) {
    case .complete(let manifest): return manifest
    case .incomplete(let reason):
      throw BackupError(.incomplete, "The backup '\(name)' is incomplete: \(reason).")
    }
  }

  func altered(_ path: String) -> BackupError {
    let name = URL(fileURLWithPath: path).lastPathComponent
    return BackupError(.altered, "'\(name)' has changed since the backup was made.")
  }

  func corrupt(_ path: String, _ damage: [String]) -> BackupError {
    let name = URL(fileURLWithPath: path).lastPathComponent
    return BackupError(
      .corrupt, "The database '\(name)' is damaged (\(damage.joined(separator: "; "))).")
  }

  // MARK: - One at a time

  /// Runs `body` while no other thread or process works on these backups.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try translatingErrors {
      try prepareFolder()
      guard let lock = try Disk.lock(folder.path + "/." + files.label + ".lock") else {
        throw BackupError(
          .busy, "Another backup or restore of '\(files.name)' is under way.")
      }
      defer { Disk.unlock(lock) }
      try protectFiles()
      return try body()
    }
  }

  /// Takes the lock for migrating the store; `nil` if it is taken.
  func lockMigration() throws -> Int32? {
    try prepareFolder()
    let path = folder.path + "/." + files.label + ".migration.lock"
    let lock = try Disk.lock(path)
    if lock != nil { try protect(path) }
    return lock
  }

  /// Makes what was written to a store that somebody has open outlast a power failure. An app's store may leave that to
  /// a later moment: with "synchronous = NORMAL", SQLite synchronises a log only when it brings it into the database.
  func synchronizeStore() throws {
    // Through SQLite, for closing a file of its own would take away the locks of whoever has the store open.
    let database = try SQLite(path: files.database, access: .existing, patience: 1000)
    try database.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    let found = try database.rows("PRAGMA wal_checkpoint(PASSIVE)") {
      (isBusy: $0.integer(at: 0) != 0, pages: $0.integer(at: 1), done: $0.integer(at: 2))
    }
    guard let found = found.first, !found.isBusy, found.pages == found.done else {
      throw BackupError(.storeInUse, "The store is in use by another connection.")
    }
    // Where it has a rollback journal, its last transaction ends with the name of that.
    try Disk.synchronize(files.folder)
  }

  func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw translated(error)
    }
  }

  func translated(_ error: any Error) -> any Error { environment.translated(error) }

  /// Announces a step, reports progress, and stops when the task was cancelled.
  func checkpoint(
    _ step: String, _ progress: (BackupProgress) throws -> Void, _ report: BackupProgress
  ) throws {
    environment.reached(step)
    if Task.isCancelled { throw CancellationError() }
    try progress(report)
  }

  /// Fails unless `needed` bytes and some to spare are free where `path` is.
  func requireSpace(_ needed: Int64, at path: String, for purpose: String) throws {
    // Journals and sidecars, and what others write meanwhile.
    let withReserve = needed + 1 << 20
    let available = try environment.freeSpace(path)
    guard available < withReserve else { return }
    let style = { (count: Int64) in "\((count + 999_999) / 1_000_000) MB" }
    throw BackupError(
      .noSpace(needed: withReserve, available: available),
      "\(purpose) needs \(style(withReserve)) on the disk, but only \(style(available)) are free.")
  }
}
