internal import SchemaEvolution
package import SchemaModel

/// The result of one `GenerationPipeline.run`.
package struct GenerationRun: Sendable {
  /// The folder of manifests, as the user named it.
  let path: String
  /// Nil if the bytes of manifests and generated files already show that nothing must be done.
  package internal(set) var folder: SchemaFolder?
  /// The changes, sorted by path; empty if everything is up to date, or if there are errors.
  package var changes: [FileChange] {
    diagnostics.hasErrors ? [] : plan.changes
  }
  /// How many generated files are up to date.
  package var unchanged: Int { plan.unchanged }
  /// The findings of the folder, of the lock and of the files on disk, sorted.
  package private(set) var diagnostics: [Diagnostic]
  /// Whether errors lie in files and manifests themselves, rather than in changes between them.
  package internal(set) var isMalformed: Bool
  /// The changes to files; empty until the last stage.
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

  /// Removes findings that are due to edits of shipped versions, and adds to others what else an answer in a shipped
  /// version needs.
  mutating func withdrawStepsAtEdits(_ evolution: Evolution, shipped: Set<VersionNumber>) {
    diagnostics = diagnostics.withoutStepsAtEdits(evolution)
      .namingCorrections(evolution, shipped: shipped)
  }

  /// Writes all changes or none.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: path, to: fileSystem)
  }
}
