package import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
package import SchemaWorkspace
internal import StoreFormat

/// Adds a shipped store to the folder of kept stores: a copy including its log, listed under the version that it
/// proves.
package struct KeptStoreIntake {
  package let entry: KeptStores.Entry
  package let path: String
  package let isKnown: Bool
  package let notes: [String]
  package let size: Int

  /// Copies a store and lists it. The store itself is only read.
  ///
  /// - Parameters:
  ///   - source: The store's path as the user gave it.
  ///   - build: The release or build that wrote the store.
  /// - Throws: `StoreError` if the file is not a store or cannot be read, `StoreRefusal` if the store is not kept, and
  ///   `FileSystemError` if a file cannot be written. After an error, nothing has changed.
  package init(
    storeAt url: URL, named source: String, into manifests: SchemaFolder, build: String?,
    _ disk: Disk
  ) throws {
    guard let versions = ManifestFolder(manifests) else {
      throw StoreRefusal(
        reason: "the manifests have errors, so no store can be compared with them",
        details: ["correct the errors first: 'schemagen lint' shows them"])
    }
    let folder = KeptStores.folder(of: manifests)
    let list = KeptStores.read(in: folder, disk)
    if let list, list.diagnostics.hasErrors {
      throw StoreRefusal(
        reason: "the list of kept stores has errors",
        details: ["'schemagen lint' shows them"])
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
    try Self.copy(url, to: copy)
    let identity = try KeptStoreIdentity(StoreFacts(ofStoreAt: copy), at: source, in: versions)
    let version = try Self.version(of: identity, versions, manifests)
    let bytes = try Data(contentsOf: copy)
    let digest = SHA256.hash([UInt8](bytes)).hexadecimal
    notes = identity.caveats.map { "not verified: \($0)" }
    size = bytes.count
    let known = stores.entries.first { $0.digest == digest }
    isKnown = known != nil
    let isInside =
      url.deletingLastPathComponent().standardizedFileURL.path
      == URL(filePath: folder).standardizedFileURL.path
    let name =
      known?.file
      ?? (isInside
        ? url.lastPathComponent
        : Self.name(version, build, taken: Set((try? disk.list(folder)) ?? [])))
    path = Path.join(folder, name)
    entry =
      known
      ?? KeptStores.Entry(
        file: name, version: version, build: build, rows: identity.rows, digest: digest)
    // The list is written last. If the run ends before that, the store is unlisted, and the next run adds it.
    try Self.place(copy, at: path)
    if known != nil || isInside {
      // The log's contents are in the store now.
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    guard known == nil else { return }
    let values = CopiedFiles.support(of: copy)
    if !isInside, FileManager.default.fileExists(atPath: values.path) {
      try Self.place(values, at: CopiedFiles.support(of: URL(filePath: path)).path)
    }
    stores.add(entry)
    try disk.write(Array(stores.text.utf8), to: Path.join(folder, KeptStores.fileName))
  }

  private static func copy(_ url: URL, to copy: URL) throws {
    // A symbolic link is resolved, so that its target is copied.
    let url = url.resolvingSymlinksInPath()
    let files = FileManager.default
    let (facts, _) = try StoreFacts.examine(url) { facts, survey in
      try? files.removeItem(at: copy)
      if facts.access == .alone {
        // The bytes are copied unchanged, so that the copy has the digest of the file.
        try files.copyItem(at: url, to: copy)
      } else {
        try survey.copy(to: copy.path)
      }
    }
    guard try StoreFacts(ofStoreAt: copy).entities.map(\.rowCount) == facts.entities.map(\.rowCount)
    else {
      throw StoreError(.cannotOpen, "the store is being written to continuously: try again later")
    }
    let original = CopiedFiles.support(of: url)
    if files.fileExists(atPath: original.path) {
      try files.copyItem(at: original, to: CopiedFiles.support(of: copy))
    }
  }

  private static func place(_ source: URL, at path: String) throws {
    guard rename(source.path, path) == 0 else { throw FileSystemError.latest(path) }
  }

  // MARK: Version and name

  private static func version(
    of identity: KeptStoreIdentity, _ folder: ManifestFolder, _ manifests: SchemaFolder
  ) throws -> VersionNumber {
    if let version = identity.versions.last(where: folder.released.contains) { return version }
    let name = identity.versions[0].name
    throw StoreRefusal(
      reason: "\(name) has not shipped, according to the lock, and may still change",
      details: [
        "if a build of it is on anyone's device: schemagen release \(name)"
          + ShellWord.schemas(manifests.path)
      ])
  }

  /// A file name: `V3-1.4.2.store`, or the next free one.
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
