internal import Foundation

/// The seam to the file system: everything that workflows read and write goes through it.
///
/// Paths are absolute or relative to the working directory, with `/` between their parts.
package protocol FileSystem: Sendable {
  /// The names of a folder's files and folders, sorted; nil where there is no such folder.
  func list(_ folder: String) throws(FileSystemError) -> [String]?
  /// Whether the path is a folder.
  func isFolder(_ path: String) -> Bool
  /// A file's bytes, at most `limit` of them; nil where there is no such file.
  func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]?
  /// Writes a file, with the folders above it, so that nobody sees half of it.
  func write(_ bytes: [UInt8], to path: String) throws(FileSystemError)
  func remove(_ path: String) throws(FileSystemError)
}

/// Why a file could not be read or written.
package struct FileSystemError: Error, Sendable, Equatable {
  package var path: String
  /// As a clause: `permission denied`.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// The real one.
package struct Disk: FileSystem {
  package init() {}

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    guard isFolder(folder) else { return nil }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw FileSystemError(path: folder, reason: Self.reason(error))
    }
  }

  package func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: path), !isFolder(path) else { return nil }
    // Nobody may ever write to the other end of a pipe.
    guard Self.isRegular(path) else {
      throw FileSystemError(path: path, reason: "it is a device or a pipe, not a file")
    }
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      guard let data = try handle.read(upToCount: limit) else { return [] }
      return [UInt8](data)
    } catch {
      throw FileSystemError(path: path, reason: Self.reason(error))
    }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    guard !isFolder(path) else { throw FileSystemError(path: path, reason: "it is a folder") }
    // What a link leads to is written, not the link.
    let url = URL(filePath: path).resolvingSymlinksInPath()
    do {
      if FileManager.default.fileExists(atPath: url.path), !Self.isRegular(url.path) {
        // A device or a pipe stays what it is: /dev/stdout, for one.
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.write(contentsOf: Data(bytes))
        return
      }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let mode = try? FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
      try Data(bytes).write(to: url, options: .atomic)
      if let mode {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
      }
    } catch {
      throw FileSystemError(path: path, reason: Self.reason(error))
    }
  }

  /// Adds to the end of a file, which is made where there is none.
  package func append(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    do {
      if !FileManager.default.fileExists(atPath: path) { try write([], to: path) }
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      defer { try? handle.close() }
      _ = try handle.seekToEnd()
      try handle.write(contentsOf: Data(bytes))
    } catch let error as FileSystemError {
      throw error
    } catch {
      throw FileSystemError(path: path, reason: Self.reason(error))
    }
  }

  private static func isRegular(_ path: String) -> Bool {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    let type = try? FileManager.default.attributesOfItem(atPath: resolved)[.type]
    return type as? FileAttributeType == .typeRegular
  }

  package func remove(_ path: String) throws(FileSystemError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw FileSystemError(path: path, reason: Self.reason(error))
    }
  }

  /// The system's own words where there are any: Foundation's are about files that "couldn't be opened".
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      underlying.domain == NSPOSIXErrorDomain
    {
      return String(cString: strerror(Int32(underlying.code))).lowercased()
    }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteOutOfSpace: return "no space left on device"
    case .fileWriteVolumeReadOnly: return "read-only file system"
    case .fileWriteFileExists: return "a file is in the way"
    default: return error.localizedDescription
    }
  }
}

/// Paths as texts.
package enum Path {
  /// A path below a folder; an absolute one stays as it is. `.` and `..` are resolved where they can be.
  package static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") { return normalized(path) }
    return normalized(folder.isEmpty ? path : folder + "/" + path)
  }

  /// The folder that a path lies in; `.` where it is a name alone.
  package static func folder(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return normalized(parts.joined(separator: "/") + (parts == [""] ? "/" : ""))
  }

  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    let isAbsolute = path.hasPrefix("/")
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !isAbsolute {
        parts.append(part)
      }
    }
    let text = (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    return text.isEmpty ? "." : text
  }
}
