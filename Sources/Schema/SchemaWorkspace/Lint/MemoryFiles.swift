package import SchemaModel

/// Files in memory on top of another file system, if there is one. Writes stay in memory.
package final class MemoryFiles: FileSystem, @unchecked Sendable {
  // Several threads read, but only one writes while none reads: lint reads and fixes in sequence.
  private let base: (any FileSystem)?
  /// The written files, by path; nil for removed ones.
  private var files: [String: [UInt8]?] = [:]

  package init(_ files: [SourceFile] = [], over base: (any FileSystem)? = nil) {
    self.base = base
    for file in files { self.files[Path.normalized(file.path)] = file.bytes }
  }

  package init(_ files: [String: [UInt8]?], over base: (any FileSystem)?) {
    self.base = base
    for (path, bytes) in files { self.files[Path.normalized(path)] = bytes }
  }

  /// The differences from the base, sorted by path. The bytes of removed files are nil.
  package var changes: [(path: String, bytes: [UInt8]?)] {
    files.sorted { $0.key < $1.key }.map { (path: $0.key, bytes: $0.value) }
  }

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    let folder = Path.normalized(folder)
    let prefix = folder == "." ? "" : folder + "/"
    var names = Set(try base?.list(folder) ?? [])
    for (path, bytes) in files where path.hasPrefix(prefix) {
      guard let name = path.dropFirst(prefix.count).split(separator: "/").first else { continue }
      if bytes != nil {
        names.insert(String(name))
      } else if path == prefix + name {
        names.remove(String(name))
      }
    }
    return names.isEmpty && !isFolder(folder) ? nil : names.sorted()
  }

  package func isFolder(_ path: String) -> Bool {
    let prefix = path == "." ? "" : Path.normalized(path) + "/"
    return base?.isFolder(path) == true
      || files.contains { $0.key.hasPrefix(prefix) && $0.value != nil }
  }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    guard let known = files[Path.normalized(path)] else {
      return try base?.read(path, limit: limit)
    }
    return known.map { Array($0.prefix(limit)) }
  }

  package func write(_ bytes: [UInt8], to path: String) {
    files[Path.normalized(path)] = .some(bytes)
  }

  package func remove(_ path: String) { files[Path.normalized(path)] = .some(nil) }
}
