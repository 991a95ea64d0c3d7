package import SchemaManifest
package import SchemaModel

/// The contents of a folder of manifests without what follows from them, for callers who only need its names.
package struct ManifestHistory: Sendable {
  /// The path as the user named it.
  package let path: String
  package let files: [SourceFile]
  package let history: History
  /// The findings of reading, sorted.
  package let diagnostics: [Diagnostic]

  package init(_ path: String, fileSystem: some FileSystem) {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    self.init(
      path, files: manifests.files, bases: manifests.bases, diagnostics: manifests.diagnostics)
  }

  /// Parses files that are in memory.
  ///
  /// - Parameter bases: The files that the configuration extends; nil to ignore `extends:`.
  package init(
    _ path: String, files: [SourceFile], bases: ConfigurationBases? = nil,
    diagnostics: [Diagnostic] = []
  ) {
    self.path = path
    self.files = files
    // If files could not be read, a missing manifest is not reported as well.
    history =
      diagnostics.hasErrors && files.isEmpty
      ? History() : HistoryReader().read(files, bases: bases)
    self.diagnostics = (diagnostics + history.diagnostics).reportOrder
  }
}
