internal import Foundation

/// A small file next to a store. It records that the store came from another place, and the state of the files there.
/// Unlike a journal it stays, so that the old store is neither moved again nor taken for a different store.
///
/// It contains no path, since the path of an app's folder changes with each update.
struct RelocationRecord: Codable, Hashable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The state of the old store's files when they were copied, or when their changes were acknowledged.
  var files: [FileState?]

  /// A file's state. While the state is the same, the file was not written to.
  struct FileState: Codable, Hashable, Sendable {
    var size: Int64
    var modified: Int64
  }

  static func states(of files: StoreFiles) throws -> [FileState?] {
    try ["", "-wal", "-journal"].map { suffix in
      // An empty WAL counts as no WAL, since readers leave an empty WAL.
      guard let status = try Disk.status(files.database + suffix), status.size > 0 else {
        return nil
      }
      return FileState(size: status.size, modified: status.modified)
    }
  }
}
