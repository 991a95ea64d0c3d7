internal import Foundation
internal import SchemaWorkspace

/// A temporary folder for files until all of them are complete.
///
/// A lock that ends with the process distinguishes it from folders of killed runs, which the next run removes.
final class WorkFolder {
  let url: URL
  private let prefix: String
  private let suffix: String
  private var descriptor: Int32 = -1

  init(in parent: URL, prefix: String, suffix: String = "") {
    self.prefix = prefix
    self.suffix = suffix
    url = parent.appending(
      path: "\(prefix)\(UUID().uuidString.prefix(Self.keyLength))\(suffix)",
      directoryHint: .isDirectory)
  }

  private static let keyLength = 8

  /// Creates an empty folder, and removes the folders of killed runs.
  func make() throws {
    removeLeftovers()
    repeat {
      remove()
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 || errno == ENOENT else { throw FileSystemError.latest(url.path) }
      // Another run may have mistaken this new folder for a killed run's, and may be removing it. `flock` waits for
      // that run. On a file system without locks there is no wait, but no run removes folders there.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    } while access(url.path, F_OK) != 0
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func removeLeftovers() {
    let parent = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where isOfRun(name) {
      let folder = parent.appending(path: name)
      let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(at: folder)
      }
    }
  }

  private func isOfRun(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let key = name.dropFirst(prefix.count).dropLast(suffix.count)
    return key.count == Self.keyLength && key.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
