package import SchemaModel

/// The content of a folder of manifests.
package struct History: Sendable {
  /// Ascending, each number once. With errors in `diagnostics`, what could be read of them.
  package var versions: [SchemaVersion]
  package var configuration: Configuration
  /// Sorted, each once.
  package var diagnostics: [Diagnostic]

  package init(
    versions: [SchemaVersion] = [], configuration: Configuration = Configuration(),
    diagnostics: [Diagnostic] = []
  ) {
    self.versions = versions
    self.configuration = configuration
    self.diagnostics = diagnostics
  }
}
