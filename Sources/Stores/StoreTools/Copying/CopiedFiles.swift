internal import Foundation
internal import SchemaWorkspace

/// The files of a copy, which are written under temporary names and moved to their places when all are complete.
final class CopiedFiles {
  let database: URL
  let external: URL
  private let destination: URL
  private let folder: WorkFolder
  private let support: URL

  /// Throws `FileSystemError` if a file exists already.
  init(_ destination: URL) throws {
    self.destination = destination
    let parent = destination.deletingLastPathComponent()
    support = Self.support(of: destination)
    folder = WorkFolder(
      in: parent, prefix: ".\(destination.lastPathComponent).", suffix: ".partial")
    database = folder.url.appending(path: "store")
    external = folder.url.appending(path: "support/_EXTERNAL_DATA", directoryHint: .isDirectory)
    let manager = FileManager.default
    let beside = ["", "-wal", "-shm", "-journal"].map { URL(filePath: destination.path + $0) }
    for file in beside + [support] where Self.isThere(file) {
      throw FileSystemError(
        path: file.path, reason: "exists already: name another file, or remove it first")
    }
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: parent.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw FileSystemError(
        path: destination.path, reason: "its folder does not exist: make it first")
    }
  }

  /// The folder of a store's external values: `.trips_SUPPORT` for `trips.store`.
  static func support(of store: URL) -> URL {
    let stem = store.deletingPathExtension().lastPathComponent
    return store.deletingLastPathComponent().appending(
      path: ".\(stem)_SUPPORT", directoryHint: .isDirectory)
  }

  /// Whether something exists at the URL, even if it is only a broken link.
  private static func isThere(_ url: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
  }

  func begin() throws {
    try writing { try folder.make() }
  }

  func write(_ bytes: Data, named name: String) throws {
    try writing {
      try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
      try bytes.write(to: external.appending(path: name))
    }
  }

  var written: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: external.path)) ?? []
    return [database] + names.sorted().map { external.appending(path: $0) }
  }

  /// The total size of the written files, in bytes.
  var size: Int64 {
    written.reduce(0) { sum, file in
      let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size]
      return sum + ((size as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// Moves all files to their places, the store last. If the store exists, all files do.
  func publish() throws {
    try writing {
      for file in written {
        let handle = try FileHandle(forWritingTo: file)
        try handle.synchronize()
        try handle.close()
      }
      let manager = FileManager.default
      let hasSupport = Self.isThere(external)
      if hasSupport { try manager.moveItem(at: external.deletingLastPathComponent(), to: support) }
      do {
        try manager.moveItem(at: database, to: destination)
      } catch {
        if hasSupport { try? manager.removeItem(at: support) }
        throw error
      }
    }
  }

  func removeUnfinished() { folder.remove() }

  private func writing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      let reason = (error as? FileSystemError)?.reason ?? error.localizedDescription
      throw FileSystemError(path: destination.path, reason: "cannot be written: \(reason)")
    }
  }
}
