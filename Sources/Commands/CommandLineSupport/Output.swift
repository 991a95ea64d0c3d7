internal import Foundation
package import SchemaModel
package import SchemaReporting
package import SchemaWorkspace

/// Writes findings and results to standard output, and everything else to standard error.
package enum Output {
  package static func write(_ text: String) {
    StatusLine.shared.clear()
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // The caller needs the report. If it cannot be written, the run must not look successful.
      self.error("schemagen: cannot write to standard output")
      Foundation.exit(2)
    }
  }

  package static func write(_ document: Document) { write(document.text(on: terminal(.output))) }

  /// Writes a command's result as one short sentence with numbers, after all other output.
  ///
  /// A command for several folders writes a sentence for each. Formats for machines have none.
  package static func summary(_ sentence: String, _ style: TerminalText.Style? = nil) {
    write(terminal(.output).fitted(sentence, style) + "\n")
  }

  package static func error(_ text: String) {
    StatusLine.shared.clear()
    // If standard error cannot be written to, nothing can report that.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  package enum Stream: Int32, Sendable {
    case output = 1
    case errors = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }
  }

  package static func terminal(_ stream: Stream) -> TerminalText {
    TerminalText(
      usesColor: TerminalOptions.color.usesColor(
        ProcessInfo.processInfo.environment, isTerminal: stream.isTerminal),
      width: width(of: stream))
  }

  /// The number of columns; nil if the stream is no terminal, or if the width is unknown.
  private static func width(of stream: Stream) -> Int? {
    guard stream.isTerminal else { return nil }
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }),
      columns > 0
    {
      return columns
    }
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  package static func report(_ diagnostics: [Diagnostic], sources: [String: String]) {
    guard !diagnostics.isEmpty else { return }
    write(TextReport(sources: sources, terminal: terminal(.output)).render(diagnostics))
    let summary = TextReport.summary(diagnostics)
    if !summary.isEmpty { write(summary + "\n") }
  }

  package static func report(_ failure: FileSystemError) {
    error("schemagen: '\(failure.path)': \(failure.reason)")
  }

  package static func list(_ changes: [FileChange]) {
    for change in changes {
      let verb =
        switch change.action {
        case .create: "wrote  "
        case .update: "updated"
        case .remove: "removed"
        }
      write("\(verb) \(change.path)\n")
    }
  }
}
