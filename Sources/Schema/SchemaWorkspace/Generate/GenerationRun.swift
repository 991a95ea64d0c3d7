internal import SchemaEvolution
package import SchemaModel

/// The result of one `GenerationPipeline.run`.
package struct GenerationRun: Sendable {
  let path: String
  /// Nil until the manifests have been read.
  package internal(set) var folder: SchemaFolder?
  /// The changes, sorted by path; empty if everything is up to date, or if there are errors.
  package var changes: [FileChange] {
    diagnostics.hasErrors ? [] : plan.changes
  }
  package var unchanged: Int { plan.unchanged }
  package private(set) var diagnostics: [Diagnostic]
  package internal(set) var isMalformed: Bool
  var plan = FilePlan()

  init(_ path: String, _ lock: LockFile) {
    self.path = path
    diagnostics = lock.diagnostics.reportOrder
    isMalformed = lock.diagnostics.hasErrors
  }

  mutating func report(_ found: [Diagnostic]) {
    diagnostics = (diagnostics + found).reportOrder
  }

  mutating func fail(_ error: FileSystemError) {
    report([
      Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)
    ])
    isMalformed = true
  }

  /// Removes findings that edits of shipped versions cause. If a step leads to a shipped version, the help of its other
  /// findings names how to correct or accept a shipped step.
  mutating func withdrawStepsAtEdits(_ evolution: Evolution, shipped: Set<VersionNumber>) {
    diagnostics = diagnostics.withoutStepsAtEdits(evolution)
      .namingCorrections(evolution, shipped: shipped)
  }

  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}
