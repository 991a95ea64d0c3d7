internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace
internal import StoreFormat

/// Compares a folder's kept stores with their list, and the list with shipped versions.
package struct KeptStoreReview {
  /// The findings, before the configuration's severities.
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var stores: KeptStores?
  package private(set) var sources: [String: String] = [:]

  private let folder: String
  private let fileSystem: any FileSystem

  package static let check: @Sendable (SchemaFolder, any FileSystem) -> [Diagnostic] = {
    KeptStoreReview($0, fileSystem: $1).diagnostics
  }

  /// Reads every store in the list. If manifests have errors, the stores' versions are not checked.
  package init(_ manifests: SchemaFolder, fileSystem: any FileSystem) {
    folder = KeptStores.folder(of: manifests)
    self.fileSystem = fileSystem
    guard let list = KeptStores.read(in: folder, fileSystem) else { return }
    sources = [list.file.path: list.file.text]
    stores = list.stores
    diagnostics = list.diagnostics
    guard !list.diagnostics.hasErrors else { return }
    let versions = ManifestFolder(manifests)
    for entry in list.stores.entries { check(entry, versions) }
    findUnlisted(list.stores)
    guard let versions else { return }
    let kept = Set(list.stores.entries.map(\.version))
    for version in versions.history
    where versions.released.contains(version.number) && !kept.contains(version.number)
      && !manifests.configuration.isRetired(version.number)
    {
      diagnostics.append(
        Diagnostic(
          .versionWithoutStore,
          "\(version.number.name) has shipped, and no store of it is kept in '\(folder)'",
          element: version.number.name, at: SourceLocation(file: list.file.path),
          help: [
            "take a store from a device or simulator that ran it: schemagen stores add STORE"
              + ShellWord.schemas(manifests.path),
            "or turn this check off: rules: { \(Rule.versionWithoutStore.id): off }",
          ]))
    }
  }

  private mutating func report(
    _ rule: Rule, _ message: String, _ entry: KeptStores.Entry, help: [String]
  ) {
    diagnostics.append(
      Diagnostic(rule, message, element: entry.file, at: entry.location, help: help))
  }

  private mutating func check(_ entry: KeptStores.Entry, _ versions: ManifestFolder?) {
    let path = Path.join(folder, entry.file)
    let restore = "restore the store from git: git checkout HEAD -- \(ShellWord.quoted(path))"
    let bytes: [UInt8]?
    do throws(FileSystemError) {
      bytes = try fileSystem.read(path, limit: .max)
    } catch {
      report(
        .keptStoreMissing, "'\(path)' cannot be read: \(error.reason)", entry, help: [restore])
      return
    }
    guard let bytes else {
      report(
        .keptStoreMissing, "'\(path)' is in the list but does not exist", entry,
        help: [restore, "or remove the store from the list"])
      return
    }
    let pointer = LargeFilePointer(bytes)
    guard pointer?.digest ?? SHA256.hash(bytes).hexadecimal == entry.digest else {
      report(
        .keptStoreChanged,
        "'\(path)' has changed since it was added: its SHA-256 differs", entry,
        help: [
          restore, "an app that opens a store changes it: open a copy",
          "to keep another store instead, remove this store from the list and add the other store",
        ])
      return
    }
    if pointer != nil {
      report(
        .keptStoreNotFetched,
        "'\(path)' is a Git LFS pointer here, so its version was not checked: the list says \(entry.version.name)",
        entry, help: ["fetch the store: git lfs pull"])
    } else if let versions {
      prove(entry, bytes, path, versions)
    }
  }

  /// Checks which version the store itself proves.
  private mutating func prove(
    _ entry: KeptStores.Entry, _ bytes: [UInt8], _ path: String, _ versions: ManifestFolder
  ) {
    let message: String
    let help: [String]
    do {
      // Examine the bytes that were read for the digest, since a staged file may not be on disk.
      let identity = try KeptStoreIdentity(Self.facts(of: bytes), at: path, in: versions)
      guard !identity.versions.contains(entry.version) else { return }
      message =
        "is a store of \(identity.versions.map(\.name).enumeration), not of \(entry.version.name)"
      help = ["remove the store from the list and add it again: schemagen finds its version"]
    } catch let refusal as StoreRefusal {
      message = "proves no version: \(refusal.reason.visibleInOneLine)"
      help = refusal.details.map(\.visibleInOneLine)
    } catch {
      let reason = (error as? StoreError)?.reason ?? error.localizedDescription
      message = "cannot be read: \(reason.visibleInOneLine)"
      help = ["remove the store from the list"]
    }
    report(.keptStoreVersion, "'\(path)' \(message)", entry, help: help)
  }

  private static func facts(of bytes: [UInt8]) throws -> StoreFacts {
    try withScratchFolder { scratch in
      let copy = scratch.appending(path: "kept.store")
      try Data(bytes).write(to: copy)
      return try StoreFacts(ofStoreAt: copy)
    }
  }

  /// Finds files that are not in the list: stores, pointers of Git LFS, and logs of listed stores.
  private mutating func findUnlisted(_ list: KeptStores) {
    let known = Set(list.entries.map(\.file))
    guard let names = try? fileSystem.list(folder) else { return }
    for name in names where !known.contains(name) {
      let path = Path.join(folder, name)
      guard let head = try? fileSystem.read(path, limit: 200) else { continue }
      guard head.starts(with: "SQLite format 3\0".utf8) || LargeFilePointer(head) != nil else {
        // A log shows that a store was opened, which changed it.
        if known.contains(where: { name == $0 + "-wal" || name == $0 + "-journal" }), !head.isEmpty
        {
          diagnostics.append(
            Diagnostic(
              .keptStoreChanged, "'\(path)' is the log of an app that opened the store",
              element: name, at: SourceLocation(file: path),
              help: [
                "remove the log, and open only copies of the store: rm \(ShellWord.quoted(path))"
              ]))
        }
        continue
      }
      diagnostics.append(
        Diagnostic(
          .keptStoreMissing, "'\(path)' is not in the list", element: name,
          at: SourceLocation(file: path),
          help: [
            "add the store: schemagen stores add \(ShellWord.quoted(path))",
            "or remove the file: rm \(ShellWord.quoted(path))",
          ]))
    }
  }
}

/// A pointer that Git LFS leaves instead of a file that was not fetched.
private struct LargeFilePointer {
  /// SHA-256 of the file, in lower-case hex.
  let digest: String

  init?(_ bytes: [UInt8]) {
    guard bytes.count < 1_024, bytes.starts(with: "version https://git-lfs.github.com/spec/v1".utf8)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("oid sha256:") }) else { return nil }
    digest = String(line.dropFirst("oid sha256:".count))
  }
}
