internal import Foundation

/// Copies get the store's data protection class, and can be excluded from the device's backup.
extension StoreBackups {
  /// The store's protection class. If the store does not exist, it is the folder's class, which was taken from the
  /// store.
  private var protection: String? {
    environment.platform.protection(files.database) ?? environment.platform.protection(folder.path)
  }

  /// Creates the folder of backups in the store's protection class, which new files in it inherit.
  func prepareFolder() throws {
    try Disk.makeFolder(folder.path)
    if let protection { try protect(folder.path, protection) }
    if isExcludedFromDeviceBackup { environment.platform.excludeFromDeviceBackup(folder.path) }
  }

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

  /// Protects all existing files in the folder of backups, since the store's class may have changed.
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

  func write(_ data: Data, to path: String) throws {
    try Disk.write(data, to: path)
    try protect(path)
  }

  /// Excludes a replaced store from the device's backup, once it shares nothing with the store.
  func exclude(_ replaced: StoreFiles) throws {
    guard isExcludedFromDeviceBackup else { return }
    // Exclude the folders and not the files in them: such a file may also have a name in the store's folders.
    for path in try replaced.existing() { environment.platform.excludeFromDeviceBackup(path) }
  }
}
