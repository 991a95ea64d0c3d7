package import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
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
  package static let revision = 3

  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - isFresh: Whether to render everything, also where the lock says that nothing changed.
  package init(_ path: String, isFresh: Bool = false, fileSystem: some FileSystem) {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    var diagnostics: [Diagnostic] = []
    var isMalformed = false
    var plan = FilePlan()
    var folder: SchemaFolder?
    do throws(FileSystemError) {
      let lock = LockFile(path, fileSystem: fileSystem)
      let previous = lock.lock
      let input = manifests.fingerprint(previous.frozenHashes)
      diagnostics += lock.diagnostics
      isMalformed = lock.diagnostics.hasErrors
      plan.lock = lock.file?.bytes
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
          diagnostics += previous.diagnostics(evolution, lockPath: lock.path)
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
    try Self.write(changes, to: fileSystem)
  }

  /// Writes files that are not there yet: all of them, or none.
  package static func create(
    _ files: [SourceFile], on fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let changes = files.map {
      Change(action: .create, path: $0.path, contents: $0.bytes, previous: nil)
    }
    try write(changes, to: fileSystem)
  }

  /// Writes all of some changes, or none.
  static func write(_ changes: [Change], to fileSystem: some FileSystem) throws(FileSystemError) {
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
