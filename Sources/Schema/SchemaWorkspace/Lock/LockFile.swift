package import SchemaModel

extension SchemaFolder {
  package static func lock(in folder: String, fileSystem: some FileSystem) -> SchemaLock {
    LockFile(folder, fileSystem: fileSystem).trusted ?? SchemaLock()
  }

  package static func lockProblems(
    in folder: String, fileSystem: some FileSystem
  ) -> [Diagnostic] {
    LockFile(folder, fileSystem: fileSystem).diagnostics
  }
}

extension SchemaFolder {
  /// The lock of a folder after an edit of a released version that changes neither stores nor rows. Nil if the lock
  /// does not mark the version as released.
  package static func lock(
    in folder: String, following version: SchemaVersion, fileSystem: some FileSystem
  ) -> SourceFile? {
    let file = LockFile(folder, fileSystem: fileSystem)
    guard var lock = file.trusted, lock.released.contains(version.number) else { return nil }
    lock.note(VersionDigest(version), of: version.number)
    return SourceFile(path: file.path, text: lock.text)
  }
}

/// The lock as it is on disk.
struct LockFile: Sendable {
  let path: String
  let lock: SchemaLock
  let file: SourceFile?
  let diagnostics: [Diagnostic]

  var isThere: Bool { file != nil }
  /// The lock; nil if it is broken and its marks are therefore unknown.
  var trusted: SchemaLock? { diagnostics.hasErrors ? nil : lock }

  init(_ folder: String, fileSystem: some FileSystem) {
    path = Path.join(folder, SchemaLock.fileName)
    var lock = SchemaLock()
    var found: SourceFile?
    var diagnostics: [Diagnostic] = []
    do throws(FileSystemError) {
      if let file = try Self.file(in: folder, fileSystem) {
        (lock, diagnostics) = SchemaLock.read(file)
        found = file
      } else if try fileSystem.list(folder)?.contains(SchemaLock.fileName) ?? false {
        // A folder with that name, or a broken link, is not just a missing lock.
        diagnostics = [
          Diagnostic(.unreadable, "'\(path)' cannot be read: it is not a file", at: nil)
        ]
      }
    } catch {
      diagnostics = [
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)
      ]
    }
    self.lock = lock
    file = found
    self.diagnostics = diagnostics
  }

  static func file(
    in folder: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> SourceFile? {
    let path = Path.join(folder, SchemaLock.fileName)
    return try fileSystem.read(path, limit: SchemaFolder.readLimit).map {
      SourceFile(path: path, bytes: $0)
    }
  }
}
