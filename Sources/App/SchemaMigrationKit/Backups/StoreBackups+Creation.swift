internal import Foundation
internal import StoreFormat

extension StoreBackups {
  /// Makes a backup of the store's current state.
  ///
  /// Other connections may read and write the store meanwhile. The backup does not contain what they write later. It
  /// gets its name once all of it is written, synchronised and checked. It is complete only with its sidecar, which is
  /// written last.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameters:
  ///   - from: The schema version of the store.
  ///   - to: The schema version to which the store will be migrated.
  ///   - progress: A closure that is called after every step. An error that it throws stops the backup and is rethrown.
  /// - Returns: The complete backup.
  /// - Throws: `BackupError`, or `CancellationError` if the task was cancelled. After an error no backup remains.
  public func create(
    from: StoreVersion, to: StoreVersion, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> Backup {
    try exclusively {
      try undoOrFinish()
      try requireStore()
      let external = try files.externalPaths().files
      let expected = try sizeOfStore(external)
      try requireSpace(expected, at: folder.path, for: "The backup")

      let timestamp = try freeTimestamp()
      let path = path(ofBackup: timestamp)
      let partial = partial(path)
      do {
        let copy = try copyStore(to: partial, progress)
        let manifest = BackupManifest(
          store: files.name, from: from, to: to, size: copy.size, sha256: copy.sha256,
          externalFiles: copy.externalFiles, format: BackupManifest.currentFormat)
        try publish(partial, as: path, manifest)
        return Backup(
          url: URL(fileURLWithPath: path), date: timestamp.date, state: .complete(manifest))
      } catch {
        // The next backup removes whatever cannot be removed now.
        try? removeBackup(at: path)
        try? removePartial(partial)
        throw error
      }
    }
  }

  func requireStore() throws {
    guard let status = try Disk.status(files.database) else {
      throw BackupError(.storeMissing, "There is no store at '\(files.database)'.")
    }
    guard !status.isFolder else {
      throw BackupError(.notADatabase, "'\(files.database)' is a folder.")
    }
  }

  /// The number of bytes that a copy of the store may need. The WAL may contain new pages.
  func sizeOfStore(_ external: [String]) throws -> Int64 {
    var size = try Disk.status(files.database)?.size ?? 0
    size += try Disk.status(files.database + "-wal")?.size ?? 0
    for path in external {
      size += try Disk.statusOfTarget(files.place(ofExternal: path))?.size ?? 0
    }
    return size
  }

  private func freeTimestamp() throws -> Timestamp {
    var timestamp = Timestamp(environment.now())
    while try ["", ".json", "_SUPPORT"].contains(where: { suffix in
      let path = path(ofBackup: timestamp)
      return try Disk.exists(
        suffix.isEmpty ? path : (path as NSString).deletingPathExtension + suffix)
    }) {
      timestamp.milliseconds += 1
    }
    return timestamp
  }

  /// The contents of a store's copy.
  struct StoreCopy {
    var size: Int64
    var sha256: String
    var externalFiles: [BackupManifest.ExternalFile]
  }

  /// Writes the store's current state to another place, with its external files in the folder `_SUPPORT` next to it,
  /// and checks the copy.
  func copyStore(
    to partial: String, _ progress: (BackupProgress) throws -> Void
  ) throws -> StoreCopy {
    environment.reached("before copying")
    let source = try SQLite.snapshot(of: files.database)
    do {
      let destination = try SQLite(path: partial, access: .readWrite, isShared: true)
      // A failed copy is discarded, and a successful one is synchronised below.
      try destination.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      let pageSize = Int64(try source.texts("PRAGMA page_size").first ?? "") ?? 0
      try source.copy(to: destination, pagesAtOnce: environment.pagesAtOnce) { done, all in
        try checkpoint(
          "copied pages", progress,
          .init(activity: .copying, completed: done * pageSize, total: all * pageSize))
      }
      // Make the copy a single file. Until now the copy is in WAL mode, like its source.
      guard try destination.texts("PRAGMA journal_mode = DELETE") == ["delete"] else {
        throw BackupError(.storeInUse, "The copy '\(partial)' is in use by another process.")
      }
    }
    environment.reached("copied the database")
    // Copy the external files during the snapshot, so that no row in it refers to a file that was added later.
    let externalFiles = try copyExternalFiles(to: partial + "_SUPPORT", progress)
    withExtendedLifetime(source) {}

    if let mode = try Disk.status(files.database)?.mode { chmod(partial, mode & 0o777) }
    try protect(partial)
    try protect(partial + "_SUPPORT")
    try Disk.synchronize(partial)
    environment.reached("synchronised")

    let damage = try SQLite(path: partial, access: .immutable, isShared: true).damage()
    guard damage.isEmpty else { throw corrupt(files.database, damage) }
    let total = try Disk.status(partial)?.size ?? 0
    let found = try Disk.digest(of: partial) { done in
      try checkpoint(
        "checked a piece", progress, .init(activity: .checking, completed: done, total: total))
    }
    return StoreCopy(size: found.size, sha256: found.sha256, externalFiles: externalFiles)
  }

  private func copyExternalFiles(
    to folder: String, _ progress: (BackupProgress) throws -> Void
  ) throws -> [BackupManifest.ExternalFile] {
    let paths = try files.externalPaths().files
    if paths.isEmpty { return [] }
    var copied: [BackupManifest.ExternalFile] = []
    for (place, path) in paths.enumerated() {
      let destination = folder + "/" + path
      try Disk.makeFolder((destination as NSString).deletingLastPathComponent)
      let found: (sha256: String, size: Int64)
      do {
        found = try Disk.copy(files.place(ofExternal: path), to: destination) { _ in }
      } catch let failure as SystemFailure where failure.code == ENOENT {
        throw BackupError(
          .storeChanged, "The external file '\(path)' was deleted before it was copied.")
      }
      copied.append(.init(path: path, size: found.size, sha256: found.sha256))
      try checkpoint(
        "copied an external file", progress,
        .init(
          activity: .copyingExternalFiles, completed: Int64(place + 1), total: Int64(paths.count)))
    }
    try synchronizeFolders(of: paths.map { folder + "/" + $0 }, below: folder)
    return copied
  }

  /// Makes the names of files survive a power failure.
  ///
  /// - Parameter root: The folder that contains all of the files. Its own name is not synchronised.
  func synchronizeFolders(of paths: [String], below root: String) throws {
    var folders: Set<String> = [root]
    for path in paths {
      var folder = (path as NSString).deletingLastPathComponent
      while folder.utf8.count > root.utf8.count {
        folders.insert(folder)
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    for folder in folders.sorted() where try Disk.exists(folder) { try Disk.synchronize(folder) }
  }

  private func publish(_ partial: String, as path: String, _ manifest: BackupManifest) throws {
    if !manifest.externalFiles.isEmpty {
      try Disk.rename(partial + "_SUPPORT", to: externalFiles(ofBackupAt: path))
      environment.reached("named the external files")
    }
    try Disk.rename(partial, to: path)
    try Disk.synchronize(folder.path)
    environment.reached("named the database")
    try write(encoded(manifest), to: sidecar(ofBackupAt: path))
    environment.reached("wrote the sidecar")
  }

  func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  private func removePartial(_ partial: String) throws {
    for suffix in StoreFiles.companionSuffixes { try Disk.unlink(partial + suffix) }
    try Disk.removeFolder(partial + "_SUPPORT")
    try Disk.unlink(partial)
  }

  func removePartials() throws {
    for name in try Disk.names(in: folder.path) where isPartial(name) {
      let path = folder.path + "/" + name
      if try Disk.status(path)?.isFolder == true {
        try Disk.removeFolder(path)
      } else {
        try Disk.unlink(path)
      }
    }
    // A folder without its database: the backup was interrupted before the database got its name, or while the backup
    // was removed. `list()` does not find such a backup.
    for name in try Disk.names(in: folder.path) where name.hasSuffix("_SUPPORT") {
      let stem = String(name.dropLast("_SUPPORT".count))
      let path = folder.path + "/" + stem + ".sqlite"
      guard timestamp(ofBackup: stem + ".sqlite") != nil else { continue }
      if try !Disk.exists(path), try !Disk.exists(sidecar(ofBackupAt: path)) {
        try Disk.removeFolder(folder.path + "/" + name)
      }
    }
  }

  /// Removes a backup, the sidecar first. A backup that is only partly removed has no sidecar, and counts as
  /// incomplete.
  func removeBackup(at path: String) throws {
    let sidecar = sidecar(ofBackupAt: path)
    if try Disk.exists(sidecar) {
      try Disk.unlink(sidecar)
      try Disk.synchronize(folder.path)
    }
    environment.reached("removed a sidecar")
    try Disk.unlink(path)
    environment.reached("removed a database")
    try Disk.removeFolder(externalFiles(ofBackupAt: path))
  }
}
