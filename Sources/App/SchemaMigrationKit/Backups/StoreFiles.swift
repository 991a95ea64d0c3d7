internal import Foundation
internal import ManagedModels

/// The paths of a store's files, and of those that backups put next to it.
struct StoreFiles: Hashable, Sendable {
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
  var database: String { folder + "/" + name }
  /// Core Data's folder of external binary data.
  var externalFiles: String { folder + "/." + stem + "_SUPPORT" }

  /// Where the mirroring of CloudKit keeps files of its records.
  var cloudAssets: String { folder + "/" + stem + Self.cloudAssetsSuffix }
  private static let cloudAssetsSuffix = "_ckAssets"

  /// Where a file of the store other than its database is. Its path is the one in the folder of external files,
  /// in which those of CloudKit count as a folder of their own.
  func place(ofExternal path: String) -> String {
    path.hasPrefix(Self.cloudAssetsSuffix + "/")
      ? folder + "/" + stem + path : externalFiles + "/" + path
  }

  /// The paths of all such files, and those of all that can hold nothing, sorted.
  ///
  /// - Throws: As `Disk.contents(of:)` does.
  func externalPaths() throws -> (files: [String], others: [String]) {
    let external = try Disk.contents(of: externalFiles)
    let assets = try Disk.contents(of: cloudAssets)
    func named(_ path: String) -> String { Self.cloudAssetsSuffix + "/" + path }
    return (
      (external.files + assets.files.map(named)).sorted(),
      (external.others + assets.others.map(named)).sorted()
    )
  }

  /// The database, its companions and its folders, as far as they are there; the database last.
  func existing() throws -> [String] {
    try ([externalFiles, cloudAssets] + Self.companionSuffixes.map { database + $0 } + [database])
      .filter(Disk.exists)
  }

  /// Files that SQLite keeps next to the database, and that are part of it or mean nothing without it.
  static let companionSuffixes = ["-wal", "-shm", "-journal"]

  /// The backup that is being put in place.
  var incoming: String { folder + "/." + label + ".restoring" }
  var incomingExternalFiles: String { incoming + "_SUPPORT" }
  /// What an interrupted restore has to finish or undo.
  var journal: String { folder + "/." + label + ".restore.json" }

  /// Records that the store was moved here, and its state at its old place.
  var relocationRecord: String { folder + "/." + label + ".relocation.json" }
  var incomingRelocationRecord: String { incoming + ".relocation.json" }

  /// Where a replaced store is kept. Its folder of external files is called as Core Data would look for it.
  ///
  /// - Parameter isAside: Whether it gave way to a store that was moved here; then it is never removed.
  func replaced(_ timestamp: Timestamp, isAside: Bool = false) -> StoreFiles {
    let (prefix, suffix) = replacedName(isAside ? "aside" : "replaced")
    return StoreFiles(folder: folder, name: prefix + timestamp.text + suffix)
  }

  /// The parts of a replaced store's name before and after the moment.
  private func replacedName(_ word: String) -> (prefix: String, suffix: String) {
    let suffix = (name as NSString).pathExtension
    // An extension of any use is short.
    let isPlain = suffix.isEmpty || suffix.utf8.count > 16
    return ("\(Self.shortened(isPlain ? name : stem))_\(word)_", isPlain ? "" : ".\(suffix)")
  }

  /// The moments in the names of all stores that this one has replaced, in order.
  func replacedMoments() throws -> [Timestamp] {
    let (prefix, suffix) = replacedName("replaced")
    var moments: Set<String> = []
    for name in try Disk.names(in: folder) where name.hasPrefix(prefix) {
      // Where no store was replaced, there may be its log alone.
      for companion in [""] + Self.companionSuffixes where name.hasSuffix(suffix + companion) {
        let text = name.dropFirst(prefix.count).dropLast((suffix + companion).count)
        if Timestamp(text) != nil { moments.insert(String(text)) }
      }
    }
    return moments.sorted().compactMap { Timestamp($0) }
  }

  /// File systems take names of 255 bytes, and what is added to this one has at most 55.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var beginning = name[...]
    while beginning.utf8.count > 160 { beginning.removeLast() }
    return beginning + "~" + SHA256.hash(name).hexadecimal.prefix(16)
  }
}
