package import ArgumentParser
internal import Foundation
package import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

/// How findings are shown, where further reports go, and what fails a run.
package struct ReportOptions: ParsableArguments {
  @Option(
    help:
      "How to show findings: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  package var format: ReportFormat = .text

  @Option(
    help: ArgumentHelp(
      "Write another report to a file; may be given several times.", valueName: "format=path"))
  package var report: [ReportFile] = []

  @Option(
    help: ArgumentHelp(
      "The lowest severity that fails the run: error, warning or note.",
      valueName: "severity"))
  package var failOn: Diagnostic.Severity = .error

  @Flag(help: "The same as '--fail-on warning'.")
  package var strict = false

  @Flag(
    name: .shortAndLong,
    help: "Leave notes and progress out, and print nothing if there is nothing else.")
  package var quiet = false

  package init() {}

  /// From which severity on a finding fails the run.
  package var threshold: Diagnostic.Severity { strict ? min(failOn, .warning) : failOn }

  /// Shows a report, writes those that were asked for, and adds to the summary of a step in a GitHub workflow.
  ///
  /// - Parameters:
  ///   - closing: What follows a report for people.
  ///   - folders: Where relative paths start from.
  ///   - render: The report in a format, for a terminal or for a file.
  package func deliver(
    closing: String, folders: FolderOptions, _ render: (ReportFormat, TerminalText) -> String
  ) throws {
    do throws(FileSystemError) {
      Output.write(render(format, Output.terminal(.output)))
      if format == .text, !quiet { Output.write(closing) }
      for file in report {
        try Disk().write(Array(render(file.format, .plain).utf8), to: folders.resolve(file.path))
      }
      // In a GitHub workflow the whole table goes where everybody sees it: annotations end after ten.
      if let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
        // What other steps have written is theirs.
        try Disk().append(Array(render(.markdown, .plain).utf8), to: path)
      }
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }
}
