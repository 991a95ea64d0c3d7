public import Foundation

/// A record of a store's version and its migrations.
///
/// It is a JSON file next to the backups. It is for people, and nothing depends on it. A missing or unreadable file
/// counts as an empty record.
public struct VersionRecord: Sendable, Hashable, Codable {
  /// The version with which the app last opened the store.
  public internal(set) var current: StoreVersion?
  /// The date on which `current` was recorded.
  public internal(set) var updated: Date?
  /// Migrations and attempts, the oldest first; at most `historyLimit`.
  public internal(set) var history: [Migration] = []
  /// A note on rows that are missing since a migration, and on the backup that has them; `nil` if there is nothing to
  /// report. Every report has this note until `StoreMigration.acknowledgeLoss()`.
  public internal(set) var unacknowledgedLoss: String?
  var format = Self.currentFormat

  /// The most entries in the history. The oldest are removed first.
  public static let historyLimit = 50
  static let currentFormat = 1

  /// A migration, or an attempt at one.
  public struct Migration: Sendable, Hashable, Codable {
    /// The version that the store had. For an older version of a Core Data model, it is the version to which Core Data
    /// migrated the store first.
    public let from: StoreVersion
    /// The older version of a Core Data model that the store had, as Xcode shows it: "Trips 2"; `nil` for any other
    /// store.
    public internal(set) var coreDataVersion: String?
    /// The version to which the store should be migrated.
    public let to: StoreVersion
    /// The date of the first attempt.
    public let date: Date
    /// How long the last attempt took, without the backup, in seconds.
    public let duration: TimeInterval
    /// The number of attempts.
    public let attempts: Int
    /// The result of the migration.
    public let outcome: Outcome
    /// The name of the backup's file.
    public let backup: String?
    /// The number of rows that the store had.
    public let rows: Int?
    /// What went wrong, for people.
    public let reason: String?
  }

  /// The result of a migration.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The store was migrated and validated.
    case migrated
    /// The store was migrated, and rows were missing, as after the attempt before. The store is used anyway, and the
    /// backup is kept.
    case migratedWithLoss
    /// The migration failed, and the backup was restored.
    case restored
    /// The migration failed, and the backup could not be restored.
    case failed
  }

  /// Reads the record of a store.
  ///
  /// This blocks while it reads a small file.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - backups: The folder of the store's backups; by default `Backups` next to the store.
  /// - Returns: The record; an empty one if there is none that can be read.
  public static func read(of store: URL, backups: URL? = nil) -> VersionRecord {
    VersionRecordFile(StoreBackups(of: store, in: backups)).read()
  }
}

struct VersionRecordFile: Sendable {
  private let backups: StoreBackups

  init(_ backups: StoreBackups) { self.backups = backups }

  var path: String { backups.folder.path + "/" + backups.recordName }

  /// A limit in bytes, above the size of a full history.
  private static let sizeLimit: Int64 = 1 << 20

  func read() -> VersionRecord {
    guard let size = try? Disk.status(path)?.size, size <= Self.sizeLimit,
      let data = try? Disk.read(path),
      let record = try? Self.decoder.decode(VersionRecord.self, from: data),
      record.format == VersionRecord.currentFormat
    else { return VersionRecord() }
    return record
  }

  /// Changes the record atomically. Processes that are launched at once wait for each other, for half a second.
  func update(_ body: (inout VersionRecord) -> Void) throws {
    var patience = 25
    while true {
      do {
        try backups.exclusively {
          var record = read()
          body(&record)
          record.history = Array(record.history.suffix(VersionRecord.historyLimit))
          try write(record)
        }
        return backups.environment.reached("wrote the record")
      } catch let error as BackupError where error.kind == .busy && patience > 0 {
        patience -= 1
        usleep(20_000)
      }
    }
  }

  /// Replaces the record. Call it only while no other process works on these backups.
  func write(_ record: VersionRecord) throws {
    try backups.write(Self.encoder.encode(record), to: path)
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
