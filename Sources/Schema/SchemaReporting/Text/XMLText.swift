internal import SchemaModel

/// Escapes text for XML 1.0 and HTML.
package enum XMLText {
  static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  /// Escapes text for use between tags and in an attribute's quotes.
  package static func text(_ text: String) -> String { escaped(text, isAttribute: true) }

  /// Escapes text between tags, and keeps its line breaks.
  static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
  }

  static func attribute(_ name: String, _ value: Int) -> String { " \(name)=\"\(value)\"" }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // `]]>` is not allowed in content.
      case ">": result += "&gt;"
      case "\"": result += isAttribute ? "&quot;" : "\""
      // Without escapes, a reader would turn CR into LF, and CR, LF and tab in an attribute into spaces.
      case "\r": result += "&#13;"
      case "\n": result += isAttribute ? "&#10;" : "\n"
      case "\t": result += isAttribute ? "&#9;" : "\t"
      case _ where !isAllowed(scalar): result += scalar.named
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether XML 1.0 allows the character; it refuses the others even escaped.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
