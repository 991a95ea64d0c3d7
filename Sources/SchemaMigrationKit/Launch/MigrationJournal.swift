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

  /// More than a journal of thousands of entities has.
  private static let sizeLimit: Int64 = 1 << 20

  /// `nil` only where there is no such file.
  ///
  /// - Throws: `UnreadableJournal`, and what the system refuses. A store may then be anywhere on its way, and must not be
  ///   opened: who worked with it would lose that when the backup is put back.
  func read() throws -> MigrationJournal? {
    guard let status = try Disk.status(path) else { return nil }
    guard !status.isFolder else { throw UnreadableJournal.damaged("it is a folder") }
    guard status.isFile || status.isLink else { throw UnreadableJournal.damaged("it is no file") }
    guard status.size <= Self.sizeLimit else { throw UnreadableJournal.damaged("it is too long") }
    return try decode(Disk.read(path))
  }

  private func decode(_ data: Data) throws -> MigrationJournal {
    struct Header: Codable { var format: Int }
    guard !data.isEmpty else { throw UnreadableJournal.damaged("it is empty") }
    guard let header = try? VersionRecordFile.decoder.decode(Header.self, from: data) else {
      throw UnreadableJournal.damaged("it is no journal")
    }
    guard header.format <= MigrationJournal.currentFormat else {
      throw UnreadableJournal.later(header.format)
    }
    guard header.format == MigrationJournal.currentFormat,
      let journal = try? VersionRecordFile.decoder.decode(MigrationJournal.self, from: data)
    else { throw UnreadableJournal.damaged("it lacks what a journal says") }
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

/// Why a journal that is there does not say how far a migration has come.
enum UnreadableJournal: Error {
  /// A newer version of the library has written it.
  case later(Int)
  case damaged(String)
}
