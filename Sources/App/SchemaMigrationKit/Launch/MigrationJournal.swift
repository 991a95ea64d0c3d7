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
  /// The name of the store's file, which is set when it is written.
  var store = ""
  var state = State.began
  var from: StoreVersion
  /// The older version of a Core Data model that the store was of, which has no number; `nil` for any other store.
  var coreDataVersion: String?
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
  /// Links of each many-to-many relationship before the first attempt, by both its sides as `Entity.property`.
  var links: [String: Int] = [:]
  /// Whether stages that were killed may simply be run again.
  var isRepeatable: Bool
  /// Whether the backup was put back once because rows were missing.
  var hasLostRows = false
  /// How many times rows were missing and the backup could not be put back.
  var failedRestores = 0
}

/// The file of a store's journal.
struct MigrationJournalFile: Sendable {
  let path: String
  private let backups: StoreBackups

  init(_ backups: StoreBackups) {
    path = backups.folder.path + "/" + backups.journalName
    self.backups = backups
  }

  /// More bytes than a journal of thousands of entities has.
  private static let sizeLimit: Int64 = 1 << 20

  /// `nil` only where there is no such file.
  ///
  /// - Throws: `UnreadableJournal`. The store may then be anywhere on its way, and must not be opened: who worked with it
  ///   would lose that when the backup is put back.
  func read() throws(UnreadableJournal) -> MigrationJournal? {
    guard let journal = try decoded() else { return nil }
    guard journal.store == backups.files.name else {
      throw UnreadableJournal(path: path, trouble: .damaged("it belongs to '\(journal.store)'"))
    }
    return journal
  }

  private func decoded() throws(UnreadableJournal) -> MigrationJournal? {
    do {
      guard let status = try Disk.status(path) else { return nil }
      func damaged(_ why: String) -> UnreadableJournal {
        UnreadableJournal(path: path, trouble: .damaged(why))
      }
      guard !status.isFolder else { throw damaged("it is a folder") }
      guard status.isFile || status.isLink else { throw damaged("it is not a file") }
      guard status.size <= Self.sizeLimit else { throw damaged("it is too long") }
      let data = try Disk.read(path)
      guard !data.isEmpty else { throw damaged("it is empty") }
      struct Header: Codable { var format: Int }
      guard let header = try? VersionRecordFile.decoder.decode(Header.self, from: data) else {
        throw damaged("it is not a journal")
      }
      guard header.format <= MigrationJournal.currentFormat else {
        throw UnreadableJournal(path: path, trouble: .later(header.format))
      }
      guard header.format == MigrationJournal.currentFormat,
        let journal = try? VersionRecordFile.decoder.decode(MigrationJournal.self, from: data)
      else { throw damaged("it lacks required entries") }
      return journal
    } catch let error as UnreadableJournal {
      throw error
    } catch let failure as SystemFailure where failure.code == ENOENT {
      // Another process has removed it just now.
      return nil
    } catch {
      throw UnreadableJournal(path: path, trouble: .refused(backups.translated(error)))
    }
  }

  func write(_ journal: MigrationJournal) throws {
    var journal = journal
    journal.store = backups.files.name
    try backups.prepareFolder()
    try backups.write(VersionRecordFile.encoder.encode(journal), to: path)
    backups.environment.reached("wrote the migration's journal")
  }

  func remove() throws {
    guard try Disk.exists(path) else { return }
    try Disk.unlink(path)
    try Disk.synchronize((path as NSString).deletingLastPathComponent)
    backups.environment.reached("removed the migration's journal")
  }
}

/// A journal that is there and does not say how far a migration has come.
struct UnreadableJournal: Error {
  var path: String
  var trouble: Trouble

  enum Trouble {
    /// A newer version of the library has written it.
    case later(Int)
    case damaged(String)
    /// The system has not let it be read.
    case refused(any Error)
  }
}
