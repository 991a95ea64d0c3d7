public import Foundation
internal import ManagedModels
internal import StoreFormat

extension StoreBackups {
  /// The result of a restore.
  public struct Restoration: Hashable, Sendable {
    /// The store that was replaced; `nil` if there was none. It can be opened, and restored by hand.
    public let replaced: URL?
    /// Notes for the app's developers, in English: what a restore means for a store that CloudKit mirrors.
    public let notes: [String]
  }

  /// Replaces the store with a backup and keeps the replaced store.
  ///
  /// The backup is copied next to the store, and the copy is checked. Then one rename puts the copy in place. After a
  /// kill at any moment, the store is either the old one or the backup. The old store is kept as
  /// `<name>_replaced_<timestamp>` in the same folder, with its external files.
  ///
  /// Close the store first: release the `ModelContainer` and everything that came from it.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameters:
  ///   - backup: A complete backup.
  ///   - progress: A closure that is called after every step. An error that it throws stops the restore and is
  ///     rethrown.
  /// - Returns: The replaced store, and notes for developers.
  /// - Throws: `BackupError`: `storeInUse` if the store is open, `incomplete` or `altered` if the backup cannot be
  ///   trusted. `CancellationError` if the task was cancelled before the store was replaced.
  @discardableResult
  public func restore(
    _ backup: Backup, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> Restoration {
    try exclusively {
      try undoOrFinish()
      let manifest = try manifest(of: backup)
      try Disk.makeFolder(files.folder)
      try requireSpace(manifest.totalSize, at: files.folder, for: "The restored store")
      let replaced = try install(backup.url.lastPathComponent) {
        try stage(backup, manifest, progress)
        return manifest.externalFiles
      }
      return Restoration(
        replaced: replaced, notes: mirrorsCloudKit(backup) ? [Self.cloudKitNote] : [])
    }
  }

  /// Replaces the store with the copy that `stage` makes next to it, and keeps the replaced store.
  ///
  /// - Parameters:
  ///   - name: The name of the copy in the journal.
  ///   - isAside: Whether a relocated store takes the place of the replaced store.
  ///   - stage: Makes the copy, and returns its external files.
  ///   - check: Checks the store that will be replaced, once nothing else can open it.
  /// - Returns: The store that was replaced; `nil` if there was none.
  func install(
    _ name: String, isAside: Bool = false, _ stage: () throws -> [BackupManifest.ExternalFile],
    check: (SQLite?) throws -> Void = { _ in }
  ) throws -> URL? {
    let held: HeldStore
    var journal: RestoreJournal
    do {
      let externalFiles = try stage()
      // From here until the store is replaced, no other connection can open the store.
      held = try HeldStore(files.database)
      environment.reached("held the store")
      try check(held.connection)
      journal = try plan(name, isAside, externalFiles)
      if Task.isCancelled { throw CancellationError() }
      try write(encoded(journal), to: files.journal)
    } catch {
      try? Disk.unlink(files.journal)
      try? removeIncoming()
      throw error
    }
    environment.reached("wrote the journal")
    try withExtendedLifetime(held) { try replaceOrUndo(journal) }
    do {
      try finish(journal)
    } catch {
      let reason = translated(error)
      throw (reason as? BackupError)?.with(.restored) ?? reason
    }
    return journal.hadStore ? URL(fileURLWithPath: try replacedFiles(journal).database) : nil
  }

  private func mirrorsCloudKit(_ backup: Backup) -> Bool {
    let tables = try? SQLite(path: backup.url.path, access: .immutable, isShared: true).texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ANSCK%' LIMIT 1")
    return tables?.isEmpty == false
  }

  private static let cloudKitNote =
    "CloudKit mirrors the store, and the restored copy has an earlier sync state: see 'Stores that CloudKit mirrors' in schemagen's page about backups."

  /// Finishes or undoes an interrupted restore, and removes the remains of interrupted backups.
  ///
  /// Call it at every launch, before the store is opened. `create`, `restore` and `prune` call it themselves.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Returns: What was finished or undone.
  /// - Throws: `BackupError`.
  @discardableResult
  public func recover() throws -> Recovery {
    // At most launches there is nothing to recover. A folder for backups is only created once it is needed.
    let isNeeded = try translatingErrors {
      try Disk.exists(folder.path) || Disk.exists(files.journal) || Disk.exists(files.incoming)
    }
    return isNeeded ? try exclusively(undoOrFinish) : .nothing
  }

  @discardableResult
  func undoOrFinish() throws -> Recovery {
    try removePartials()
    try Disk.unlink(files.journal + ".partial")
    guard try Disk.exists(files.journal) else {
      try removeIncoming()
      return .nothing
    }
    guard
      let journal = try? JSONDecoder().decode(
        RestoreJournal.self, from: Disk.read(files.journal)),
      journal.format == RestoreJournal.currentFormat
    else {
      throw BackupError(
        .unreadableJournal,
        "A restore was interrupted, and its journal '\(files.journal)' cannot be read.",
        store: .unfinished)
    }
    if let incoming = try Disk.status(files.incoming),
      try Disk.status(files.database)?.identity != incoming.identity
    {
      try undo(journal)
      return .undone(backup: journal.backup)
    }
    try finish(journal)
    return .finished(backup: journal.backup)
  }

  // MARK: - Before the store is touched

  func stage(
    _ backup: Backup, _ manifest: BackupManifest, _ progress: (BackupProgress) throws -> Void
  ) throws {
    environment.reached("before copying")
    let found = try Disk.copy(backup.url.path, to: files.incoming) { done in
      try checkpoint(
        "copied a piece", progress, .init(activity: .copying, completed: done, total: manifest.size)
      )
    }
    guard found == (manifest.sha256, manifest.size) else { throw altered(backup.url.path) }
    environment.reached("copied the database")
    for (place, file) in manifest.externalFiles.enumerated() {
      let path = externalFiles(ofBackupAt: backup.url.path) + "/" + file.path
      let destination = files.incomingExternalFiles + "/" + file.path
      guard try Disk.exists(path) else { throw altered(path) }
      try Disk.makeFolder((destination as NSString).deletingLastPathComponent)
      guard try Disk.copy(path, to: destination, { _ in }) == (file.sha256, file.size) else {
        throw altered(path)
      }
      try checkpoint(
        "copied an external file", progress,
        .init(
          activity: .copyingExternalFiles, completed: Int64(place + 1),
          total: Int64(manifest.externalFiles.count)))
    }
    try synchronizeFolders(
      of: manifest.externalFiles.map { files.incomingExternalFiles + "/" + $0.path },
      below: files.incomingExternalFiles)
    try protect(files.incoming)
    try protect(files.incomingExternalFiles)
    try Disk.synchronize(files.folder)
    environment.reached("staged")
  }

  private func plan(
    _ name: String, _ isAside: Bool, _ externalFiles: [BackupManifest.ExternalFile]
  ) throws -> RestoreJournal {
    var timestamp = Timestamp(environment.now())
    while try isTaken(files.replaced(timestamp, isAside: isAside)) { timestamp.milliseconds += 1 }
    let status = try Disk.status(files.database)
    let present = Set(try files.externalPaths().files)
    var adding: [String] = []
    var overwriting: [String] = []
    for file in externalFiles {
      guard present.contains(file.path) else {
        adding.append(file.path)
        continue
      }
      let found = try Disk.digest(of: files.place(ofExternal: file.path))
      if found != (file.sha256, file.size) { overwriting.append(file.path) }
    }
    let wanted = Set(externalFiles.map(\.path))
    return RestoreJournal(
      backup: name, replaced: timestamp.text, isAside: isAside,
      hadStore: status != nil, size: status?.size ?? 0, modified: status?.modified ?? 0,
      adding: adding, overwriting: overwriting,
      removing: try sharesExternalFiles() ? [] : present.subtracting(wanted).sorted())
  }

  /// Whether another store may have files in the folder of external files. The folder's name lacks the store's
  /// extension.
  private func sharesExternalFiles() throws -> Bool {
    let own = [files.name] + StoreFiles.companionSuffixes.map { files.name + $0 }
    return try Disk.names(in: files.folder).contains { name in
      (name as NSString).deletingPathExtension == files.stem && !own.contains(name)
    }
  }

  private func isTaken(_ replaced: StoreFiles) throws -> Bool {
    try !replaced.existing().isEmpty
  }

  // MARK: - With a journal

  private func replaceOrUndo(_ journal: RestoreJournal) throws {
    do {
      try replace(journal)
    } catch {
      let reason = translated(error)
      let wasUndone = (try? undo(journal)) != nil
      if let reason = reason as? BackupError, !wasUndone { throw reason.with(.unfinished) }
      throw reason
    }
  }

  private func replacedFiles(_ journal: RestoreJournal) throws -> StoreFiles {
    guard let timestamp = Timestamp(journal.replaced) else {
      throw BackupError(
        .unreadableJournal,
        "The journal '\(files.journal)' does not record when the store was replaced.",
        store: .unfinished)
    }
    return files.replaced(timestamp, isAside: journal.isAside)
  }

  /// Does everything up to the rename that replaces the store, and the rename. Before the rename the store keeps
  /// everything that it needs.
  private func replace(_ journal: RestoreJournal) throws {
    let replaced = try replacedFiles(journal)
    // Second names, unlike copies, need neither space nor time, and the store keeps its files.
    if journal.hadStore { try Disk.link(files.database, to: replaced.database) }
    environment.reached("kept the database")
    let present = try files.externalPaths().files
    for path in present {
      let destination = replaced.place(ofExternal: path)
      try Disk.makeFolder((destination as NSString).deletingLastPathComponent)
      try Disk.link(files.place(ofExternal: path), to: destination)
      environment.reached("kept an external file")
    }
    // The files now have two names. The names in the store's folder are removed once the store is replaced.
    try synchronizeFolders(of: present.map(replaced.place), below: files.folder)
    // No row of the store refers to these files yet.
    for path in journal.adding + journal.overwriting {
      let destination = files.place(ofExternal: path)
      try Disk.makeFolder((destination as NSString).deletingLastPathComponent)
      try Disk.rename(files.incomingExternalFiles + "/" + path, to: destination)
      environment.reached("placed an external file")
    }
    let placed = journal.adding + journal.overwriting
    try synchronizeFolders(of: placed.map(files.place), below: files.folder)
    if try !journal.hadStore && Disk.exists(files.database) { throw storeAppeared }
    // The WAL is empty, since holding the store wrote its contents into the database. Only the WAL of a damaged or
    // missing store can have contents. It is kept, and never combined with another database.
    for suffix in StoreFiles.companionSuffixes {
      let path = files.database + suffix
      guard let status = try Disk.status(path) else { continue }
      if status.size > 0, suffix != "-shm" {
        try Disk.link(path, to: replaced.database + suffix)
      }
      try Disk.unlink(path)
      environment.reached("put a companion away")
    }
    try Disk.synchronize(files.folder)
    environment.reached("before replacing")
    if journal.hadStore {
      try Disk.rename(files.incoming, to: files.database)
    } else if try !Disk.linkIfFree(files.incoming, to: files.database) {
      throw storeAppeared
    }
    environment.reached("replaced the store")
  }

  private var storeAppeared: BackupError {
    BackupError(.storeInUse, "Another process has just created a store at '\(files.database)'.")
  }

  /// Removes the old names of files that only the replaced store needs. Their new names are next to the replaced store.
  private func finish(_ journal: RestoreJournal) throws {
    try Disk.synchronize(files.folder)
    try Disk.unlink(files.incoming)
    let replaced = try replacedFiles(journal)
    if try Disk.exists(files.incomingRelocationRecord) {
      try Disk.rename(files.incomingRelocationRecord, to: files.relocationRecord)
      environment.reached("recorded the relocation")
    }
    for path in journal.removing
    where try Disk.exists(replaced.place(ofExternal: path)) {
      try Disk.unlink(files.place(ofExternal: path))
      environment.reached("removed an external file")
    }
    try Disk.removeFolder(files.incomingExternalFiles)
    environment.reached("removed staged files")
    try exclude(replaced)
    try Disk.unlink(files.journal)
    try Disk.synchronize(files.folder)
    environment.reached("removed the journal")
  }

  /// Undoes everything that was done before the store was replaced. It can be interrupted and repeated.
  private func undo(_ journal: RestoreJournal) throws {
    let replaced = try replacedFiles(journal)
    for path in journal.adding {
      // A file that is still staged was not placed.
      if try !Disk.exists(files.incomingExternalFiles + "/" + path) {
        try Disk.unlink(files.place(ofExternal: path))
        environment.reached("took back an external file")
      }
    }
    for path in journal.overwriting {
      let kept = replaced.place(ofExternal: path)
      let place = files.place(ofExternal: path)
      guard let status = try Disk.status(kept),
        try Disk.status(place)?.identity != status.identity
      else { continue }
      let temporary = files.incomingExternalFiles + ".undo"
      try Disk.unlink(temporary)
      try Disk.link(kept, to: temporary)
      try Disk.rename(temporary, to: place)
      environment.reached("brought back an external file")
    }
    try bringBackCompanions(journal, replaced)
    try Disk.synchronize(files.folder)
    // Remove a kept file only if it is a second name of the store's file. If not, another process has replaced the
    // store, and the kept file is all that is left of the old one.
    for suffix in ["", "-wal", "-journal"] {
      if let kept = try Disk.status(replaced.database + suffix),
        try Disk.status(files.database + suffix)?.identity == kept.identity
      {
        try Disk.unlink(replaced.database + suffix)
        environment.reached("removed a second name")
      }
    }
    try Disk.removeFolder(replaced.externalFiles)
    try Disk.removeFolder(replaced.cloudAssets)
    try Disk.unlink(files.journal)
    try Disk.synchronize(files.folder)
    environment.reached("removed the journal")
    try removeIncoming()
  }

  /// Restores a damaged store's WAL, unless the store has changed since the journal was written.
  private func bringBackCompanions(_ journal: RestoreJournal, _ replaced: StoreFiles) throws {
    let status = try Disk.status(files.database)
    let isUntouched =
      journal.hadStore
      ? status?.size == journal.size && status?.modified == journal.modified : status == nil
    guard isUntouched else { return }
    for suffix in ["-wal", "-journal"] where try Disk.exists(replaced.database + suffix) {
      try Disk.link(replaced.database + suffix, to: files.database + suffix)
      environment.reached("brought back a companion")
    }
  }

  private func removeIncoming() throws {
    try Disk.removeFolder(files.incomingExternalFiles)
    try Disk.unlink(files.incomingExternalFiles + ".undo")
    try Disk.unlink(files.incomingRelocationRecord)
    try Disk.unlink(files.incomingRelocationRecord + ".partial")
    for suffix in StoreFiles.companionSuffixes { try Disk.unlink(files.incoming + suffix) }
    try Disk.unlink(files.incoming)
  }
}

/// The store, opened exclusively, with all of its contents in the database file.
private final class HeldStore {
  /// The connection; `nil` if there is no store, or none that SQLite can open.
  private(set) var connection: SQLite?

  init(_ path: String) throws {
    guard try Disk.exists(path) else { return }
    do {
      // In this mode SQLite locks the whole file. That fails while another connection, even in this process, has a
      // store in WAL mode open.
      let connection = try SQLite(
        path: path, access: .existing, patience: 1000, isShared: true)
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      guard try connection.texts("PRAGMA wal_checkpoint(TRUNCATE)") == ["0"] else {
        throw BackupError(.storeInUse, "The store is in use by another connection.")
      }
      self.connection = connection
    } catch let error as StoreError where error.failure?.isDamage == true {
      // A store that SQLite cannot open is no error: damage is often the reason why a backup is restored.
    }
  }
}
