internal import Foundation

/// Files of a store that is locked with its device are locked with it, too; and copies can be left out of the device's
/// own backup.
extension StoreBackups {
  /// The store's protection class; if the store is gone, the folder's, which it once got from the store.
  private var protection: String? {
    environment.platform.protection(files.database) ?? environment.platform.protection(folder.path)
  }

  /// Makes the folder of backups with its class, which everything that is made in it has from the start.
  func prepareFolder() throws {
    try Disk.makeFolder(folder.path)
    if let protection { try protect(folder.path, protection) }
    if isExcludedFromDeviceBackup { environment.platform.excludeFromDeviceBackup(folder.path) }
  }

  /// Gives a file, or a folder with all that is in it, the protection class of the store.
  func protect(_ path: String) throws {
    guard let protection else { return }
    func visit(_ path: String) throws {
      guard let status = try Disk.status(path), !status.isLink else { return }
      try protect(path, protection)
      guard status.isFolder else { return }
      for name in try Disk.names(in: path) { try visit(path + "/" + name) }
    }
    try visit(path)
  }

  /// Protects all that is in the folder of backups already, for the store's class may have changed.
  func protectFiles() throws {
    guard protection != nil else { return }
    let own = [
      "\(files.label)_", ".\(files.label)_", ".\(files.label).lock", ".\(files.label).mig",
    ]
    for name in try Disk.names(in: folder.path) where own.contains(where: name.hasPrefix) {
      try protect(folder.path + "/" + name)
    }
  }

  private func protect(_ path: String, _ protection: String) throws {
    guard environment.platform.protection(path) != protection else { return }
    do {
      try environment.platform.protect(path, protection)
    } catch {
      throw BackupError(
        .notPermitted, "Could not give '\(path)' the store's protection class: \(error).")
    }
  }

  /// Writes a small file, as `Disk` does, in the protection class of the store.
  func write(_ data: Data, to path: String) throws {
    try Disk.write(data, to: path)
    try protect(path)
  }

  /// Excludes from the device's backup a replaced store that shares nothing with the store any more.
  func exclude(_ replaced: StoreFiles) throws {
    guard isExcludedFromDeviceBackup else { return }
    // Files in the folders may have a second name in those of the store: so the folders, not what is in them.
    for path in try replaced.existing() { environment.platform.excludeFromDeviceBackup(path) }
  }
}
