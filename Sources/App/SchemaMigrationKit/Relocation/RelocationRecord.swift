internal import Foundation

/// Records that a store came from another place, and the files' state there, in a small file next to it. A journal is
/// gone at the end of what it is for; this one stays, so that the old store is neither moved again nor taken for another.
///
/// It names no place: the path of an app's folder changes with each update.
struct RelocationRecord: Codable, Hashable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The old store's files when it was copied, or when its changes were acknowledged.
  var files: [FileState?]

  /// A file's state: while it is the same, nobody has written to the file.
  struct FileState: Codable, Hashable, Sendable {
    var size: Int64
    var modified: Int64
  }

  static func states(of files: StoreFiles) throws -> [FileState?] {
    try ["", "-wal", "-journal"].map { suffix in
      // Readers leave an empty log.
      guard let status = try Disk.status(files.database + suffix), status.size > 0 else {
        return nil
      }
      return FileState(size: status.size, modified: status.modified)
    }
  }
}
