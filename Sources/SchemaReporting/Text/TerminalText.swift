/// Text in the styles that terminals show, or plain where nobody wants them.
package struct TerminalText: Sendable {
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

  /// Text for a reader who sees styles, or does not.
  package init(usesColor: Bool) { self.usesColor = usesColor }

  /// The text in a style.
  package func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
