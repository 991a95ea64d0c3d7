package import SchemaManifest
package import SchemaModel

/// What a folder of manifests says, and no more: for those who want its names and not what follows from them.
package struct ManifestHistory: Sendable {
  /// As the user named it.
  package let path: String
  package let files: [SourceFile]
  package let history: History
  /// What was found while reading, sorted.
  package let diagnostics: [Diagnostic]

  package init(_ path: String, fileSystem: some FileSystem) {
    let manifests = ManifestFiles(path, fileSystem: fileSystem)
    self.init(
      path, files: manifests.files, bases: manifests.bases, diagnostics: manifests.diagnostics)
  }

  /// Reads files that are in memory.
  ///
  /// - Parameter bases: What the configuration extends; nil to leave `extends:` alone.
  package init(
    _ path: String, files: [SourceFile], bases: ConfigurationBases? = nil,
    diagnostics: [Diagnostic] = []
  ) {
    self.path = path
    self.files = files
    // What could not be read is told; that there is no manifest would be told in vain.
    history =
      diagnostics.hasErrors && files.isEmpty
      ? History() : HistoryReader().read(files, bases: bases)
    self.diagnostics = (diagnostics + history.diagnostics).reportOrder
  }
}
