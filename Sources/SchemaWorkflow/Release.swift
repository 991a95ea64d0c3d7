package import SchemaDiagnostics
package import SchemaModel

extension Rule {
  static let notReleasable = Rule(
    "not-releasable", "A version is released as it stands in the lock, and with its files current",
    basis: Basis("manifest.md, lock", .certain))
}

/// Marks versions as shipped, once everything that follows from them is as it should be.
package struct Release: Sendable {
  /// The versions that become released; empty when they are already, or when something is in the way.
  package let versions: [VersionNumber]
  package let diagnostics: [Diagnostic]
  /// For snippets.
  package let sources: [String: String]
  private let lock: SchemaLock
  private let lockPath: String

  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - number: The version to release, with all before it; nil for the newest.
  package init(_ path: String, upTo number: VersionNumber?, fileSystem: some FileSystem) {
    let generation = Generation(path, isFresh: true, fileSystem: fileSystem)
    var diagnostics = generation.diagnostics
    sources = generation.folder?.sources ?? [:]
    lockPath = Path.join(path, SchemaLock.fileName)
    var lock = SchemaLock()
    var versions: [VersionNumber] = []
    let known = generation.folder?.versions.map(\.number) ?? []
    if !diagnostics.hasErrors {
      if let change = generation.changes.first {
        diagnostics.append(
          Diagnostic(
            .notReleasable, "'\(change.path)' is not up to date", at: nil,
            help: ["run 'schemagen generate', look at what changed, and try again"]))
      } else if let number, !known.contains(number) {
        diagnostics.append(
          Diagnostic(
            .notReleasable, "there is no version \(number.name)", at: nil,
            help: ["there are: " + known.map(\.name).joined(separator: ", ")]))
      } else if let bytes = try? fileSystem.read(lockPath, limit: SchemaFolder.readLimit) {
        lock = SchemaLock.read(SourceFile(path: lockPath, bytes: bytes)).lock
        if let last = number ?? known.last { versions = lock.release(upTo: last) }
      }
    }
    self.lock = lock
    self.versions = versions
    self.diagnostics = diagnostics.reportOrder
  }

  /// Writes the lock.
  ///
  /// - Throws: `FileSystemError`.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    guard !versions.isEmpty else { return }
    try fileSystem.write(Array(lock.text.utf8), to: lockPath)
  }
}
