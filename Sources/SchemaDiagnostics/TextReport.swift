internal import SchemaModel

/// Diagnostics as a person reads them on a terminal: place, message, the line with a caret, ways out.
package struct TextReport: Sendable {
  /// The texts of files by path, from which lines are shown.
  package var sources: [String: String]
  package var usesColor: Bool

  package init(sources: [String: String] = [:], usesColor: Bool = false) {
    self.sources = sources
    self.usesColor = usesColor
  }

  /// The report, sorted, one finding after the other, each ending in a line break.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    var lines: [String: [Substring]] = [:]
    var text = ""
    for diagnostic in diagnostics.reportOrder {
      text += render(diagnostic, lines: &lines)
    }
    return text
  }

  /// `2 errors, 1 warning`, or nothing for none.
  package static func summary(_ diagnostics: [Diagnostic]) -> String {
    let parts: [(Diagnostic.Severity, String)] = [(.error, "error"), (.warning, "warning")]
    return parts.compactMap { severity, word in
      let count = diagnostics.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
  }

  private func render(_ diagnostic: Diagnostic, lines: inout [String: [Substring]]) -> String {
    var text = ""
    if let location = diagnostic.location {
      text += styled("\(location.file):\(location.line):\(location.column): ", .bold)
    }
    text += styled("\(diagnostic.severity.rawValue): ", style(of: diagnostic.severity))
    text += styled(visible(diagnostic.message), .bold) + " [\(diagnostic.rule.id)]\n"
    if let location = diagnostic.location {
      text += snippet(at: location, lines: &lines)
    }
    for related in diagnostic.related {
      let place = related.location
      text += "  \(place.file):\(place.line):\(place.column): note: \(visible(related.message))\n"
    }
    for help in diagnostic.help {
      let helpLines = help.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in helpLines.enumerated() {
        text += "  " + (index == 0 ? styled("help: ", .cyan) : "      ") + visible(line) + "\n"
      }
    }
    return text
  }

  private func snippet(
    at location: SourceLocation, lines: inout [String: [Substring]]
  ) -> String {
    guard let source = sources[location.file] else { return "" }
    let split =
      lines[location.file]
      ?? source.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    lines[location.file] = split
    guard split.indices.contains(location.line - 1) else { return "" }
    let line = split[location.line - 1].prefix { $0 != "\r" && $0 != "\r\n" }
    // A line of a machine's making would fill the screen and hide the message.
    guard !line.isEmpty, line.unicodeScalars.count <= 400 else { return "" }
    let number = String(location.line)
    let margin = String(repeating: " ", count: max(0, 5 - number.count))
    let lead = line.unicodeScalars.prefix(location.column - 1)
    let pad = String(String.UnicodeScalarView(lead.map { $0 == "\t" ? "\t" : " " }))
    let room = max(1, line.unicodeScalars.count - location.column + 1)
    let caret = "^" + String(repeating: "~", count: min(location.length, room) - 1)
    return "\(margin)\(number) | \(visible(line))\n      | \(pad)\(styled(caret, .green))\n"
  }

  /// Control characters would reach the terminal; they are shown as what they are.
  private func visible(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: { $0.isHidden && $0 != "\t" }) else {
      return String(text)
    }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isHidden, scalar != "\t" {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"
    case cyan = "36"
  }

  private func style(of severity: Diagnostic.Severity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
