public import Foundation

/// A backup of a store in the folder of backups.
public struct Backup: Hashable, Sendable {
  /// The backup's database.
  public let url: URL
  /// The date at which the backup was begun.
  public let date: Date
  /// Whether the backup was finished.
  public let state: State

  /// Whether a backup was finished.
  public enum State: Hashable, Sendable {
    /// The backup was finished and checked. Its manifest records its contents.
    case complete(BackupManifest)
    /// The backup has no valid sidecar, for this reason. It is never restored.
    case incomplete(String)
  }

  /// The manifest from the backup's sidecar; `nil` if the backup is incomplete.
  public var manifest: BackupManifest? {
    if case .complete(let manifest) = state { manifest } else { nil }
  }
}

/// The contents of a backup's sidecar, a JSON file with the backup's name.
public struct BackupManifest: Hashable, Sendable, Codable {
  /// The name of the store's file.
  public let store: String
  /// The schema version of the rows in the backup.
  public let from: StoreVersion
  /// The schema version to which the store was about to be migrated.
  public let to: StoreVersion
  /// The size of the database in bytes.
  public let size: Int64
  /// The database's SHA-256, as 64 lower-case hexadecimal digits.
  public let sha256: String
  /// The files in which Core Data stores external binary data.
  public let externalFiles: [ExternalFile]
  /// The number of the sidecar's format; always 1.
  public let format: Int
  /// The reason why the backup is never removed automatically, for people; `nil` for most backups.
  public internal(set) var keptBecause: String?

  /// A file of external binary data.
  public struct ExternalFile: Hashable, Sendable, Codable {
    /// The path relative to the folder of external files.
    public let path: String
    /// The size in bytes.
    public let size: Int64
    /// The file's SHA-256, as 64 lower-case hexadecimal digits.
    public let sha256: String
  }

  /// The size of the database and its external files in bytes.
  public var totalSize: Int64 { externalFiles.reduce(size) { $0 + $1.size } }

  static let currentFormat = 1

  /// The problem with a sidecar, which another program may have written; `nil` if the sidecar is valid.
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

/// The progress of a backup or a restore.
public struct BackupProgress: Hashable, Sendable {
  /// The activity that is being performed.
  public let activity: Activity
  /// The number of bytes that this activity has completed.
  public let completed: Int64
  /// The number of bytes in this activity, as far as is known.
  public let total: Int64

  /// An activity of a backup or a restore.
  public enum Activity: Hashable, Sendable {
    /// Copies the database.
    case copying
    /// Copies the files of external binary data.
    case copyingExternalFiles
    /// Reads the copy again and checks it.
    case checking
  }
}
