package import SchemaModel

/// The content of a folder of manifests.
package struct History: Sendable {
  /// The versions in ascending order, each number once. If `diagnostics` has errors, they are incomplete.
  package var versions: [SchemaVersion]
  package var configuration: Configuration
  /// The findings, sorted and without duplicates.
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
