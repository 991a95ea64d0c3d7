package import SchemaModel

/// Reads `schemagen.yaml`.
package struct ConfigurationReader: Sendable {
  package init() {}

  package static func isConfiguration(_ file: SourceFile) -> Bool {
    ["schemagen.yaml", "schemagen.yml"].contains(file.name)
  }

  /// The well-formed paths under a file's `extends:`, in order.
  package static func links(in file: SourceFile) -> [String] { ConfigurationChain.links(in: file) }

  /// Reads the configuration, and reports what is wrong with it. Anything missing or malformed has its default.
  ///
  /// - Parameter bases: The files that the configuration extends; nil to ignore `extends:`.
  package func read(
    _ file: SourceFile, bases: ConfigurationBases? = nil
  ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    var chain = ConfigurationChain(bases)
    guard let root = chain.tree(file) else {
      return (Configuration(), chain.diagnostics.filter { $0.rule != .emptyFile })
    }
    var interpreter = NodeInterpreter(chain.diagnostics)
    let configuration = interpreter.configuration(root)
    return (configuration, interpreter.findings.diagnostics.reportOrder)
  }
}
