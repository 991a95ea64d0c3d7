internal import Foundation
package import SchemaModel
internal import SchemaWorkspace

/// The Swift files below some folders.
///
/// They are read with POSIX calls. Even in the debug build that a plugin runs, thousands of files take milliseconds.
package struct SourceTree: Sendable {
  package struct Reading: Sendable {
    package var files: [SourceFile] = []
    /// The files that are not UTF-8, with unchanged bytes.
    package var undecoded: [SourceFile] = []
    package var diagnostics: [Diagnostic] = []
    /// The number of Swift files, including those that the prefilter excluded.
    package var count = 0
    package var entitlements: [String] = []

    package init(files: [SourceFile] = []) {
      self.files = files
      count = files.count
    }

    package var all: [SourceFile] { files + undecoded }
  }

  /// The size limit in bytes. Larger files are not handwritten.
  package static let readLimit = 8 * 1024 * 1024

  private let paths: [String]
  private let excluded: [String]
  private let progress: WorkObserver?

  /// - Parameters:
  ///   - folders: Folders, and single files, which are read whatever their names are.
  ///   - excluded: Folders and files that are left out with everything in them. Any path to one of them will do.
  ///   - progress: Is notified of the number of files read.
  package init(
    folders: [String], excluding excluded: [String] = [], progress: WorkObserver? = nil
  ) {
    paths = folders
    self.progress = progress
    self.excluded = excluded
  }

  /// The paths of entitlements files, sorted. No Swift file is read for them.
  package var entitlements: [String] {
    var walk = SourceWalk(excluding: excluded)
    walk.visit(paths)
    return walk.entitlements.sorted()
  }

  package var buildSettings: [SourceFile] {
    var walk = SourceWalk(excluding: excluded)
    walk.visit(paths)
    return walk.buildSettings.sorted().compactMap(SourceFile.init(onDisk:))
  }

  /// Reads all Swift files, and returns those that the prefilter passes.
  ///
  /// Hidden folders, folders of package managers and of Xcode, and links to folders are skipped.
  package func files(containing prefilter: Prefilter) -> Reading {
    var walk = SourceWalk(excluding: excluded)
    walk.visit(paths)
    walk.followLinks()
    let found = walk.files
    var reading = Reading()
    reading.diagnostics = walk.diagnostics
    reading.count = found.count
    reading.entitlements = walk.entitlements.sorted()
    // The files of a chunk share one buffer. A chunk is large enough to make distribution cheap.
    let size = 64
    let read = Locked(0)
    let chunks = concurrentMap((found.count + size - 1) / size) { index in
      let chunk = found[(index * size)..<min(found.count, (index + 1) * size)]
      let reading = Self.read(chunk, prefilter)
      // The lock keeps reports in order, so the number never decreases.
      read.withLock { count in
        count += chunk.count
        progress?("reading Swift files", count, found.count)
      }
      return reading
    }
    for chunk in chunks {
      reading.files += chunk.files
      reading.undecoded += chunk.undecoded
      reading.diagnostics += chunk.diagnostics
    }
    reading.files.sort { $0.path < $1.path }
    reading.diagnostics = reading.diagnostics.reportOrder
    return reading
  }

  private static func read(_ paths: ArraySlice<String>, _ prefilter: Prefilter) -> Reading {
    // Pages of the buffer that no file reaches are never allocated.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readLimit + 1, alignment: 16)
    defer { buffer.deallocate() }
    var reading = Reading()
    for path in paths {
      switch fill(buffer, from: path) {
      case .failure(let error):
        reading.diagnostics.append(.unreadable(path, error.reason))
      case .success(let count) where count > readLimit:
        reading.diagnostics.append(
          .notLookedAt(path, "has more than \(readLimit / 1024 / 1024) MiB"))
      case .success(let count):
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let isWide = SourceFile.isWide(bytes)
        guard isWide || prefilter.matches(bytes) else { continue }
        if isWide || String(bytes: bytes, encoding: .utf8) == nil {
          reading.undecoded.append(SourceFile(path: path, bytes: Array(bytes)))
          reading.diagnostics.append(.undecoded(path))
        } else {
          let file = SourceFile(path: path, bytes: Array(bytes))
          if let obstacle = NestingCheck.obstacle(in: file.bytes) {
            reading.diagnostics.append(.unreadable(path, "it " + obstacle))
          } else {
            reading.files.append(file)
          }
        }
      }
    }
    return reading
  }

  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from path: String
  ) -> Result<Int, FileSystemError> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(.latest(path)) }
    defer { close(descriptor) }
    return Disk.fill(buffer, from: descriptor, at: path)
  }
}

extension Diagnostic {
  fileprivate static func unreadable(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .unreadable, "'\(path)' cannot be read: \(reason)", at: SourceLocation(file: path))
  }

  package static func undecoded(_ path: String) -> Diagnostic {
    unreadable(path, "it is not UTF-8")
  }

  fileprivate static func notLookedAt(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .unreadable, "'\(path)' \(reason), and is skipped", at: SourceLocation(file: path),
      severity: .note)
  }
}

private struct SourceWalk {
  private(set) var files: [String] = []
  private(set) var entitlements: [String] = []
  private(set) var buildSettings: [String] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Folders and files that were visited or are excluded. A file system may contain itself, and users may name a
  /// folder twice.
  private var closed: Set<FileIdentity>
  /// Files that the user named, which a folder may contain as well.
  private var single: Set<FileIdentity> = []
  /// Whether any path is excluded. If none is, the identity of files need not be compared.
  private let excludesAny: Bool

  /// Links to files. A linked file may also be found directly.
  private var links: [(path: String, end: FileIdentity)] = []

  private static let foreign: Set<String> = ["DerivedData", "Pods", "Carthage", "node_modules"]

  init(excluding paths: [String]) {
    closed = Set(paths.compactMap { FileStatus($0)?.identity })
    excludesAny = !closed.isEmpty
  }

  /// Visits the folders and files that the user named, whatever their names are.
  mutating func visit(_ paths: [String]) {
    var folders: [String] = []
    // Files come first, because a later folder may contain them.
    for path in paths {
      guard let status = FileStatus(path) else {
        diagnostics.append(.unreadable(path, FileSystemError.latest(path).reason))
        continue
      }
      if status.isFolder {
        folders.append(path)
      } else if !status.isFile {
        diagnostics.append(.unreadable(path, "it is a device or a pipe, not a file"))
      } else if !closed.contains(status.identity), single.insert(status.identity).inserted {
        files.append(path)
      }
    }
    for path in folders {
      walk(
        path == "." ? "" : path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
  }

  /// Adds each linked file that was not found directly, once.
  mutating func followLinks() {
    guard !links.isEmpty else { return }
    var known = Set(files.compactMap { FileStatus($0)?.identity })
    for link in links.sorted(by: { $0.path < $1.path }) where known.insert(link.end).inserted {
      files.append(link.path)
    }
  }

  private mutating func walk(_ folder: String) {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else {
      diagnostics.append(.unreadable(folder, FileSystemError.latest(folder).reason))
      return
    }
    defer { closedir(stream) }
    guard let status = FileStatus(descriptor: dirfd(stream)),
      closed.insert(status.identity).inserted
    else { return }
    let prefix = folder.isEmpty || folder == "/" ? folder : folder + "/"
    var folders: [String] = []
    while let entry = readdir(stream) {
      let type = Int32(entry.pointee.d_type)
      let number = UInt64(entry.pointee.d_ino)
      // In Swift, C's array is a tuple. It is larger than the name, and begins with the name.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let isSwift = name.hasSuffix(".swift")
      if type == Int32(DT_REG), name.hasSuffix(".entitlements") {
        entitlements.append(prefix + name)
      }
      if BuildSettings.isRead(name) { buildSettings.append(prefix + name) }
      if name.hasSuffix(".xcodeproj") { buildSettings.append(prefix + name + "/project.pbxproj") }
      if type == Int32(DT_DIR) {
        if Self.isOwn(name) { folders.append(prefix + name) }
      } else if isSwift, type == Int32(DT_REG) {
        if isOpen(FileIdentity(device: status.identity.device, number: number)) {
          files.append(prefix + name)
        }
      } else if type == Int32(DT_UNKNOWN) || (isSwift && type == Int32(DT_LNK)) {
        // Some file systems do not report the type. For a link, only the target's type matters.
        guard let end = FileStatus(prefix + name, followsLinks: type == Int32(DT_LNK)) else {
          // A broken link is ignored.
          if type != Int32(DT_LNK) {
            diagnostics.append(
              .unreadable(prefix + name, FileSystemError.latest(prefix + name).reason))
          }
          continue
        }
        if end.isFolder, type != Int32(DT_LNK), Self.isOwn(name) {
          folders.append(prefix + name)
        } else if end.isFile, isSwift, isOpen(end.identity) {
          if type == Int32(DT_LNK) {
            links.append((prefix + name, end.identity))
          } else {
            files.append(prefix + name)
          }
        }
      }
    }
    for path in folders { walk(path) }
  }

  private func isOpen(_ file: FileIdentity) -> Bool {
    (!excludesAny || !closed.contains(file)) && (single.isEmpty || !single.contains(file))
  }

  private static func isOwn(_ name: String) -> Bool {
    !foreign.contains(name) && !name.hasSuffix(".xcassets") && !name.hasSuffix(".xcodeproj")
  }
}

private struct FileIdentity: Hashable {
  var device: UInt64
  var number: UInt64
}

private struct FileStatus {
  let identity: FileIdentity
  let isFolder: Bool
  let isFile: Bool

  init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isFile = status.st_mode & S_IFMT == S_IFREG
  }
}

extension SourceFile {
  /// Whether the text is UTF-16, in which no search finds anything.
  package static func isWide(_ bytes: some Collection<UInt8>) -> Bool {
    let mark = Array(bytes.prefix(2))
    return mark == [0xFE, 0xFF] || mark == [0xFF, 0xFE]
  }

  package var isWide: Bool { Self.isWide(bytes) }
}
