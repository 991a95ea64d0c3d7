internal import Foundation

/// The state that a migration in progress, or a failed one, leaves for the next launch.
///
/// It is written before the store is opened and removed before the container is returned. While it exists, the app has
/// not worked with the store since the backup.
struct MigrationJournal: Codable, Sendable {
  static let currentFormat = 1

  enum State: String, Codable {
    /// The store may be at any point of the migration.
    case began
    /// The backup was restored.
    case failed
  }

  var format = Self.currentFormat
  /// The name of the store's file, which is set when the journal is written.
  var store = ""
  var state = State.began
  var from: StoreVersion
  /// The older version of a Core Data model that the store had, which has no number; `nil` for any other store.
  var coreDataVersion: String?
  var to: StoreVersion
  /// The app's build. A new build may succeed where an old one failed.
  var release: String
  var attempts: Int
  /// The date of the first attempt.
  var date: Date
  var backup: String
  /// The number of each entity's rows before the first attempt.
  var counts: [String: Int]
  /// The number of links of each many-to-many relationship before the first attempt, by both sides as
  /// `Entity.property`.
  var links: [String: Int] = [:]
  var isRepeatable: Bool
  /// Whether the backup was restored once because rows were missing.
  var hasLostRows = false
  /// How often rows were missing and the backup could not be restored.
  var failedRestores = 0
}

struct MigrationJournalFile: Sendable {
  let path: String
  private let backups: StoreBackups

  init(_ backups: StoreBackups) {
    path = backups.folder.path + "/" + backups.journalName
    self.backups = backups
  }

  /// A limit in bytes, above the size of a journal with thousands of entities.
  private static let sizeLimit: Int64 = 1 << 20

  /// Reads the journal; `nil` only if there is no such file.
  ///
  /// - Throws: `UnreadableJournal`. The store may then be at any point of the migration, and must not be opened: later
  ///   changes would be lost when the backup is restored.
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
      // Another process has just removed the journal.
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

/// The error for a journal that exists but does not show how far a migration has come.
struct UnreadableJournal: Error {
  var path: String
  var trouble: Trouble

  enum Trouble {
    /// A newer version of the library wrote the journal.
    case later(Int)
    case damaged(String)
    /// The system refused to read the journal.
    case refused(any Error)
  }
}
