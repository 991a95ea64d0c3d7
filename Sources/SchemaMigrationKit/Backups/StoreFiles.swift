internal import Foundation
internal import SchemaDigests

/// Where a store's files are, and those that backups put beside it.
struct StoreFiles: Hashable, Sendable {
  /// The folder of the store.
  let folder: String
  /// The store's file name: "default.store".
  let name: String

  init(_ store: URL) {
    // A link would be replaced instead of what it leads to.
    let standardized = store.standardizedFileURL.resolvingSymlinksInPath()
    folder = standardized.deletingLastPathComponent().path
    name = standardized.lastPathComponent
  }

  private init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  /// What files are named after that belong to this store alone: its name, or, where that leaves no room for anything to
  /// be added, the beginning of the name and a digest of it.
  var label: String { Self.shortened(name) }
  /// The file name without its extension: "default".
  var stem: String { (name as NSString).deletingPathExtension }
  /// The database.
  var database: String { folder + "/" + name }
  /// Core Data's folder of external binary data.
  var externalFiles: String { folder + "/." + stem + "_SUPPORT" }

  /// Files that SQLite keeps beside the database, and that are part of it or mean nothing without it.
  static let companionSuffixes = ["-wal", "-shm", "-journal"]

  /// The backup that is being put in place.
  var incoming: String { folder + "/." + label + ".restoring" }
  /// Its external files.
  var incomingExternalFiles: String { incoming + "_SUPPORT" }
  /// What an interrupted restore has to finish or undo.
  var journal: String { folder + "/." + label + ".restore.json" }

  /// Where a replaced store is kept. Its folder of external files is called as Core Data would look for it.
  func replaced(_ timestamp: Timestamp) -> StoreFiles {
    let suffix = (name as NSString).pathExtension
    // An extension of any use is short.
    let isPlain = suffix.isEmpty || suffix.utf8.count > 16
    let stem = "\(Self.shortened(isPlain ? name : stem))_replaced_\(timestamp.text)"
    return StoreFiles(folder: folder, name: isPlain ? stem : "\(stem).\(suffix)")
  }

  /// File systems take names of 255 bytes, and what is added to this one has at most 55.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var beginning = name[...]
    while beginning.utf8.count > 160 { beginning.removeLast() }
    return beginning + "~" + SHA256.hash(name).hexadecimal.prefix(16)
  }
}
