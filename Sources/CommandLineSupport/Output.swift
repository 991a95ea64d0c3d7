internal import Foundation
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace

/// What goes to the terminal: findings and results on standard output, the rest on standard error.
package enum Output {
  package static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // A report that nobody could get is not a report.
      self.error("schemagen: standard output cannot be written to")
      Foundation.exit(2)
    }
  }

  package static func error(_ text: String) {
    // Where there is no standard error there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Whether standard output is a terminal that wants colour (https://no-color.org).
  package static var usesColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    guard environment["NO_COLOR"]?.isEmpty ?? true, environment["TERM"] != "dumb" else {
      return false
    }
    return isTerminal
  }

  /// Prints findings with their snippets.
  package static func report(_ diagnostics: [Diagnostic], sources: [String: String]) {
    guard !diagnostics.isEmpty else { return }
    write(TextReport(sources: sources, usesColor: usesColor).render(diagnostics))
    let summary = TextReport.summary(diagnostics)
    if !summary.isEmpty { write(summary + "\n") }
  }

  /// Says that a file could not be read or written.
  package static func report(_ failure: FileSystemError) {
    error("schemagen: '\(failure.path)': \(failure.reason)")
  }

  /// Whether standard output is a terminal.
  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
