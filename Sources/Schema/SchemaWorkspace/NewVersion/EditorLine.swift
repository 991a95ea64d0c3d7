internal import SchemaModel

/// The first line of a file, which gives the JSON Schema's address to editors' YAML language server.
///
/// It is the schema of the schemagen that wrote the line: a newer one knows keys that this one refuses.
package enum EditorLine: String, Sendable {
  case manifest
  case configuration = "schemagen"

  /// The line, for this version of schemagen.
  package var text: String { Self.start + Project.version + end }

  private static let start = "# yaml-language-server: $schema=\(Project.files)/v"
  private var end: String { "/Schemas/\(rawValue).schema.json" }

  /// Updates a line that schemagen wrote to this version. A line of the user's own stays, and none is added.
  package func updated(in text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix(Self.start), line.hasSuffix(end),
      !line.dropFirst(Self.start.count).dropLast(end.count).contains("/")
    else { return text }
    return self.text + text.dropFirst(line.count)
  }
}
