import SchemaModel
import Testing

/// A manifest with one mistake, and its finding.
struct BadManifest: Sendable, CustomTestStringConvertible {
  var text: String
  var rule: String
  var line: Int
  var column: Int
  /// A part of the message or the help.
  var fragment: String

  init(_ text: String, _ rule: String, _ line: Int, _ column: Int, _ fragment: String) {
    self.text = text
    self.rule = rule
    self.line = line
    self.column = column
    self.fragment = fragment
  }

  /// Properties of a model `M`, from line 4 on, in column 7.
  static func properties(
    _ lines: String, _ rule: String, _ line: Int, _ column: Int, _ fragment: String
  ) -> BadManifest {
    let body = lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "      \($0)\n" }.joined()
    return BadManifest(
      "version: 1.0.0\nmodels:\n  M: { properties: {} }\n", rule, line, column, fragment
    )
    .replacing("  M: { properties: {} }\n", with: "  M:\n    properties:\n" + body)
  }

  /// Keys of the model `M` with a property `a`, from line 5 on, in column 5.
  static func model(
    _ lines: String, _ rule: String, _ line: Int, _ column: Int, _ fragment: String
  ) -> BadManifest {
    let body = lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    return BadManifest(
      "version: 1.0.0\nmodels:\n  M:\n    properties: { a: Int, b: Int }\n" + body, rule, line,
      column, fragment)
  }

  /// Keys of the manifest, from line 3 on.
  static func top(
    _ lines: String, _ rule: String, _ line: Int, _ column: Int, _ fragment: String
  ) -> BadManifest {
    BadManifest(
      "version: 1.0.0\nmodels: { M: { properties: { a: Int } } }\n" + lines + "\n", rule, line,
      column, fragment)
  }

  private func replacing(_ part: String, with other: String) -> BadManifest {
    var copy = self
    copy.text = text.split(separator: part, omittingEmptySubsequences: false)
      .joined(separator: other)
    return copy
  }

  var testDescription: String { "\(rule): \(text.suffix(80))" }

  /// Checks that reading reports exactly this.
  func check(_ diagnostics: [Diagnostic]) throws {
    let found = try #require(
      diagnostics.first { $0.rule.id == rule },
      "\(diagnostics.map { "\($0.rule.id): \($0.message)" }) in \(text)")
    #expect(found.location?.line == line, "\(text)")
    #expect(found.location?.column == column, "\(text)")
    let words = ([found.message] + found.help).joined(separator: "\n")
    #expect(words.contains(fragment), "\(words)")
    #expect(
      diagnostics.count == 1,
      "\(diagnostics.map { "\($0.rule.id): \($0.message)" }) in \(text)")
  }
}
