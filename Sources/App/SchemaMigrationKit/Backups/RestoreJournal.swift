/// The plan of a restore, which is written before the restore touches the store.
///
/// A copy of the backup, the incoming file, is renamed to replace the store. Everything before the rename can be
/// undone. After the rename, only files that are no longer needed must be removed. The incoming file only exists before
/// the rename, so its existence shows whether the rename has happened. If there was no store, the incoming file is
/// linked to the store's name instead, which fails if a store was created meanwhile.
struct RestoreJournal: Codable, Sendable {
  static let currentFormat = 1

  var format = Self.currentFormat
  /// The name of the backup's file or, for a relocation, of the store's file.
  var backup: String
  /// The timestamp in the replaced store's name.
  var replaced: String
  /// Whether a relocated store takes the place of the replaced store.
  var isAside: Bool
  var hadStore: Bool
  /// The size of the store's file when the journal was written. If the file has changed since, an old WAL no longer
  /// belongs to it.
  var size: Int64
  var modified: Int64
  /// External files of the backup that the store lacks.
  var adding: [String]
  /// External files of the backup that have different contents in the store.
  var overwriting: [String]
  /// External files of the replaced store that the backup lacks.
  var removing: [String]
}

/// What `recover()` found. A relocation counts as a restore; `backup` is then the name of the store's file.
public enum Recovery: Hashable, Sendable {
  /// No restore was interrupted.
  case nothing
  /// A restore of this backup was interrupted before the store was replaced. The store is unchanged.
  case undone(backup: String)
  /// A restore of this backup was interrupted after the store had been replaced. It is now finished.
  case finished(backup: String)
}
