package import SchemaModel

/// The content of a folder of manifests.
package struct History: Sendable {
  /// The versions in ascending order, each number once. They are incomplete if `diagnostics` has errors.
  package var versions: [SchemaVersion]
  package var configuration: Configuration
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
