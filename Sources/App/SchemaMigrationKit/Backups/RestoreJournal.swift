/// What a restore is about to do, written before it touches the store.
///
/// The store is replaced by one rename. Until then everything can be undone, and after it only things that
/// are no longer needed are left to be removed. The incoming file tells which of the two it is: the rename
/// takes it away. If there was no store, the incoming file gets its name as a second one, which fails if a store
/// was made meanwhile.
struct RestoreJournal: Codable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The name of the backup's file, or of the store's that is moved here.
  var backup: String
  /// The timestamp in the replaced store's name.
  var replaced: String
  /// Whether the replaced store gives way to one that was moved here.
  var isAside: Bool
  var hadStore: Bool
  /// The size of the store's file then. If the file has changed since, an old WAL no longer belongs to it.
  var size: Int64
  var modified: Int64
  /// External files that the store does not have.
  var adding: [String]
  /// External files that the store has with other content.
  var overwriting: [String]
  /// External files that only the replaced store has.
  var removing: [String]
}

/// What `recover()` found. A relocation counts as a restore; `backup` is then the name of the store's file.
public enum Recovery: Hashable, Sendable {
  /// No restore was interrupted.
  case nothing
  /// A restore of this backup was interrupted before the store was replaced; the store is as it was.
  case undone(backup: String)
  /// A restore of this backup was interrupted when the store had been replaced; it is finished.
  case finished(backup: String)
}
