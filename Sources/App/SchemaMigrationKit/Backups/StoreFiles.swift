internal import Foundation
internal import ManagedModels

/// The paths of a store's files, and of the files that backups put next to them.
struct StoreFiles: Hashable, Sendable {
  let folder: String
  let name: String

  init(_ store: URL) {
    // Resolve links, since a restore would replace the link and not its target.
    let standardized = store.standardizedFileURL.resolvingSymlinksInPath()
    folder = standardized.deletingLastPathComponent().path
    name = standardized.lastPathComponent
  }

  private init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  /// The beginning of the names of files that belong to this store alone: its name or, if that is too long to be
  /// extended, its first part and a digest.
  var label: String { Self.shortened(name) }
  var stem: String { (name as NSString).deletingPathExtension }
  var database: String { folder + "/" + name }
  /// The folder in which Core Data stores external binary data.
  var externalFiles: String { folder + "/." + stem + "_SUPPORT" }

  /// The folder in which CloudKit's mirroring stores files of its records.
  var cloudAssets: String { folder + "/" + stem + Self.cloudAssetsSuffix }
  private static let cloudAssetsSuffix = "_ckAssets"

  /// The path of an external file. `path` is relative to the folder of external files, as if CloudKit's files were in a
  /// subfolder.
  func place(ofExternal path: String) -> String {
    path.hasPrefix(Self.cloudAssetsSuffix + "/")
      ? folder + "/" + stem + path : externalFiles + "/" + path
  }

  /// The paths of all external files, and of items without contents such as sockets; both sorted.
  ///
  /// - Throws: The errors of `Disk.contents(of:)`.
  func externalPaths() throws -> (files: [String], others: [String]) {
    let external = try Disk.contents(of: externalFiles)
    let assets = try Disk.contents(of: cloudAssets)
    func named(_ path: String) -> String { Self.cloudAssetsSuffix + "/" + path }
    return (
      (external.files + assets.files.map(named)).sorted(),
      (external.others + assets.others.map(named)).sorted()
    )
  }

  /// The database, its companions and its folders, if they exist; the database last.
  func existing() throws -> [String] {
    try ([externalFiles, cloudAssets] + Self.companionSuffixes.map { database + $0 } + [database])
      .filter(Disk.exists)
  }

  /// The suffixes of files next to the database that are part of it or mean nothing without it.
  static let companionSuffixes = ["-wal", "-shm", "-journal"]

  var incoming: String { folder + "/." + label + ".restoring" }
  var incomingExternalFiles: String { incoming + "_SUPPORT" }
  var journal: String { folder + "/." + label + ".restore.json" }

  var relocationRecord: String { folder + "/." + label + ".relocation.json" }
  var incomingRelocationRecord: String { incoming + ".relocation.json" }

  /// The paths at which a replaced store is kept. Core Data finds the folder of external files by the replaced store's
  /// name.
  ///
  /// - Parameter isAside: Whether a relocated store took the place of the replaced store, which is then never removed.
  func replaced(_ timestamp: Timestamp, isAside: Bool = false) -> StoreFiles {
    let (prefix, suffix) = replacedName(isAside ? "aside" : "replaced")
    return StoreFiles(folder: folder, name: prefix + timestamp.text + suffix)
  }

  private func replacedName(_ word: String) -> (prefix: String, suffix: String) {
    let suffix = (name as NSString).pathExtension
    // An extension of more than 16 bytes counts as part of the name.
    let isPlain = suffix.isEmpty || suffix.utf8.count > 16
    return ("\(Self.shortened(isPlain ? name : stem))_\(word)_", isPlain ? "" : ".\(suffix)")
  }

  func replacedMoments() throws -> [Timestamp] {
    let (prefix, suffix) = replacedName("replaced")
    var moments: Set<String> = []
    for name in try Disk.names(in: folder) where name.hasPrefix(prefix) {
      // If there was no store to replace, its WAL may have been kept alone.
      for companion in [""] + Self.companionSuffixes where name.hasSuffix(suffix + companion) {
        let text = name.dropFirst(prefix.count).dropLast((suffix + companion).count)
        if Timestamp(text) != nil { moments.insert(String(text)) }
      }
    }
    return moments.sorted().compactMap { Timestamp($0) }
  }

  /// File systems limit names to 255 bytes, and up to 55 bytes are added to this name.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var beginning = name[...]
    while beginning.utf8.count > 160 { beginning.removeLast() }
    return beginning + "~" + SHA256.hash(name).hexadecimal.prefix(16)
  }
}
