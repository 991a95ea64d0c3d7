internal import Foundation
internal import SchemaProcesses

/// Everything that workflows read and write goes through this protocol.
///
/// Paths are absolute or relative to the working directory, with `/` between their parts.
package protocol FileSystem: Sendable {
  /// The names of a folder's files and folders, sorted; nil if there is no such folder.
  func list(_ folder: String) throws(FileSystemError) -> [String]?
  func isFolder(_ path: String) -> Bool
  /// A file's bytes, at most `limit` of them; nil if there is no such file.
  func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]?
  /// Whether a path leads, by symbolic links, out of its git repository.
  func leadsOut(_ path: String) -> Bool
  /// Writes a file, and the folders above it, atomically.
  func write(_ bytes: [UInt8], to path: String) throws(FileSystemError)
  func remove(_ path: String) throws(FileSystemError)
  /// Runs the work while no other process runs work in the same folder. Creates the folder if it is missing.
  func exclusively<Result>(
    in folder: String, _ work: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result
  /// Removes half-written files that killed runs left in a folder.
  func removeLeftovers(in folder: String)
}

extension FileSystem {
  /// Runs the work without a lock, for file systems of a single process.
  package func exclusively<Result>(
    in folder: String, _ work: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try work()
  }

  package func removeLeftovers(in folder: String) {}

  package func leadsOut(_ path: String) -> Bool { false }

  /// The path from the working directory up to the nearest folder that contains `folder`: `../..`. Nil if no folder
  /// above in the same repository contains it.
  package func wayUp(to folder: String) -> String? {
    guard !folder.hasPrefix("/"), !folder.hasPrefix("..") else { return nil }
    var way = "."
    // More levels than any source tree has; the loop also ends at the root.
    for _ in 0..<32 {
      if (try? list(way))??.contains(".git") == true { return nil }
      way = Path.join(way, "..")
      if isFolder(Path.join(way, folder)) { return way }
    }
    return nil
  }
}

/// Why a file could not be read or written.
package struct FileSystemError: Error, Sendable, Equatable {
  package var path: String
  /// The reason as a clause: `permission denied`.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The error of the last system call.
  package static func latest(_ path: String) -> FileSystemError {
    FileSystemError(path: path, reason: String(cString: strerror(errno)).lowercased())
  }
}

/// The real file system.
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

  package func leadsOut(_ path: String) -> Bool {
    let absolute = Path.join(FileManager.default.currentDirectoryPath, path)
    guard let target = Self.real(absolute), target != absolute else { return false }
    var folder = Path.folder(of: absolute)
    while !FileManager.default.fileExists(atPath: Path.join(folder, ".git")) {
      guard folder != "/" else { return false }
      folder = Path.folder(of: folder)
    }
    return Self.real(folder).map { !target.hasPrefix($0 + "/") } ?? false
  }

  private static func real(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  package func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    // Do not wait for a pipe, since its other end may never be written to.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      // Read `errno` before another call changes it.
      let code = errno
      let failure = FileSystemError.latest(path)
      if code == ENOENT || code == ENOTDIR || isFolder(path) { return nil }
      throw code == ENXIO ? FileSystemError(path: path, reason: Self.irregular) : failure
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileSystemError.latest(path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return nil
    default: throw FileSystemError(path: path, reason: Self.irregular)
    }
    // One byte more than the expected size, so that no second call is needed to find the end.
    var length = min(limit, Int(status.st_size) + 1)
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let read = try Self.bytes(length, of: file, at: path)
      bytes = bytes.isEmpty ? read : bytes + read
      guard read.count == length else { break }
      // The file has grown, or has no size, like the files in /proc.
      length = min(limit - bytes.count, max(1 << 16, bytes.count))
    }
    return bytes
  }

  private static let irregular = "it is a device or a pipe, not a file"

  private static func bytes(
    _ count: Int, of file: Int32, at path: String
  ) throws(FileSystemError) -> [UInt8] {
    var failure: FileSystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      switch fill(UnsafeMutableRawBufferPointer(buffer), from: file, at: path) {
      case .success(let read): initialized = read
      case .failure(let error): failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads an open file from its position until it ends or the buffer is full; returns the number of bytes.
  package static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from file: Int32, at path: String
  ) -> Result<Int, FileSystemError> {
    var done = 0
    while done < buffer.count {
      let count = Foundation.read(file, buffer.baseAddress! + done, buffer.count - done)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        return .failure(.latest(path))
      }
      done += count
    }
    return .success(done)
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    guard !isFolder(path) else { throw FileSystemError(path: path, reason: "it is a folder") }
    try Interruption.afterwards { () throws(FileSystemError) in
      try replace(path, with: bytes)
      if Self.counts(path) { Interruption.countFile() }
    }
  }

  /// Whether a file counts as written by a run. A run's journal does not count.
  private static func counts(_ path: String) -> Bool { !path.hasSuffix(WriteJournal.fileName) }

  private func replace(_ path: String, with bytes: [UInt8]) throws(FileSystemError) {
    // Write to the target of a link, and keep the link.
    let url = URL(filePath: path).resolvingSymlinksInPath()
    do {
      if FileManager.default.fileExists(atPath: url.path), !Self.isRegular(url.path) {
        // A device or a pipe is not replaced: /dev/stdout, for example.
        let file = try Self.openForWriting(url.path)
        defer { close(file) }
        guard Self.write(bytes, to: file) else { throw FileSystemError.latest(path) }
        return
      }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Self.replace(url.path, with: bytes)
    } catch let error as FileSystemError {
      throw error
    } catch {
      throw FileSystemError(path: path, reason: Self.reason(error))
    }
  }

  /// Opens a device or a pipe. A pipe without a reader is refused, since opening it would block for ever.
  private static func openForWriting(_ path: String) throws(FileSystemError) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw errno == ENXIO
        ? FileSystemError(path: path, reason: "it is a pipe without a reader") : .latest(path)
    }
    let flags = fcntl(file, F_GETFL)
    _ = fcntl(file, F_SETFL, flags & ~O_NONBLOCK)
    return file
  }

  /// The end of the name of a file that is about to replace another.
  private static let suffix = ".schemagen-new"

  package func removeLeftovers(in folder: String) {
    let names = (try? list(folder)) ?? []
    for name in names where name.hasPrefix(".") && name.hasSuffix(Self.suffix) {
      let path = Path.join(folder, name)
      let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      // Another process may be writing the file now.
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }

  /// Writes a new file next to the old one, and moves the new file to the old one's path.
  ///
  /// The new file's name is always the same, so the next run reuses the file of a killed run. A lock keeps two
  /// processes from writing the new file at once.
  private static func replace(_ path: String, with bytes: [UInt8]) throws(FileSystemError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let name = String(
      decoding: URL(filePath: path).lastPathComponent.utf8.prefix(200), as: UTF8.self)
    let beside = Path.join(folder, ".\(name)\(suffix)")
    func failed() -> FileSystemError { .latest(path) }
    while true {
      let file = open(beside, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard file >= 0 else { throw failed() }
      defer { close(file) }
      try lock(file, of: path)
      // The process that had the lock before may have moved the new file already.
      var opened = stat()
      var present = stat()
      guard fstat(file, &opened) == 0 else { throw failed() }
      guard lstat(beside, &present) == 0, present.st_ino == opened.st_ino else { continue }
      var old = stat()
      let isFaithful = stat(path, &old) != 0 || fchmod(file, old.st_mode & 0o7777) == 0
      guard isFaithful, ftruncate(file, 0) == 0, write(bytes, to: file),
        rename(beside, path) == 0
      else {
        let failure = failed()
        unlink(beside)
        throw failure
      }
      return
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Foundation.write(file, buffer.baseAddress! + done, buffer.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Waits for a lock of the file or folder, but at most half a minute, since the other run may be suspended.
  private static func lock(_ file: Int32, of path: String) throws(FileSystemError) {
    for _ in 0..<300 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
      // Continue without a lock if the file system has none.
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      usleep(100_000)
    }
    throw FileSystemError(path: path, reason: "another run of schemagen is using it")
  }

  package func exclusively<Result>(
    in folder: String, _ work: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw FileSystemError(path: folder, reason: Self.reason(error))
    }
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystemError.latest(folder) }
    defer { close(descriptor) }
    try Self.lock(descriptor, of: folder)
    return try work()
  }

  package func append(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    do {
      if !FileManager.default.fileExists(atPath: path) { try write([], to: path) }
      guard Self.isRegular(path) else {
        let file = try Self.openForWriting(path)
        defer { close(file) }
        guard Self.write(bytes, to: file) else { throw FileSystemError.latest(path) }
        return
      }
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
    try Interruption.afterwards { () throws(FileSystemError) in
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw FileSystemError(path: path, reason: Self.reason(error))
      }
      if Self.counts(path) { Interruption.countFile() }
    }
  }

  /// The system's own message if there is one, since Foundation's only says that a file "couldn't be opened".
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

/// Operations on paths as strings.
package enum Path {
  /// A path below a folder; an absolute path is unchanged. `.` and `..` are resolved if possible.
  package static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") { return normalized(path) }
    return normalized(folder.isEmpty ? path : folder + "/" + path)
  }

  /// The folder that contains a path; `.` for a name alone.
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

  /// The relative path from one folder to another.
  ///
  /// - Parameter working: The absolute path at which relative ones start.
  package static func relative(
    _ path: String, to folder: String, in working: String = "/"
  ) -> String {
    var target = normalized(path).split(separator: "/").filter { $0 != "." }[...]
    var start = normalized(folder).split(separator: "/").filter { $0 != "." }[...]
    if path.hasPrefix("/") == folder.hasPrefix("/") {
      while let first = target.first, first == start.first {
        target.removeFirst()
        start.removeFirst()
      }
    } else if working != "/" {
      return relative(join(working, path), to: join(working, folder))
    }
    // A path back down from `..` would need names of folders that `start` does not give.
    guard !start.contains("..") else {
      return working == "/" ? path : relative(join(working, path), to: join(working, folder))
    }
    let way = (start.map { _ in ".." } + target).joined(separator: "/")
    return way.isEmpty ? "." : way
  }
}
