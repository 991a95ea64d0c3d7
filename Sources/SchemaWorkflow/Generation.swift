internal import Crypto
package import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering

/// One run of `generate`: what is there, what should be, and the difference. Nothing is written until `write()`.
package struct Generation: Sendable {
  package enum Action: String, Sendable, CaseIterable {
    case create, update, remove
  }

  /// What has to be done to one file.
  package struct Change: Sendable, Equatable {
    package var action: Action
    package var path: String
    /// Empty for a removal.
    package var contents: [UInt8]
    /// What stands there now; nil for a new file.
    package var previous: [UInt8]?
  }

  /// Nil when the bytes of manifests and generated files already show that nothing is to be done.
  package let folder: SchemaFolder?
  /// Sorted by path; empty when everything is as it should be, or when there are errors.
  package let changes: [Change]
  /// How many generated files are as they should be.
  package let unchanged: Int
  /// The folder's findings and those of the lock and of the files on disk, sorted.
  package let diagnostics: [Diagnostic]
  /// Whether errors lie in files and manifests themselves, rather than in what changed between them.
  package let isMalformed: Bool

  /// Raised whenever the same manifests give other files than before. A test holds it to the reference outputs.
  package static let revision = 1

  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - isFresh: Whether to render everything, also where the lock says that nothing changed.
  package init(_ path: String, isFresh: Bool = false, fileSystem: some FileSystem) {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    let input = manifests.fingerprint()
    var diagnostics: [Diagnostic] = []
    var isMalformed = false
    var plan = FilePlan()
    var folder: SchemaFolder?
    do throws(FileSystemError) {
      let lockPath = Path.join(path, SchemaLock.fileName)
      var previous = SchemaLock()
      if let bytes = try fileSystem.read(lockPath, limit: SchemaFolder.readLimit) {
        let read = SchemaLock.read(SourceFile(path: lockPath, bytes: bytes))
        previous = read.lock
        diagnostics += read.diagnostics
        isMalformed = read.diagnostics.hasErrors
        plan.lock = bytes
      }
      if !isFresh, !isMalformed, previous.input == input,
        let count = try FilePlan.countAsGenerated(previous, manifests, fileSystem)
      {
        plan.unchanged = count
      } else {
        let understood = SchemaFolder(manifests, fileSystem: fileSystem)
        folder = understood
        diagnostics += understood.diagnostics
        isMalformed = isMalformed || understood.isMalformed
        if let evolution = understood.evolution, !diagnostics.hasErrors {
          diagnostics += previous.diagnostics(evolution, lockPath: lockPath)
          if !diagnostics.hasErrors {
            // What was found is to be found again: only a clean run can be skipped.
            let isClean = diagnostics.isEmpty && understood.history.configuration.templates == nil
            try plan.compare(
              understood, evolution, previous, input: isClean ? input : "", fileSystem: fileSystem)
            diagnostics += plan.diagnostics
          }
        }
      }
    } catch {
      diagnostics.append(
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil))
      isMalformed = true
    }
    self.folder = folder
    changes = diagnostics.hasErrors ? [] : plan.changes.sorted { $0.path < $1.path }
    unchanged = plan.unchanged
    self.diagnostics = diagnostics.reportOrder
    self.isMalformed = isMalformed
  }

  /// Writes all changes or none: what fails halfway is put back as it was.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    var done: [Change] = []
    do throws(FileSystemError) {
      // The lock last: it says what generation gave.
      let isLock = { (change: Change) in change.path.hasSuffix("/" + SchemaLock.fileName) }
      for change in changes.filter({ !isLock($0) }) + changes.filter(isLock) {
        if change.action == .remove {
          try fileSystem.remove(change.path)
        } else {
          try fileSystem.write(change.contents, to: change.path)
        }
        done.append(change)
      }
    } catch {
      for change in done.reversed() {
        if let previous = change.previous {
          try? fileSystem.write(previous, to: change.path)
        } else {
          try? fileSystem.remove(change.path)
        }
      }
      throw error
    }
  }
}

/// Compares what generation gives with what is on disk.
struct FilePlan {
  var changes: [Generation.Change] = []
  var unchanged = 0
  var diagnostics: [Diagnostic] = []
  /// The lock's bytes as they are.
  var lock: [UInt8]?

  /// More than any file that schemagen makes.
  private static let readLimit = 256 * 1024 * 1024

  mutating func compare(
    _ folder: SchemaFolder, _ evolution: Evolution, _ previous: SchemaLock, input: String,
    fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let places = Places(folder: folder.path, configuration: evolution.configuration)
    let present = try places.marked(fileSystem)
    let files = Renderer(templates: folder.templates).files(for: evolution)
    try compare(files, present, places, fileSystem)
    var lock = SchemaLock(evolution, previous: previous)
    lock.output = Self.output(
      files.filter { $0.kind != .owned }.map { (places.path(of: $0), Array($0.contents.utf8)) })
    lock.folders = places.folders
    lock.documentation = evolution.configuration.documentation
    lock.owned = places.owned(evolution)
    // Bytes alone do not move the lock: a comment in a manifest is no change.
    // A run that has something to say is not skipped the next time.
    let input = diagnostics.isEmpty ? input : ""
    lock.input = lock.differsOnlyInInput(from: previous) ? previous.input : input
    compareLock(lock, at: Path.join(folder.path, SchemaLock.fileName))
  }

  private mutating func compare(
    _ files: [GeneratedFile], _ present: [(path: String, bytes: [UInt8])], _ places: Places,
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let marked = Dictionary(present.map { ($0.path, $0.bytes) }) { first, _ in first }
    var wanted: Set<String> = []
    for file in files {
      let path = places.path(of: file)
      guard wanted.insert(path).inserted else {
        foreign(path, "two generated files would be '\(path)'")
        continue
      }
      let contents = Array(file.contents.utf8)
      let bytes: [UInt8]?
      if let known = marked[path] {
        bytes = known
      } else {
        bytes = try fileSystem.read(path, limit: Self.readLimit)
      }
      if file.kind == .owned {
        if let bytes {
          diagnostics += OwnedFileCheck(path: path, written: bytes, wanted: file).diagnostics()
        } else {
          changes.append(
            Generation.Change(action: .create, path: path, contents: contents, previous: nil))
        }
        continue
      }
      guard let bytes else {
        if fileSystem.isFolder(path) { foreign(path, "'\(path)' is a folder") }
        changes.append(
          Generation.Change(action: .create, path: path, contents: contents, previous: nil))
        continue
      }
      if bytes == contents {
        unchanged += 1
      } else if Places.isMarked(bytes) {
        changes.append(
          Generation.Change(action: .update, path: path, contents: contents, previous: bytes))
      } else {
        foreign(path, "'\(path)' is in the way: it does not bear schemagen's mark")
      }
    }
    for file in present where !wanted.contains(file.path) {
      changes.append(
        Generation.Change(action: .remove, path: file.path, contents: [], previous: file.bytes))
    }
  }

  private mutating func foreign(_ path: String, _ message: String) {
    diagnostics.append(
      Diagnostic(
        .foreignFile, message, at: nil,
        help: [
          "move it away, or change where files go or what they are called in schemagen.yaml",
          "if schemagen made it after all: its first line says so, and was edited away",
        ]))
  }

  private mutating func compareLock(_ lock: SchemaLock, at path: String) {
    let contents = Array(lock.text.utf8)
    guard contents != self.lock else { return }
    changes.append(
      Generation.Change(
        action: self.lock == nil ? .create : .update, path: path, contents: contents,
        previous: self.lock))
  }

  // MARK: What did not change

  /// The number of files, when they are to the byte what the last generation gave; else nil.
  static func countAsGenerated(
    _ lock: SchemaLock, _ manifests: ManifestFiles, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Int? {
    guard !lock.output.isEmpty else { return nil }
    let present = try Places.marked(
      in: lock.folders, documentation: lock.documentation, below: manifests.folder, fileSystem)
    guard output(present) == lock.output else { return nil }
    for path in lock.owned {
      let path = Path.join(manifests.folder, path)
      if try fileSystem.read(path, limit: 1) == nil { return nil }
    }
    return present.count
  }

  /// A hash over files, whatever folder the whole lies in.
  private static func output(_ files: [(path: String, bytes: [UInt8])]) -> String {
    var hash = SHA256()
    for file in files.sorted(by: { $0.path < $1.path }) {
      hash.update(data: SHA256.hash(data: file.bytes).withUnsafeBytes { Array($0) })
    }
    return hash.finalize().hex
  }
}

/// Where files of each kind go.
struct Places {
  let folder: String
  let configuration: Configuration

  var output: String { Path.join(folder, configuration.output) }

  func path(of file: GeneratedFile) -> String {
    let root =
      switch file.kind {
      case .generated: output
      case .owned: Path.join(folder, configuration.owned)
      case .test: Path.join(folder, configuration.tests ?? configuration.output)
      case .documentation: folder
      }
    return Path.join(root, file.path)
  }

  /// The owned files that generation would write if they were missing, below the folder of manifests.
  func owned(_ evolution: Evolution) -> [String] {
    let steps = evolution.hops.filter { !$0.ownedFunctions.isEmpty }.map { "\($0.ownedName).swift" }
    return (steps + ["MigrationLog.swift"]).map { Path.join(configuration.owned, $0) }
  }

  /// The folders of generated files, below the folder of manifests.
  var folders: [String] {
    Set([configuration.output] + [configuration.tests].compactMap { $0 }).sorted()
  }

  /// The files that bear the mark, in the folders that schemagen writes to.
  func marked(
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [(path: String, bytes: [UInt8])] {
    try Self.marked(
      in: folders, documentation: configuration.documentation, below: folder, fileSystem)
  }

  static func marked(
    in folders: [String], documentation: String?, below root: String,
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    func look(_ path: String) throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: 256 * 1024 * 1024), isMarked(bytes) else {
        return
      }
      found.append((path, bytes))
    }
    for folder in folders {
      let folder = Path.join(root, folder)
      for name in try fileSystem.list(folder) ?? [] where name.hasSuffix(".swift") {
        try look(Path.join(folder, name))
      }
    }
    if let documentation { try look(Path.join(root, documentation)) }
    return found
  }

  /// Whether a file says in its first line that schemagen made it.
  static func isMarked(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix(200).prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).contains(GeneratedFile.mark + " from ")
  }
}
