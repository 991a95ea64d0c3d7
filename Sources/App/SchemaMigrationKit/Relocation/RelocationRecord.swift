internal import Foundation

/// That a store came from another place, and what was at that place then: a small file beside the store.
///
/// It names no place: the path of an app's folder is another one after each update.
struct RelocationRecord: Codable, Hashable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The name of the store's file at the old place.
  var store: String
  /// What the old store held when it was copied, or when its changes were acknowledged.
  var contents: StoreContents
  /// The old store's files when it was last read; `nil` where they may have been written to in the same moment.
  var files: FileStates?
  /// What is known of the store's versions, until it is written where it belongs.
  var versions: VersionRecord?
  /// What had changed when it was last read.
  var changes: [StoreRelocation.Change] = []

  /// The lengths and times of a store's files: as long as they are the same, nobody has written to it.
  struct FileStates: Codable, Hashable, Sendable {
    private var states: [State?]

    private struct State: Codable, Hashable, Sendable {
      var size: Int64
      var modified: Int64
    }

    init(_ files: StoreFiles) throws {
      states = try ["", "-wal", "-journal"].map { suffix in
        // Readers leave an empty log.
        guard let status = try Disk.status(files.database + suffix), status.size > 0
        else { return nil }
        return State(size: status.size, modified: status.modified)
      }
    }

    /// `nil` where the last write is so near that another one could leave the same time.
    var settled: FileStates? {
      let newest = states.compactMap { $0?.modified }.max() ?? 0
      return Date().timeIntervalSince1970 - Double(newest) / 1e9 > 2 ? self : nil
    }
  }
}
