internal import SchemaModel

/// The first line of a file, which gives editors' YAML language server the address of the JSON Schema.
///
/// The address is that of the schemagen that wrote the line, since a newer schemagen knows keys that this one refuses.
package enum EditorLine: String, Sendable {
  case manifest
  case configuration = "schemagen"

  package var text: String { Self.start + Project.version + end }

  /// The line, or nothing as long as its address does not exist.
  var heading: String { Project.isPublished ? text + "\n" : "" }

  private static let start = "# yaml-language-server: $schema=\(Project.files)/v"
  private var end: String { "/Schemas/\(rawValue).schema.json" }

  /// Updates a line written by schemagen to this version. A line that a user wrote stays, and a text without such a
  /// line gets none.
  package func updated(in text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix(Self.start), line.hasSuffix(end),
      !line.dropFirst(Self.start.count).dropLast(end.count).contains("/")
    else { return text }
    return self.text + text.dropFirst(line.count)
  }
}
