internal import Foundation

/// What a migration that is under way, or has failed, leaves for the next launch.
///
/// It is written before the store is opened and removed before the container is handed out. So while it is there, nobody
/// has worked with the store since the backup.
struct MigrationJournal: Codable, Sendable {
  static let currentFormat = 1

  enum State: String, Codable {
    /// The store may be anywhere on the way.
    case began
    /// The backup was put back.
    case failed
  }

  var format = Self.currentFormat
  var state = State.began
  var from: StoreVersion
  var to: StoreVersion
  /// The app's build: a new one may be able to do what an old one could not.
  var release: String
  var attempts: Int
  /// When the first attempt began.
  var date: Date
  /// The name of the backup's file.
  var backup: String
  /// Rows of each entity before the first attempt.
  var counts: [String: Int]
  /// Whether stages that were killed may simply be run again.
  var isRepeatable: Bool
  /// Whether the backup was put back once because rows were missing; `nil` is no.
  var hasLostRows: Bool?
  /// How many times rows were missing and the backup could not be put back; `nil` is never.
  var failedRestores: Int?
}

/// The file of a store's journal.
struct MigrationJournalFile: Sendable {
  let path: String
  private let environment: SystemEnvironment

  init(_ backups: StoreBackups) {
    path = backups.folder.path + "/" + backups.journalName
    environment = backups.environment
  }

  /// `nil` also for one that cannot be read: then the store is all that is known.
  func read() -> MigrationJournal? {
    guard let size = try? Disk.status(path)?.size, size <= 1 << 20,
      let data = try? Disk.read(path),
      let journal = try? VersionRecordFile.decoder.decode(MigrationJournal.self, from: data),
      journal.format == MigrationJournal.currentFormat
    else { return nil }
    return journal
  }

  func write(_ journal: MigrationJournal) throws {
    try Disk.makeFolder((path as NSString).deletingLastPathComponent)
    try Disk.write(VersionRecordFile.encoder.encode(journal), to: path)
    environment.reached("wrote the migration's journal")
  }

  func remove() throws {
    guard try Disk.exists(path) else { return }
    try Disk.unlink(path)
    try Disk.synchronize((path as NSString).deletingLastPathComponent)
    environment.reached("removed the migration's journal")
  }
}
