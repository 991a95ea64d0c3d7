public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Makes, lists, checks, restores and removes the backups of one store.
///
/// ```swift
/// let backups = StoreBackups(of: storeURL)
/// try backups.recover()                      // before the store is opened, at every launch
/// let backup = try backups.create(from: StoreVersion(8, 0, 0), to: StoreVersion(9, 0, 0))
/// // … open the store with the migration plan …
/// try backups.restore(backup)                // if that failed; the store must be closed
/// ```
///
/// The methods read and write files, and take as long as the disk needs. In an async function the compiler chooses the
/// async forms, which leave the caller's actor. The others block, so don't call them on the main actor. You can call
/// them from any thread and process. Only one call at a time can change something. Other calls throw the error `busy`.
///
/// Every error is a `BackupError` with the state of the store, except errors that `progress` throws and
/// `CancellationError`. After these two, the store is unchanged.
public struct StoreBackups: Sendable {
  /// The store's database.
  public let store: URL
  /// The folder of the backups.
  public let folder: URL
  /// Whether backups, and stores that restores have replaced, are excluded from the device's backup.
  public let isExcludedFromDeviceBackup: Bool

  let files: StoreFiles
  let environment: SystemEnvironment

  /// Creates a value for the backups of a store. This changes no file.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - folder: The folder of its backups; by default `Backups` next to the store.
  ///   - isExcludedFromDeviceBackup: Whether backups, and stores that restores have replaced, are excluded from the
  ///     device's backup. If they are not, they add to the size of that backup.
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

  /// All backups, the newest first, including unfinished ones.
  ///
  /// This blocks while it reads the backups' sidecars.
  ///
  /// - Throws: `BackupError`.
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

  /// Compares a backup with its sidecar byte by byte, and has SQLite check its structure.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameters:
  ///   - backup: The backup to check.
  ///   - progress: A closure that is called after every step. An error that it throws stops the check and is rethrown.
  /// - Throws: `BackupError`: `altered`, `corrupt`, `incomplete` or `backupMissing` if the backup cannot be used.
  ///   `CancellationError` if the task was cancelled.
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

  // MARK: - Exclusive access

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

  /// Takes the lock for migrating the store; `nil` if another process has it.
  func lockMigration() throws -> Int32? {
    try prepareFolder()
    let path = folder.path + "/." + files.label + ".migration.lock"
    let lock = try Disk.lock(path)
    if lock != nil { try protect(path) }
    return lock
  }

  /// Makes everything written to an open store survive a power failure. The app's connection may delay that: with
  /// "synchronous = NORMAL", SQLite synchronises a WAL only at a checkpoint.
  func synchronizeStore() throws {
    // Use SQLite, since closing a file here would release the locks of other connections in this process.
    let database = try SQLite(path: files.database, access: .existing, patience: 1000)
    try database.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    let found = try database.rows("PRAGMA wal_checkpoint(PASSIVE)") {
      (isBusy: $0.integer(at: 0) != 0, pages: $0.integer(at: 1), done: $0.integer(at: 2))
    }
    guard let found = found.first, !found.isBusy, found.pages == found.done else {
      throw BackupError(.storeInUse, "The store is in use by another connection.")
    }
    // With a rollback journal, a transaction is complete only when the journal's name has been removed on disk.
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

  func checkpoint(
    _ step: String, _ progress: (BackupProgress) throws -> Void, _ report: BackupProgress
  ) throws {
    environment.reached(step)
    if Task.isCancelled { throw CancellationError() }
    try progress(report)
  }

  func requireSpace(_ needed: Int64, at path: String, for purpose: String) throws {
    // The reserve is for journals, sidecars, and what other processes write meanwhile.
    let withReserve = needed + 1 << 20
    let available = try environment.freeSpace(path)
    guard available < withReserve else { return }
    let style = { (count: Int64) in "\((count + 999_999) / 1_000_000) MB" }
    throw BackupError(
      .noSpace(needed: withReserve, available: available),
      "\(purpose) needs \(style(withReserve)) on the disk, but only \(style(available)) are free.")
  }
}
