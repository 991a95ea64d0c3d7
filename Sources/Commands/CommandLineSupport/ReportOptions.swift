package import ArgumentParser
internal import Foundation
package import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

/// The options that choose how findings are shown, which reports are written, and what fails a run.
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

  /// The lowest severity at which a finding fails the run.
  package var threshold: Diagnostic.Severity { strict ? .warning : .error }

  /// Shows findings, writes the requested reports, and adds to the summary of a GitHub workflow's step.
  ///
  /// - Parameters:
  ///   - hint: A line below the findings that says what a person can do about them.
  ///   - clean: The summary if there are no findings.
  ///   - next: What to do next, after the summary of the findings.
  ///   - folders: The folders that relative paths start from.
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
        // Accepted findings are still counted.
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
    // GitHub shows only ten annotations of a step, so its summary gets the whole table.
    if let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      do {
        // Other steps may have written to the file, so append.
        try Disk().append(Array(plain.render(.markdown).utf8), to: path)
      } catch {
        // The user did not ask for this file, and a plugin on macOS may not write it: only report the failure.
        Output.report(error)
        Output.error(
          "  the step's summary lacks these findings; in a plugin on macOS, add '--disable-sandbox' after 'swift package'"
        )
      }
    }
  }
  /// Exits with the status that the findings call for.
  package func end(_ findings: [Diagnostic], isMalformed: Bool = false) throws {
    if isMalformed { throw ExitCode(2) }
    if findings.contains(where: { $0.severity >= threshold }) { throw ExitCode(1) }
  }
}
