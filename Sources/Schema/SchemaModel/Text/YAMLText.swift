/// Texts as YAML writes them: for manifests, and for messages that print pieces of manifests.
package enum YAMLText {
  /// Where a scalar is, which decides which characters YAML interprets.
  package enum Place: Hashable, Sendable {
    /// After a key or a dash, to the end of its line.
    case block
    /// Between brackets: `{ type: String }`.
    case flow
  }

  /// Whether a text reads as itself without quotes.
  package static func isPlain(_ text: String, in place: Place) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, text == text.trimmingSpaces(), scalars.last != ":" else {
      return false
    }
    // A sign in front of a digit begins a number, and nothing else.
    let isNumber = first == "-" && scalars.count > 1 && ("0"..."9").contains(scalars[1])
    guard isNumber || !"#&*!|>'\"%@`-?:[]{},".unicodeScalars.contains(first) else { return false }
    for (index, scalar) in scalars.enumerated() {
      if !isPrintable(scalar) { return false }
      // Question marks are plain in YAML, and end a text between brackets for some readers, PyYAML among them.
      if place == .flow, "[]{},?".unicodeScalars.contains(scalar) { return false }
      if scalar == " ", index + 1 < scalars.count, scalars[index + 1] == "#" { return false }
      if scalar == ":", index + 1 < scalars.count, scalars[index + 1] == " " { return false }
    }
    return true
  }

  /// Whether tools that know YAML's types take a plain text for null, a boolean, a number or a date.
  ///
  /// schemagen itself reads all of them as text; JSON Schemas and other readers do not.
  package static func looksTyped(_ text: String) -> Bool {
    if isConstant(text) || ["y", "n"].contains(text.lowercased()) { return true }
    guard let first = text.unicodeScalars.first else { return true }
    guard "0123456789+-.".unicodeScalars.contains(first) else { return false }
    let unsigned = "+-".unicodeScalars.contains(first) ? String(text.dropFirst()) : text
    // Decimal, octal, hexadecimal, with exponents, by sixties, days with and without a time.
    return [".inf", ".nan"].contains(unsigned.lowercased())
      || text.unicodeScalars.allSatisfy {
        "0123456789abcdefABCDEFoxtzTZ_.:+- ".unicodeScalars.contains($0)
      }
  }

  /// Whether a plain text is `true`, `false` or `null` to readers of some version of YAML.
  package static func isConstant(_ text: String) -> Bool {
    ["true", "false", "null", "~", "yes", "no", "on", "off"].contains(text.lowercased())
  }

  /// The text in the quotes in which it needs fewest escapes: double ones where there is no choice to make.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if scalars.contains(where: { !isPrintable($0) }) { return doubleQuoted(text) }
    return scalars.contains("\"") || scalars.contains("\\")
      ? singleQuoted(text) : doubleQuoted(text)
  }

  /// The text in single quotes, in which nothing but the quote itself means anything. Only for one line.
  package static func singleQuoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }

  /// The text in double quotes, with the necessary escapes.
  package static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where !isPrintable(scalar): result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a character may be in a line of YAML: no control, line break, byte order mark or noncharacter.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let width = scalar.value <= 0xFF ? 2 : 4
    return (width == 2 ? "\\x" : "\\u")
      + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
