public import Foundation

/// A backup of a store, as it was found in the folder of backups.
public struct Backup: Hashable, Sendable {
  /// The backup's database.
  public let url: URL
  /// When it was made.
  public let date: Date
  /// Whether it was finished.
  public let state: State

  /// Whether a backup was finished.
  public enum State: Hashable, Sendable {
    /// It was finished and checked, and this is what it was then.
    case complete(BackupManifest)
    /// It has no valid sidecar, for this reason. It is never restored.
    case incomplete(String)
  }

  /// What the sidecar says, unless the backup is incomplete.
  public var manifest: BackupManifest? {
    if case .complete(let manifest) = state { manifest } else { nil }
  }
}

/// What a backup's sidecar says: a JSON file of the same name.
public struct BackupManifest: Hashable, Sendable, Codable {
  /// The name of the store's file.
  public let store: String
  /// The schema version of the rows in the backup.
  public let from: StoreVersion
  /// The schema version that the store was to be migrated to.
  public let to: StoreVersion
  /// The length of the database in bytes.
  public let size: Int64
  /// The database's SHA-256, in 64 lower-case hexadecimal digits.
  public let sha256: String
  /// Core Data's files of external binary data.
  public let externalFiles: [ExternalFile]
  /// The layout of this file; 1.
  public let format: Int
  /// Why it is never removed by itself, for people; `nil` for most.
  public internal(set) var keptBecause: String?

  /// A file of external binary data.
  public struct ExternalFile: Hashable, Sendable, Codable {
    /// Its path in the folder of external files.
    public let path: String
    /// Its length in bytes.
    public let size: Int64
    /// Its SHA-256, in 64 lower-case hexadecimal digits.
    public let sha256: String
  }

  /// The length of everything in bytes.
  public var totalSize: Int64 { externalFiles.reduce(size) { $0 + $1.size } }

  static let currentFormat = 1

  /// What is wrong with a sidecar that may come from elsewhere, or `nil`.
  func trouble(forStore name: String) -> String? {
    guard format == Self.currentFormat else {
      return "its sidecar has the unknown format \(format)"
    }
    guard store == name else { return "its sidecar belongs to '\(store)'" }
    let isInside = externalFiles.allSatisfy { file in
      file.path.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !["", ".", ".."].contains($0) }
    }
    return isInside ? nil : "its sidecar names files outside the backup"
  }
}

/// How far a backup or a restore has come.
public struct BackupProgress: Hashable, Sendable {
  /// What is being done.
  public let activity: Activity
  /// Bytes that are done in this activity.
  public let completed: Int64
  /// All bytes of this activity, as far as is known.
  public let total: Int64

  /// What is being done.
  public enum Activity: Hashable, Sendable {
    /// The database is copied.
    case copying
    /// Files of external binary data are copied.
    case copyingExternalFiles
    /// The copy is read again and checked.
    case checking
  }
}
