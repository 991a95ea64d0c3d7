package import SchemaModel

/// Reads one manifest into the version that it describes.
package struct ManifestReader: Sendable {
  package init() {}

  /// The version, and everything that is wrong with the file.
  ///
  /// The version is nil where not even its number is known. With errors it is as much of the manifest as could
  /// be read, good for finding more of them and for nothing else.
  package func read(
    _ file: SourceFile
  ) -> (version: SchemaVersion?, diagnostics: [Diagnostic]) {
    let read = readWithRoot(file)
    return (read.version, read.diagnostics)
  }

  /// Reads the version like `read`, and returns the file's YAML as well.
  func readWithRoot(
    _ file: SourceFile
  ) -> (version: SchemaVersion?, diagnostics: [Diagnostic], root: YAMLNode?) {
    let (root, diagnostics) = YAMLReader.read(file)
    guard let root else { return (nil, diagnostics, nil) }
    var interpreter = NodeInterpreter(diagnostics)
    guard let read = interpreter.version(root) else {
      return (nil, interpreter.findings.diagnostics.reportOrder, root)
    }
    var version = read.version
    version.acceptances += AcceptanceComments(file: file).read(into: &interpreter.findings)
    var resolver = ReferenceResolver(interpreter.references, interpreter.findings)
    resolver.resolve(&version)
    return (read.hasNumber ? version : nil, resolver.findings.diagnostics.reportOrder, root)
  }
}
