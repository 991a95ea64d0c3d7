package import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel
package import SchemaWorkspace
internal import StoreFormat

/// Takes a store that shipped into the folder of kept stores: a copy with its log, listed under the version that it proves
/// to be of.
package struct KeptStoreIntake {
  package struct Options: Sendable {
    /// Which version it is of, where several are one to the engine; it may be another one, too.
    package var version: VersionNumber?
    /// The release or build that wrote it.
    package var build: String?
    /// Where it came from.
    package var origin: String?
    /// How many rows of a model are kept, beside those that they lead to; nil for all.
    package var rows: Int?

    package init(
      version: VersionNumber? = nil, build: String? = nil, origin: String? = nil, rows: Int? = nil
    ) {
      self.version = version
      self.build = build
      self.origin = origin
      self.rows = rows
    }
  }

  /// What the list says of it now.
  package let entry: KeptStores.Entry
  /// The kept store's path.
  package let path: String
  /// Whether it was there before.
  package let isKnown: Bool
  /// Hashes of which it cannot be told whether they are the version's.
  package let caveats: [String]
  /// Of the kept file.
  package let size: Int

  /// Copies a store and lists it. The store itself is only read.
  ///
  /// - Parameter source: The store as the user named it.
  /// - Throws: `StoreError` for what is not a store or cannot be read, `StoreRefusal` for what is not kept,
  ///   `FileSystemError` where it cannot be written; then nothing has changed.
  package init(
    storeAt url: URL, named source: String, into manifests: SchemaFolder, _ options: Options,
    _ disk: Disk
  ) throws {
    guard let versions = ManifestFolder(manifests) else {
      throw StoreRefusal(
        reason: "the manifests have errors, so no store can be compared with them",
        details: ["correct them first: 'schemagen lint' shows them"])
    }
    let folder = KeptStores.folder(of: manifests)
    let list = KeptStores.read(in: folder, disk)
    if let list, list.diagnostics.hasErrors {
      throw StoreRefusal(
        reason: "the list of kept stores has errors",
        details: ["'schemagen stores check' shows them"])
    }
    var stores = list?.stores ?? KeptStores()
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw FileSystemError(path: folder, reason: error.localizedDescription)
    }
    let work = WorkFolder(in: URL(filePath: folder), prefix: ".schemagen-incoming-")
    try work.make()
    defer { work.remove() }
    let copy = work.url.appending(path: "kept.store")
    let taken = try Self.copy(url, to: copy, options.rows, versions)
    let identity = try KeptStoreIdentity(taken.facts, at: source, in: versions)
    let version = try Self.version(of: identity, options.version, versions, manifests)
    let bytes = try Data(contentsOf: copy)
    let digest = SHA256.hash([UInt8](bytes)).hexadecimal
    caveats = identity.caveats
    size = bytes.count
    if let known = stores.entries.first(where: { $0.digest == digest }) {
      entry = known
      path = Path.join(folder, known.file)
      isKnown = true
      // Somebody may have opened it there, or taken it away.
      if try disk.read(path, limit: .max).map({ SHA256.hash($0).hexadecimal }) != digest {
        try Self.place(copy, at: URL(filePath: path), isInside: true)
      }
      return
    }
    isKnown = false
    let isInside =
      url.deletingLastPathComponent().standardizedFileURL.path
      == URL(filePath: folder).standardizedFileURL.path
    let name =
      isInside
      ? url.lastPathComponent
      : Self.name(version, options.build, taken: Set((try? disk.list(folder)) ?? []))
    path = Path.join(folder, name)
    var entry = KeptStores.Entry(
      file: name, version: version, build: options.build, origin: options.origin,
      framework: taken.facts.frameworkVersion, digest: digest, rows: identity.rows,
      sampled: taken.all)
    let support = CopiedFiles.support(of: copy)
    let external = CopiedFiles.support(of: URL(filePath: path))
    for file in taken.external {
      let content = try Data(contentsOf: support.appending(path: file))
      entry.external["\(external.lastPathComponent)/\(file)"] =
        SHA256.hash([UInt8](content)).hexadecimal
    }
    self.entry = entry
    stores.entries.removeAll { $0.file == name }
    stores.add(entry)
    // The list comes last: before it, a store is one that nobody has listed, and is taken in by the next run.
    try Self.place(copy, at: URL(filePath: path), isInside: isInside)
    if !taken.external.isEmpty {
      try Self.place(support, at: external, isInside: false)
    }
    try disk.write(Array(stores.text.utf8), to: Path.join(folder, KeptStores.fileName))
  }

  // MARK: Copying

  private struct Taken {
    /// Of the copy.
    var facts: StoreFacts
    /// How many rows there were, of models of which it is a sample.
    var all: [String: Int] = [:]
    /// Files of large values, by their paths in the copy's folder for them.
    var external: [String] = []
  }

  private static func copy(
    _ url: URL, to copy: URL, _ rows: Int?, _ versions: ManifestFolder
  ) throws -> Taken {
    // A link would be copied instead of what it leads to.
    let url = url.resolvingSymlinksInPath()
    let files = FileManager.default
    let support = CopiedFiles.support(of: copy)
    var sampled: [String: Int] = [:]
    if let rows {
      let summary = try StoreCopy(of: url, to: copy, rows: rows, candidates: versions.candidates)
        .write()
      for model in summary.models where model.rows < model.total {
        sampled[model.name] = Int(model.total)
      }
    } else {
      let (facts, _) = try StoreFacts.examine(url) { facts, survey in
        try? files.removeItem(at: copy)
        if facts.access == .alone {
          // The same bytes: whoever has the file finds its digest in the list.
          try files.copyItem(at: url, to: copy)
        } else {
          try survey.copy(to: copy.path)
        }
      }
      guard
        try StoreFacts(ofStoreAt: copy).entities.map(\.rowCount) == facts.entities.map(\.rowCount)
      else {
        throw StoreError(
          .cannotOpen, "the store is being written to all the time: try again later")
      }
      let original = CopiedFiles.support(of: url)
      if files.fileExists(atPath: original.path) { try files.copyItem(at: original, to: support) }
    }
    let external = (files.subpaths(atPath: support.path) ?? []).sorted().filter {
      var isFolder: ObjCBool = false
      return files.fileExists(atPath: support.appending(path: $0).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    return Taken(facts: try StoreFacts(ofStoreAt: copy), all: sampled, external: external)
  }

  /// Puts a file where it stays, by one rename.
  private static func place(_ source: URL, at destination: URL, isInside: Bool) throws {
    let path = destination.path
    guard rename(source.path, path) == 0 else { throw FileSystemError.latest(path) }
    guard isInside else { return }
    // What the log had is in the store now.
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  // MARK: Version and name

  private static func version(
    of identity: KeptStoreIdentity, _ wanted: VersionNumber?, _ folder: ManifestFolder,
    _ manifests: SchemaFolder
  ) throws -> VersionNumber {
    let names = identity.versions.map(\.name)
    let version: VersionNumber
    if let wanted {
      guard identity.versions.contains(wanted) else {
        throw StoreRefusal(
          reason: "it is not of \(wanted.name), but of \(names.enumeration)",
          details: ["leave '--of' out: the store's hashes say which version it is of"])
      }
      version = wanted
    } else {
      let released = identity.versions.filter(folder.released.contains)
      guard let only = released.count == 1 ? released.first : identity.versions.first,
        released.count == 1 || identity.versions.count == 1
      else {
        throw StoreRefusal(
          reason: "it may be of \(names.joined(separator: " or of ")), which have the same hashes",
          details: ["say which: --of \(names[0])"])
      }
      version = only
    }
    guard folder.released.contains(version) else {
      throw StoreRefusal(
        reason: "\(version.name) has not shipped, as the lock says, and may still change",
        details: [
          "if a build of it is on somebody's device: schemagen release \(version.name)"
            + ShellWord.schemas(manifests.path)
        ])
    }
    return version
  }

  /// `V3-1.4.2.store`, or the next that is free.
  private static func name(
    _ version: VersionNumber, _ build: String?, taken: Set<String>
  ) -> String {
    let plain = (build ?? "").unicodeScalars.map { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789.".unicodeScalars.contains(scalar))
        ? Character(scalar) : "-"
    }
    let words = String(plain).split(separator: "-").joined(separator: "-")
    let stem = words.isEmpty ? version.name : "\(version.name)-\(words)"
    var name = "\(stem).store"
    var number = 2
    while taken.contains(name) {
      name = "\(stem)-\(number).store"
      number += 1
    }
    return name
  }
}
