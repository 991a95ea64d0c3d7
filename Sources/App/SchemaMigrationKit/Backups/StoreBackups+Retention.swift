public import Foundation

/// Which backups are kept when old ones are removed.
///
/// A backup goes only when none of the rules keeps it.
public struct RetentionRules: Hashable, Sendable {
  /// All backups from as many of the newest schema versions as this are kept.
  public var versions: Int
  /// Backups are kept for at least as many days of 24 hours.
  public var days: Int
  /// Backups are kept until the version they were made for, or a later one, is marked as shipped.
  public var untilShipped: Bool
  /// Stores that a restore has replaced are kept for as many days of 24 hours; `nil` keeps them for ever.
  public var replacedStoreDays: Int?

  /// By default the last three versions, at least thirty days, and until the version has shipped; replaced stores for
  /// thirty days.
  public init(
    versions: Int = 3, days: Int = 30, untilShipped: Bool = true, replacedStoreDays: Int? = 30
  ) {
    self.versions = versions
    self.days = days
    self.untilShipped = untilShipped
    self.replacedStoreDays = replacedStoreDays
  }
}

/// What `prune` removed.
public struct Pruning: Hashable, Sendable {
  /// The backups.
  public let removed: [Backup]
  /// The databases of stores that restores had replaced, which went with their external files.
  public let removedReplacedStores: [URL]
}

extension StoreBackups {
  /// Removes backups that no rule keeps, never the newest complete one; and stores that restores have replaced, when they
  /// are old enough and no migration is under way or has failed.
  ///
  /// A backup without a sidecar has no version: only its age keeps it.
  public func prune(keeping rules: RetentionRules = RetentionRules()) throws -> Pruning {
    try exclusively {
      try undoOrFinish()
      let all = try list()
      let shipped = try readShippedVersions().max()
      let recent = Set(
        Set(all.compactMap { $0.manifest?.from }).sorted(by: >).prefix(max(0, rules.versions)))
      let now = environment.now()

      // Where none is complete, the newest of all stays.
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
    // Until a migration is settled, nobody knows what it will be needed for.
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
      // The database last: by its name the rest is found after a kill.
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

  /// Marks a backup's sidecar so that the backup is never removed automatically.
  func mark(_ backup: Backup, because reason: String) throws {
    try exclusively {
      var manifest = try manifest(of: backup)
      manifest.keptBecause = reason
      try write(encoded(manifest), to: sidecar(ofBackupAt: backup.url.path))
    }
  }

  /// Removes a backup that was made for something that did not begin.
  func remove(_ backup: Backup) throws {
    try exclusively { try removeBackup(at: backup.url.path) }
  }

  /// Records that the app with this schema version is in its users' hands.
  public func markShipped(_ version: StoreVersion) throws {
    try exclusively {
      let versions = Set(try readShippedVersions()).union([version])
      try write(
        encoded(ShippedVersions(versions: versions.sorted())),
        to: folder.path + "/" + shippedVersionsName)
    }
  }

  /// The versions that were marked as shipped, in order. Blocks while it reads a small file.
  public func shippedVersions() throws -> [StoreVersion] {
    try translatingErrors(readShippedVersions)
  }

  private func readShippedVersions() throws -> [StoreVersion] {
    let path = folder.path + "/" + shippedVersionsName
    guard try Disk.exists(path) else { return [] }
    // One that cannot be read says of no version that it has shipped, which keeps more backups.
    let record = try? JSONDecoder().decode(ShippedVersions.self, from: Disk.read(path))
    return record?.versions.sorted() ?? []
  }
}

/// The record of versions that were shipped.
private struct ShippedVersions: Codable {
  var versions: [StoreVersion]
}
