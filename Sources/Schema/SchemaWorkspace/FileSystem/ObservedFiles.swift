internal import Foundation
internal import SchemaModel

/// The disk, which remembers what was read from it, so that a change of that can be noticed.
///
/// What is written through it is no change. It asks for times and sizes again and again: the few files of a folder of
/// manifests are no work, and every system and every editor's way of saving is alike to it.
package final class ObservedFiles: FileSystem {
  private struct Stamp: Equatable {
    var seconds: Int
    var nanoseconds: Int
    var size: Int
    /// Another one where a file took the place of the old one.
    var node: UInt64

    /// Nil where there is no such file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = time.tv_sec
      nanoseconds = time.tv_nsec
      size = Int(status.st_size)
      node = UInt64(status.st_ino)
    }
  }

  private struct Memory {
    var files: [String: Stamp?] = [:]
    /// The names in folders; none for a folder that is not there.
    var folders: [String: Set<String>] = [:]
  }

  private let disk = Disk()
  private let memory = Locked(Memory())

  package init() {}

  /// How many files and folders were looked at.
  package var count: Int { memory.withLock { $0.files.count + $0.folders.count } }

  /// Remembers the Swift files below a folder that others read.
  package func observe(_ folder: String) {
    var folders = [folder]
    while let next = folders.popLast() {
      for name in (try? list(next)) ?? [] where Self.counts(name) {
        let path = Path.join(next, name)
        if disk.isFolder(path) {
          folders.append(path)
        } else if name.hasSuffix(".swift") {
          memory.withLock { $0.files[path] = .some(Stamp(path)) }
        }
      }
    }
  }

  /// Forgets everything.
  package func forget() { memory.withLock { $0 = Memory() } }

  /// What is not as it was when it was read, sorted: files, and folders in which a file came or went.
  package var changed: [String] {
    let seen = memory.withLock { $0 }
    let files = seen.files.filter { Stamp($0.key) != $0.value }.map(\.key)
    let folders = seen.folders.filter { names(in: $0.key) != $0.value }.map(\.key)
    return (files + folders).sorted()
  }

  /// Waits until something has changed, and until nothing changes any more: an editor may save in several steps.
  ///
  /// - Returns: What has changed, sorted.
  package func change() -> [String] {
    var last: [String: Stamp?] = [:]
    while true {
      usleep(150_000)
      let found = changed
      let now = Dictionary(uniqueKeysWithValues: found.map { ($0, Stamp($0)) })
      if !found.isEmpty, now == last { return found }
      last = now
    }
  }

  // MARK: FileSystem

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    let seen = names(in: folder)
    memory.withLock { $0.folders[folder] = seen }
    return try disk.list(folder)
  }

  package func isFolder(_ path: String) -> Bool { disk.isFolder(path) }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    // Before it is read: what changes from now on is not what was read.
    let stamp = Stamp(path)
    memory.withLock { $0.files[path] = .some(stamp) }
    return try disk.read(path, limit: limit)
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    try disk.write(bytes, to: path)
    own(path, isThere: true)
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try disk.remove(path)
    own(path, isThere: false)
  }

  package func exclusively<Result>(
    in folder: String, _ work: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try disk.exclusively(in: folder, work)
  }

  package func removeLeftovers(in folder: String) { disk.removeLeftovers(in: folder) }

  // MARK: Memory

  /// Takes a file of our own as it is now.
  private func own(_ path: String, isThere: Bool) {
    let stamp = Stamp(path)
    memory.withLock { memory in
      if memory.files[path] != nil { memory.files[path] = .some(stamp) }
      var path = path
      repeat {
        let folder = Path.folder(of: path)
        let name = URL(filePath: path).lastPathComponent
        if memory.folders[folder] != nil, Self.counts(name) {
          if isThere {
            memory.folders[folder]?.insert(name)
          } else {
            memory.folders[folder]?.remove(name)
          }
        }
        // Folders come with the files in them, and stay when they go.
        guard isThere, folder != path else { return }
        path = folder
      } while true
    }
  }

  private func names(in folder: String) -> Set<String> {
    Set(((try? disk.list(folder)) ?? []).filter(Self.counts))
  }

  /// Whether a name is not one of an editor's or our own while something is being saved.
  private static func counts(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasSuffix("~")
  }
}
