/// Formats text as YAML, for manifests and for messages that show parts of manifests.
package enum YAMLText {
  /// The context of a scalar, which decides which characters YAML interprets.
  package enum Place: Hashable, Sendable {
    /// After a key or a dash, up to the end of the line.
    case block
    case flow
  }

  package static func isPlain(_ text: String, in place: Place) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, text == text.trimmingSpaces(), scalars.last != ":" else {
      return false
    }
    // A sign is followed by a digit only in a number.
    let isNumber = first == "-" && scalars.count > 1 && ("0"..."9").contains(scalars[1])
    guard isNumber || !"#&*!|>'\"%@`-?:[]{},".unicodeScalars.contains(first) else { return false }
    for (index, scalar) in scalars.enumerated() {
      if !isPrintable(scalar) { return false }
      // YAML allows question marks, but for some readers, such as PyYAML, they end a scalar in flow style.
      if place == .flow, "[]{},?".unicodeScalars.contains(scalar) { return false }
      if scalar == " ", index + 1 < scalars.count, scalars[index + 1] == "#" { return false }
      if scalar == ":", index + 1 < scalars.count, scalars[index + 1] == " " { return false }
    }
    return true
  }

  /// Whether tools that use YAML's types read a plain scalar as null, a boolean, a number or a date.
  ///
  /// schemagen reads all of these as strings. JSON Schemas and other readers do not.
  package static func looksTyped(_ text: String) -> Bool {
    if isConstant(text) || ["y", "n"].contains(text.lowercased()) { return true }
    guard let first = text.unicodeScalars.first else { return true }
    guard "0123456789+-.".unicodeScalars.contains(first) else { return false }
    let unsigned = "+-".unicodeScalars.contains(first) ? String(text.dropFirst()) : text
    // All kinds of numbers (decimal, octal, hexadecimal, sexagesimal, with exponents), and days with or without a time.
    return [".inf", ".nan"].contains(unsigned.lowercased())
      || text.unicodeScalars.allSatisfy {
        "0123456789abcdefABCDEFoxtzTZ_.:+- ".unicodeScalars.contains($0)
      }
  }

  /// Whether any version of YAML reads a plain scalar as `true`, `false` or `null`.
  package static func isConstant(_ text: String) -> Bool {
    ["true", "false", "null", "~", "yes", "no", "on", "off"].contains(text.lowercased())
  }

  /// The string in the quotes that need fewer escapes. Double quotes are preferred.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if scalars.contains(where: { !isPrintable($0) }) { return doubleQuoted(text) }
    return scalars.contains("\"") || scalars.contains("\\")
      ? singleQuoted(text) : doubleQuoted(text)
  }

  /// The string in single quotes, in which only the single quote is special. The string must be one line.
  package static func singleQuoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }

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
