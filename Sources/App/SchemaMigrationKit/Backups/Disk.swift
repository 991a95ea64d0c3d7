internal import Foundation
internal import ManagedModels

/// System calls, with errors that name the file.
///
/// It never opens a store's database: if a process closes any descriptor of a file, the process loses all locks that
/// SQLite holds on the file. It may open backups, since nothing else has them open.
enum Disk {
  /// What `lstat` reports about a file.
  struct Status {
    var size: Int64
    /// The file's number, which is unique on its volume.
    var identity: UInt64
    var volume: UInt64
    var mode: mode_t
    /// The time of the last change, in nanoseconds.
    var modified: Int64

    fileprivate init(_ found: stat) {
      #if canImport(Darwin)
        let time = found.st_mtimespec
      #else
        let time = found.st_mtim
      #endif
      size = Int64(found.st_size)
      identity = UInt64(found.st_ino)
      volume = UInt64(truncatingIfNeeded: found.st_dev)
      mode = found.st_mode
      modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isFile: Bool { mode & S_IFMT == S_IFREG }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }
  }

  static func status(_ path: String) throws -> Status? {
    var found = stat()
    guard lstat(path, &found) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemFailure(code: errno, path: path)
    }
    return Status(found)
  }

  /// The status of a file, following links; `nil` if there is no file at their end.
  static func statusOfTarget(_ path: String) throws -> Status? {
    var found = stat()
    guard stat(path, &found) == 0 else {
      if [ENOENT, ENOTDIR, ELOOP].contains(errno) { return nil }
      throw SystemFailure(code: errno, path: path)
    }
    return Status(found)
  }

  static func exists(_ path: String) throws -> Bool { try status(path) != nil }

  static func rename(_ path: String, to destination: String) throws {
    guard Foundation.rename(path, destination) == 0 else {
      throw SystemFailure(code: errno, path: destination)
    }
  }

  /// Creates a second name for a file. An existing file with that name stays.
  static func link(_ path: String, to destination: String) throws {
    guard Foundation.link(path, destination) == 0 || errno == EEXIST else {
      throw SystemFailure(code: errno, path: destination)
    }
  }

  static func linkIfFree(_ path: String, to destination: String) throws -> Bool {
    if Foundation.link(path, destination) == 0 { return true }
    guard errno == EEXIST else { throw SystemFailure(code: errno, path: destination) }
    return false
  }

  static func unlink(_ path: String) throws {
    guard Foundation.unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw SystemFailure(code: errno, path: path)
    }
  }

  /// Creates a folder and its parent folders so that they survive a power failure.
  static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o755) == 0 {
      return try synchronize((path as NSString).deletingLastPathComponent)
    }
    let code = errno
    switch code {
    case EEXIST:
      // A symbolic link to a folder counts as a folder.
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
      else { throw SystemFailure(code: ENOTDIR, path: path) }
    case ENOENT:
      let parent = (path as NSString).deletingLastPathComponent
      guard !parent.isEmpty, parent != path else { throw SystemFailure(code: code, path: path) }
      try makeFolder(parent)
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw SystemFailure(code: errno, path: path)
      }
      try synchronize(parent)
    default: throw SystemFailure(code: code, path: path)
    }
  }

  /// The names in a folder, sorted; empty if there is no such folder.
  static func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw SystemFailure(code: errno, path: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemFailure(code: errno, path: folder) }
    return names.sorted()
  }

  /// The relative paths in a folder and its subfolders, sorted. `files` are files and links to files. `others` have no
  /// contents: FIFOs, sockets, devices, and links to one of these or to nothing.
  ///
  /// - Throws: `BackupError` for a link to a folder, which may contain files of the store.
  static func contents(of folder: String) throws -> (files: [String], others: [String]) {
    var files: [String] = []
    var others: [String] = []
    func visit(_ prefix: String) throws {
      for name in try names(in: folder + "/" + prefix) {
        let path = folder + "/" + prefix + name
        guard let status = try status(path) else { continue }
        if status.isFolder {
          try visit(prefix + name + "/")
        } else if status.isFile {
          files.append(prefix + name)
        } else if status.isLink, let target = try statusOfTarget(path) {
          guard !target.isFolder else {
            throw BackupError(
              .storeChanged,
              "'\(path)' is a link to a folder, which cannot be copied: replace the link with the folder itself."
            )
          }
          if target.isFile { files.append(prefix + name) } else { others.append(prefix + name) }
        } else {
          others.append(prefix + name)
        }
      }
    }
    if try exists(folder) { try visit("") }
    return (files.sorted(), others.sorted())
  }

  static func removeFolder(_ path: String) throws {
    for name in try names(in: path) {
      let inner = path + "/" + name
      if try status(inner)?.isFolder == true { try removeFolder(inner) } else { try unlink(inner) }
    }
    guard rmdir(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw SystemFailure(code: errno, path: path)
    }
  }

  /// Makes a file's contents, or the names in a folder, survive a power failure.
  static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw SystemFailure(code: errno, path: path) }
    defer { close(file) }
    try synchronize(file, path)
  }

  private static func synchronize(_ file: Int32, _ path: String) throws {
    #if canImport(Darwin)
      // On Apple's systems `fsync` leaves the bytes in the drive's cache.
      if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(file) == 0 else { throw SystemFailure(code: errno, path: path) }
  }

  /// Writes a small file atomically, and so that it survives a power failure.
  static func write(_ data: Data, to path: String) throws {
    let temporary = path + ".partial"
    try unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemFailure(code: errno, path: temporary) }
    do {
      defer { close(file) }
      try data.withUnsafeBytes { try write($0, to: file, temporary) }
      try synchronize(file, temporary)
    } catch {
      Foundation.unlink(temporary)
      throw error
    }
    try rename(temporary, to: path)
    try synchronize((path as NSString).deletingLastPathComponent)
  }

  static func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ path: String,
    _ write: (Int32, UnsafeRawPointer?, Int) -> Int = { Foundation.write($0, $1, $2) }
  ) throws {
    var position = 0
    while position < bytes.count {
      let count = write(file, bytes.baseAddress?.advanced(by: position), bytes.count - position)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure(code: errno, path: path)
      }
      // Nothing was written and there was no error: stop, since this could repeat forever.
      guard count > 0 else { throw SystemFailure(code: EIO, path: path) }
      position += count
    }
  }

  static func read(_ path: String) throws -> Data {
    var data = Data()
    _ = try pieces(of: path, length: 64 << 10) { data.append(contentsOf: $0) }
    return data
  }

  static func digest(
    of path: String, _ afterPiece: (Int64) throws -> Void = { _ in }
  ) throws -> (sha256: String, size: Int64) {
    var digest = SHA256()
    let size = try pieces(of: path, afterPiece) { digest.update($0) }
    return (digest.finalize().hexadecimal, size)
  }

  /// Copies a file with its permissions, writes the copy to disk, and returns its SHA-256 and size. It needs a constant
  /// amount of memory.
  static func copy(
    _ path: String, to destination: String, _ afterPiece: (Int64) throws -> Void
  ) throws -> (sha256: String, size: Int64) {
    guard let status = try statusOfTarget(path) else {
      throw SystemFailure(code: ENOENT, path: path)
    }
    let file = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemFailure(code: errno, path: destination) }
    defer { close(file) }
    var digest = SHA256()
    let size = try pieces(of: path, afterPiece) {
      digest.update($0)
      try write($0, to: file, destination)
    }
    fchmod(file, status.mode & 0o777)
    try synchronize(file, destination)
    return (digest.finalize().hexadecimal, size)
  }

  private static func pieces(
    of path: String, length: Int = 1 << 20, _ afterPiece: (Int64) throws -> Void = { _ in },
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int64 {
    // Without `O_NONBLOCK`, opening a FIFO would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw SystemFailure(code: errno, path: path) }
    defer { close(file) }
    var found = stat()
    guard fstat(file, &found) == 0 else { throw SystemFailure(code: errno, path: path) }
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw BackupError(.system(EINVAL), "'\(path)' is not a regular file.")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
    defer { buffer.deallocate() }
    var total: Int64 = 0
    while true {
      let count = Foundation.read(file, buffer.baseAddress, length)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure(code: errno, path: path)
      }
      if count == 0 { return total }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += Int64(count)
      try afterPiece(total)
    }
  }

  /// Takes a lock that ends with the process; `nil` if another process has it.
  static func lock(_ path: String) throws -> Int32? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw SystemFailure(code: errno, path: path) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
    let code = errno
    close(file)
    if code == EWOULDBLOCK { return nil }
    throw SystemFailure(code: code, path: path)
  }

  /// Releases a lock. If this only closed the file, a child process that was just forked could keep the lock.
  static func unlock(_ file: Int32) {
    flock(file, LOCK_UN)
    close(file)
  }

  static func freeSpace(_ folder: String) throws -> Int64 {
    var found = statvfs()
    guard statvfs(folder, &found) == 0 else { throw SystemFailure(code: errno, path: folder) }
    let free = Int64(found.f_bavail) * Int64(found.f_frsize)
    #if os(macOS) || os(iOS) || os(visionOS)
      // To make room, these systems remove files that they can download again. They report 0 if they do not know the
      // amount.
      let values = try? URL(fileURLWithPath: folder)
        .resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
      return max(free, values?.volumeAvailableCapacityForImportantUsage ?? 0)
    #else
      return free
    #endif
  }
}
