internal import CLibYAML
package import SchemaModel

/// Reads a file's YAML into nodes with their places.
package enum YAMLReader {
  /// The size limit in bytes, 4 MiB. Larger files are refused unread.
  package static let largestFile = 4 << 20

  /// The file's root node, and findings about its YAML.
  ///
  /// If the file is empty or its structure cannot be trusted, the node is nil and there is at least one error. A
  /// repeated key, an anchor or a tag is reported and ignored.
  package static func read(_ file: SourceFile) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    let text = SourceBytes(file)
    if let refusal = text.refusal() { return (nil, [refusal]) }
    var builder = TreeBuilder(file: file.path)
    text.contents.withUnsafeBufferPointer { bytes in
      let parser = EventParser(bytes)
      while builder.wantsMore {
        do throws(ParserFailure) {
          try parser.next { builder.take($0) }
        } catch {
          let conflict = MergeConflict.all(in: file).first
          builder.stop(with: conflict?.diagnostic ?? error.diagnostic(in: text))
        }
      }
    }
    return (builder.root, builder.diagnostics)
  }
}
