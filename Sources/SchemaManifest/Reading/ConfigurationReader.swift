package import SchemaModel

/// Reads `schemagen.yaml`.
package struct ConfigurationReader: Sendable {
  package init() {}

  /// Whether a file is the configuration of its folder rather than a manifest.
  package static func isConfiguration(_ file: SourceFile) -> Bool {
    ["schemagen.yaml", "schemagen.yml"].contains(file.name)
  }

  /// The configuration, with defaults for what is not written or not understood, and what is wrong with it.
  ///
  /// A file that says nothing leaves all defaults.
  package func read(
    _ file: SourceFile
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    let (root, diagnostics) = YAMLReader.read(file)
    guard let root else {
      return (Configuration(), diagnostics.filter { $0.rule != .emptyFile })
    }
    var interpreter = NodeInterpreter(diagnostics)
    let configuration = interpreter.configuration(root)
    return (configuration, interpreter.findings.diagnostics.reportOrder)
  }
}
