/// A file system as it would be with some files written and others removed. Nothing can be written to it.
struct Overlay<Below: FileSystem>: FileSystem {
  let below: Below
  /// Contents by path, as workflows name it; nil for what is gone.
  let files: [String: [UInt8]?]

  func list(_ folder: String) throws(FileSystemError) -> [String]? {
    let folder = Path.normalized(folder)
    var names = Set(try below.list(folder) ?? [])
    let prefix = folder == "." ? "" : folder + "/"
    for (path, bytes) in files where path.hasPrefix(prefix) {
      let rest = path.dropFirst(prefix.count)
      if let slash = rest.firstIndex(of: "/") {
        if bytes != nil { names.insert(String(rest[..<slash])) }
      } else if bytes != nil {
        names.insert(String(rest))
      } else {
        names.remove(String(rest))
      }
    }
    return names.isEmpty ? nil : names.sorted()
  }

  func isFolder(_ path: String) -> Bool {
    let prefix = Path.normalized(path) + "/"
    return below.isFolder(path) || files.contains { $0.key.hasPrefix(prefix) && $0.value != nil }
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    guard let known = files[Path.normalized(path)] else {
      return try below.read(path, limit: limit)
    }
    return known.map { Array($0.prefix(limit)) }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "it is only planned")
  }

  func remove(_ path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "it is only planned")
  }
}
