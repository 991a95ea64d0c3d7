internal import Foundation

/// Records that a store came from another place, and the state of the files there, in a small file next to the store. A
/// journal is removed at the end. This record stays, so that the old store is neither moved again nor taken for another
/// store.
///
/// It contains no path, since the path of an app's folder changes with each update.
struct RelocationRecord: Codable, Hashable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The state of the old store's files when they were copied, or when their changes were acknowledged.
  var files: [FileState?]

  /// A file's state. While it is the same, the file was not written to.
  struct FileState: Codable, Hashable, Sendable {
    var size: Int64
    var modified: Int64
  }

  static func states(of files: StoreFiles) throws -> [FileState?] {
    try ["", "-wal", "-journal"].map { suffix in
      // Readers leave an empty WAL.
      guard let status = try Disk.status(files.database + suffix), status.size > 0 else {
        return nil
      }
      return FileState(size: status.size, modified: status.modified)
    }
  }
}
