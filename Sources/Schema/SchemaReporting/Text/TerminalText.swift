/// Where text is shown: whether in styles, and how wide it may be.
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

  /// Whether the text goes where styles are shown.
  package var usesColor: Bool
  /// How many columns a line has; nil where it may be of any length.
  package var width: Int?

  package init(usesColor: Bool, width: Int? = nil) {
    self.usesColor = usesColor
    self.width = width
  }

  /// A line as lines that fit, broken between words; further ones are indented by two more than the first.
  package func lines(_ line: String) -> [String] {
    guard let width, line.width > width else { return [line] }
    let indent = line.prefix { $0 == " " }
    // The first could have two columns more; that it has not keeps this simple.
    return line.dropFirst(indent.count).wrapped(to: max(8, width - indent.count - 2))
      .enumerated().map { place, part in (place == 0 ? indent : indent + "  ") + part }
  }

  /// The same as one text.
  ///
  /// - Parameter style: That of all lines.
  package func fitted(_ line: String, _ style: Style? = nil) -> String {
    lines(line).map { line in style.map { styled(line, $0) } ?? line }.joined(separator: "\n")
  }

  /// The text in a style.
  package func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
