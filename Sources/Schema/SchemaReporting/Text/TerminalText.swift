/// The styles and the width of the terminal or the file to which text is written.
package struct TerminalText: Sendable {
  /// A file or a pipe: no styles, and lines of any length.
  package static let plain = TerminalText(usesColor: false)

  /// The parameters of an escape sequence.
  package enum Style: String, Sendable {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case boldRed = "1;31"
    case green = "32"
    case boldGreen = "1;32"
    case yellow = "33"
    case boldYellow = "1;33"
    case cyan = "36"
  }

  package var usesColor: Bool
  /// The number of columns in a line; nil for any length.
  package var width: Int?

  package init(usesColor: Bool, width: Int? = nil) {
    self.usesColor = usesColor
    self.width = width
  }

  /// Breaks a line between words into lines that fit. Continuation lines are indented by two more than the first.
  package func lines(_ line: String) -> [String] {
    guard let width, line.width > width else { return [line] }
    let indent = line.prefix { $0 == " " }
    // The first line could have two more columns, but one width for all lines is simpler.
    return line.dropFirst(indent.count).wrapped(to: max(8, width - indent.count - 2))
      .enumerated().map { place, part in (place == 0 ? indent : indent + "  ") + part }
  }

  package func fitted(_ line: String, _ style: Style? = nil) -> String {
    lines(line).map { line in style.map { styled(line, $0) } ?? line }.joined(separator: "\n")
  }

  package func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
