package import SchemaManifest
package import SchemaModel

/// The parsed manifests of a folder without `SchemaFolder`'s analysis, for callers that only need names.
package struct ManifestHistory: Sendable {
  package let path: String
  package let files: [SourceFile]
  package let history: History
  package let diagnostics: [Diagnostic]

  package init(_ path: String, fileSystem: some FileSystem) {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    self.init(
      path, files: manifests.files, bases: manifests.bases, diagnostics: manifests.diagnostics)
  }

  /// - Parameter bases: The files that the configuration extends. Nil to ignore `extends:`.
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
