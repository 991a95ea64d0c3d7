package import ArgumentParser
internal import Foundation
package import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

/// The options for findings: how they are shown, which reports are written, and which severity fails a run.
package struct ReportOptions: ParsableArguments {
  @Option(
    help:
      "How to show findings: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  package var format: ReportFormat = .text

  @Option(
    help: ArgumentHelp(
      "Write another report to a file; may be given several times.", valueName: "format=path"))
  package var report: [ReportFile] = []

  @Flag(help: "Fail on warnings, too.")
  package var strict = false

  @Flag(
    name: .shortAndLong,
    help: "Omit notes and progress, and print nothing if there is nothing else.")
  package var quiet = false

  package init() {}

  package var threshold: Diagnostic.Severity { strict ? .warning : .error }

  /// Shows findings, writes the requested reports, and appends to the step summary of a GitHub workflow.
  ///
  /// - Parameters:
  ///   - hint: A line after the findings that says how to learn more.
  ///   - clean: The summary if there are no findings.
  ///   - next: What to do next. It is appended to the summary of the findings.
  ///   - folders: The options whose root relative report paths start from.
  package func show(
    _ findings: [Diagnostic], rules: [RuleDescription] = RuleCatalog.descriptions,
    sources: [String: String], accepted: [SilencedFinding] = [],
    hint: String = "schemagen explain RULE explains a rule\n", clean: String, next: String = "",
    folders: FolderOptions
  ) throws {
    let findings = findings.filter { !quiet || $0.severity > .note }
    func report(_ terminal: TerminalText) -> Report {
      Report(
        findings: findings, rules: rules, sources: sources, toolVersion: Tool.version,
        workingDirectory: FileManager.default.currentDirectoryPath, accepted: accepted,
        failsAt: threshold, terminal: terminal)
    }
    let plain = report(.plain)
    if format == .text {
      let text = report(Output.terminal(.output)).findingsText
      if text.isEmpty {
        // The summary counts accepted findings.
        if !plain.summary.isEmpty { Output.write(plain.summary + "\n") }
        if !quiet { Output.summary(clean) }
      } else {
        Output.write(text + (quiet ? "" : hint))
        Output.summary(plain.summary + (next.isEmpty ? "" : "; \(next)"))
      }
    } else {
      Output.write(plain.render(format))
    }
    for file in self.report {
      try Disk().write(Array(plain.render(file.format).utf8), to: folders.resolve(file.path))
    }
    // GitHub shows at most ten annotations of a step, so the step's summary gets the whole table.
    if let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      do {
        // Other steps may have written to the file.
        try Disk().append(Array(plain.render(.markdown).utf8), to: path)
      } catch {
        // The user did not ask for this file, so the run does not fail. A plugin on macOS may not write the file.
        Output.report(error)
        Output.error(
          "  the step's summary lacks these findings; in a plugin on macOS, add '--disable-sandbox' after 'swift package'"
        )
      }
    }
  }
  /// Exits with the status for the findings: 2 if files are malformed, 1 if a finding reaches the threshold.
  package func end(_ findings: [Diagnostic], isMalformed: Bool = false) throws {
    if isMalformed { throw ExitCode(2) }
    if findings.contains(where: { $0.severity >= threshold }) { throw ExitCode(1) }
  }
}
