package import SchemaModel

/// Writes diagnostics for a terminal: place, message, the line with a caret, help.
package struct TextReport: Sendable {
  package var sources: [String: String]
  package var terminal: TerminalText

  package init(sources: [String: String] = [:], terminal: TerminalText = .plain) {
    self.sources = sources
    self.terminal = terminal
  }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    var lines = SourceLines(sources)
    var text = ""
    for diagnostic in diagnostics.reportOrder {
      text += render(diagnostic, lines: &lines)
    }
    return text
  }

  /// `2 errors, 1 warning, 3 accepted`; empty without findings.
  package static func summary(_ diagnostics: [Diagnostic], accepted: Int = 0) -> String {
    let words: [(Diagnostic.Severity, String)] = [(.error, "error"), (.warning, "warning")]
    var parts: [String] = []
    for (severity, word) in words {
      let count = diagnostics.count { $0.severity == severity }
      if count > 0 { parts.append(counted(count, word)) }
    }
    if accepted > 0 { parts.append("\(accepted) accepted") }
    return parts.joined(separator: ", ")
  }

  func render(_ diagnostic: Diagnostic, lines: inout SourceLines) -> String {
    var text = ""
    if let location = diagnostic.location {
      text += styled("\(place(location)): ", .bold)
    }
    text += styled("\(diagnostic.severity.rawValue): ", style(of: diagnostic.severity))
    text += styled(diagnostic.message.visible, .bold) + " [\(diagnostic.rule.id)]\n"
    if let location = diagnostic.location {
      text += snippet(at: location, lines: &lines)
    }
    for related in diagnostic.related {
      text += "  \(place(related.location)): note: \(related.message.visible)\n"
    }
    for help in diagnostic.help {
      for (index, line) in help.visibleLines.enumerated() {
        text += "  " + (index == 0 ? styled("help: ", .cyan) : "      ") + line + "\n"
      }
    }
    return text
  }

  private func place(_ location: SourceLocation) -> String {
    "\(location.file.visible):\(location.line):\(location.column)"
  }

  private func snippet(at location: SourceLocation, lines: inout SourceLines) -> String {
    guard let line = lines.line(location.line, of: location.file) else { return "" }
    // A generated line would fill the screen and hide the message. Bytes are compared first, since their number is
    // known.
    guard !line.isEmpty, line.utf8.count <= 1600, line.unicodeScalars.count <= 400 else {
      return ""
    }
    let number = String(location.line)
    let margin = String(repeating: " ", count: max(0, 5 - number.count))
    let lead = line.unicodeScalars.prefix(location.column - 1)
    let pad = String(String.UnicodeScalarView(lead.map { $0 == "\t" ? "\t" : " " }))
    let room = max(1, line.unicodeScalars.count - location.column + 1)
    let caret = "^" + String(repeating: "~", count: min(location.length, room) - 1)
    return "\(margin)\(number) | \(line.visible)\n      | \(pad)\(styled(caret, .green))\n"
  }

  private func style(of severity: Diagnostic.Severity) -> TerminalText.Style {
    switch severity {
    case .error: .boldRed
    case .warning: .boldYellow
    case .note: .cyan
    }
  }

  private func styled(_ text: String, _ style: TerminalText.Style) -> String {
    terminal.styled(text, style)
  }
}
