public import Foundation

/// Rules that decide which old backups are kept.
///
/// A backup is removed only if no rule keeps it.
public struct RetentionRules: Hashable, Sendable {
  /// How many of the newest schema versions keep all their backups.
  public var versions: Int
  /// The number of days, of 24 hours each, for which backups are kept at least.
  public var days: Int
  /// Whether a backup is kept until the version it was made for, or a later one, is marked as shipped.
  public var untilShipped: Bool
  /// For how many days of 24 hours to keep a store that a restore has replaced; `nil` keeps it forever.
  public var replacedStoreDays: Int?

  /// Creates rules.
  ///
  /// The defaults keep the backups of the last three versions, for at least thirty days, and until the version has
  /// shipped. Replaced stores are kept for thirty days.
  ///
  /// - Parameters:
  ///   - versions: How many of the newest schema versions keep all their backups.
  ///   - days: The number of days for which backups are kept at least.
  ///   - untilShipped: Whether a backup is kept until its target version or a later one has shipped.
  ///   - replacedStoreDays: The number of days for which replaced stores are kept; `nil` keeps them forever.
  public init(
    versions: Int = 3, days: Int = 30, untilShipped: Bool = true, replacedStoreDays: Int? = 30
  ) {
    self.versions = versions
    self.days = days
    self.untilShipped = untilShipped
    self.replacedStoreDays = replacedStoreDays
  }
}

/// What `prune(keeping:)` removed.
public struct Pruning: Hashable, Sendable {
  /// The removed backups.
  public let removed: [Backup]
  /// The databases of removed stores, which restores had replaced. Their external files were removed too.
  public let removedReplacedStores: [URL]
}

extension StoreBackups {
  /// Removes backups that no rule keeps, and old stores that restores have replaced.
  ///
  /// It never removes the newest complete backup. It removes replaced stores only if no migration is in progress or has
  /// failed. A backup without a sidecar has no version, so only its age can keep it.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameter rules: The rules that keep backups.
  /// - Returns: What was removed.
  /// - Throws: `BackupError`.
  public func prune(keeping rules: RetentionRules = RetentionRules()) throws -> Pruning {
    try exclusively {
      try undoOrFinish()
      let all = try list()
      let shipped = try readShippedVersions().max()
      let recent = Set(
        Set(all.compactMap { $0.manifest?.from }).sorted(by: >).prefix(max(0, rules.versions)))
      let now = environment.now()

      // If no backup is complete, keep the newest one.
      let newest = all.first { $0.manifest != nil } ?? all.first
      let removed = all.filter { backup in
        let isYoung = now.timeIntervalSince(backup.date) < Double(rules.days) * 86_400
        guard backup != newest, !isYoung else { return false }
        guard let manifest = backup.manifest else { return true }
        let isWaiting = rules.untilShipped && shipped.map { $0 < manifest.to } ?? true
        return manifest.keptBecause == nil && !recent.contains(manifest.from) && !isWaiting
      }
      for backup in removed { try removeBackup(at: backup.url.path) }
      return Pruning(removed: removed, removedReplacedStores: try pruneReplacedStores(rules))
    }
  }

  private func pruneReplacedStores(_ rules: RetentionRules) throws -> [URL] {
    // Until a migration has ended, the stores that its restores replaced may still be needed.
    let journal = MigrationJournalFile(self)
    let isSettled = (try? journal.read()?.state == nil) ?? false
    var removed: [URL] = []
    for moment in try files.replacedMoments() {
      let replaced = files.replaced(moment)
      let age = environment.now().timeIntervalSince(moment.date)
      guard isSettled, let days = rules.replacedStoreDays, age >= Double(days) * 86_400 else {
        try exclude(replaced)
        continue
      }
      // Remove the database last, since its name is needed to find the rest after a kill.
      for path in try replaced.existing() {
        if try Disk.status(path)?.isFolder == true {
          try Disk.removeFolder(path)
        } else {
          try Disk.unlink(path)
        }
        environment.reached("removed a part of a replaced store")
      }
      removed.append(URL(fileURLWithPath: replaced.database))
    }
    return removed
  }

  func mark(_ backup: Backup, because reason: String) throws {
    try exclusively {
      var manifest = try manifest(of: backup)
      manifest.keptBecause = reason
      try write(encoded(manifest), to: sidecar(ofBackupAt: backup.url.path))
    }
  }

  func remove(_ backup: Backup) throws {
    try exclusively { try removeBackup(at: backup.url.path) }
  }

  /// Marks a schema version as shipped: users have an app with this version.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameter version: The schema version of the shipped app.
  /// - Throws: `BackupError`.
  public func markShipped(_ version: StoreVersion) throws {
    try exclusively {
      let versions = Set(try readShippedVersions()).union([version])
      try write(
        encoded(ShippedVersions(versions: versions.sorted())),
        to: folder.path + "/" + shippedVersionsName)
    }
  }

  /// The versions that were marked as shipped, in order.
  ///
  /// This blocks while it reads a small file.
  ///
  /// - Throws: `BackupError`.
  public func shippedVersions() throws -> [StoreVersion] {
    try translatingErrors(readShippedVersions)
  }

  private func readShippedVersions() throws -> [StoreVersion] {
    let path = folder.path + "/" + shippedVersionsName
    guard try Disk.exists(path) else { return [] }
    // An unreadable record counts as empty, which keeps more backups.
    let record = try? JSONDecoder().decode(ShippedVersions.self, from: Disk.read(path))
    return record?.versions.sorted() ?? []
  }
}

/// The record of versions that were shipped.
private struct ShippedVersions: Codable {
  var versions: [StoreVersion]
}
