package import SchemaModel

/// Reads one manifest into the version that it describes.
package struct ManifestReader: Sendable {
  package init() {}

  /// Returns the version, and everything that is wrong with the file.
  ///
  /// The version is nil if its number is unknown. If there are errors, the version contains what could be read, and
  /// serves only to find more errors.
  package func read(
    _ file: SourceFile
  ) -> (version: SchemaVersion?, diagnostics: [Diagnostic]) {
    let read = readWithRoot(file)
    return (read.version, read.diagnostics)
  }

  func readWithRoot(
    _ file: SourceFile
  ) -> (version: SchemaVersion?, diagnostics: [Diagnostic], root: YAMLNode?) {
    let (root, diagnostics) = YAMLReader.read(file)
    guard let root else { return (nil, diagnostics, nil) }
    let read = read(root, diagnostics, commentsOf: file)
    return (read.version, read.diagnostics, root)
  }

  /// Reads a version from YAML nodes, and reports everything that is wrong with them.
  ///
  /// - Parameters:
  ///   - diagnostics: Findings about the YAML.
  ///   - file: The file of the nodes, whose comments may accept findings; nil for nodes without a file.
  package func read(
    _ root: YAMLNode, _ diagnostics: [Diagnostic] = [], commentsOf file: SourceFile? = nil
  ) -> (version: SchemaVersion?, diagnostics: [Diagnostic]) {
    var interpreter = NodeInterpreter(diagnostics)
    guard let read = interpreter.version(root) else {
      return (nil, interpreter.findings.diagnostics.reportOrder)
    }
    var version = read.version
    if let file {
      version.acceptances += AcceptanceComments(file: file).read(into: &interpreter.findings)
    }
    var resolver = ReferenceResolver(interpreter.references, interpreter.findings)
    resolver.resolve(&version)
    return (read.hasNumber ? version : nil, resolver.findings.diagnostics.reportOrder)
  }
}
