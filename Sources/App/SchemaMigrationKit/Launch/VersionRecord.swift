public import Foundation

/// What is known of a store's past: which version it is of, and how it came there.
///
/// A JSON file beside the backups. It is for people: nothing depends on it, so one that is missing or
/// cannot be read is an empty one.
public struct VersionRecord: Sendable, Hashable, Codable {
  /// The version that the app last opened the store with.
  public internal(set) var current: StoreVersion?
  /// When that was.
  public internal(set) var updated: Date?
  /// Migrations and attempts at one, the oldest first; no more than `historyLimit`.
  public internal(set) var history: [Migration] = []
  /// Rows that are missing since a migration, and the backup that has them; `nil` where there is nothing to tell. Every
  /// report has it as a note until `StoreMigration.acknowledgeLoss()`.
  public internal(set) var unacknowledgedLoss: String?
  /// The layout of this file; 1.
  var format = Self.currentFormat

  /// How many entries the history has at most; the oldest go first.
  public static let historyLimit = 50
  static let currentFormat = 1

  /// One migration, or an attempt at one.
  public struct Migration: Sendable, Hashable, Codable {
    /// The version that the store was of; for one of an older version of a Core Data model that which Core Data brought
    /// it to first.
    public let from: StoreVersion
    /// That older version, as Xcode shows it: "Trips 2"; `nil` for any other store.
    public internal(set) var coreDataVersion: String?
    /// The version that it was to be migrated to.
    public let to: StoreVersion
    /// When the first attempt began.
    public let date: Date
    /// How long the last attempt took, without the backup, in seconds.
    public let duration: TimeInterval
    /// How many attempts there were.
    public let attempts: Int
    /// What came of it.
    public let outcome: Outcome
    /// The name of the backup's file.
    public let backup: String?
    /// How many rows the store had.
    public let rows: Int?
    /// What went wrong, for people.
    public let reason: String?
  }

  /// What came of a migration.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The store was migrated and validated.
    case migrated
    /// The store was migrated, and rows were missing again as after the attempt before. It is used all the same, and
    /// the backup is kept.
    case migratedWithLoss
    /// It failed, and the backup was put back.
    case restored
    /// It failed, and the backup could not be put back.
    case failed
  }

  /// Reads the record of a store; an empty one where there is none that can be read. Blocks while it reads a small file.
  ///
  /// - Parameters:
  ///   - store: The file of the store.
  ///   - backups: The folder of the store's backups; by default `Backups` beside it.
  public static func read(of store: URL, backups: URL? = nil) -> VersionRecord {
    VersionRecordFile(StoreBackups(of: store, in: backups)).read()
  }
}

/// The file of a store's record.
struct VersionRecordFile: Sendable {
  private let backups: StoreBackups

  init(_ backups: StoreBackups) { self.backups = backups }

  var path: String { backups.folder.path + "/" + backups.recordName }

  /// More bytes than a history of fifty has.
  private static let sizeLimit: Int64 = 1 << 20

  func read() -> VersionRecord {
    guard let size = try? Disk.status(path)?.size, size <= Self.sizeLimit,
      let data = try? Disk.read(path),
      let record = try? Self.decoder.decode(VersionRecord.self, from: data),
      record.format == VersionRecord.currentFormat
    else { return VersionRecord() }
    return record
  }

  /// Changes the record, whole or not at all. Processes launched at once wait for each other, for half a second.
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

  /// Replaces the record, while nobody else works on these backups.
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
