import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

struct DetectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Compare the app's '@Model' classes with the newest manifests.",
    discussion: """
      New models, models that are gone, properties that differ, generated files that were edited, models missing from \
      their version.
      Exit status: 0 nothing to do; 1 findings of the severity of --fail-on or above; 2 wrong usage, broken \
      manifests, or files that cannot be read.
      """)

  @Argument(help: "Folders of Swift sources, or files; default: the root.")
  var paths: [String] = []

  @OptionGroup var folders: FolderOptions

  @OptionGroup var reporting: ReportOptions

  @Option(help: ArgumentHelp("The platform whose '#if os(…)' counts.", valueName: "name"))
  var platform = "iOS"

  @Option(
    help: ArgumentHelp(
      "A compilation condition that is set; may be given several times.", valueName: "name"))
  var define: [String] = []

  @Option(
    help: ArgumentHelp(
      "The date for acceptances that expire; default: today.", valueName: "YYYY-MM-DD"))
  var today: CalendarDay = .today

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let detect = Detection.run(
      paths: (paths.isEmpty ? ["."] : paths).map(folders.resolve),
      folders: try folders.resolve(Disk()),
      conditions: BuildConditions(platform: platform, defines: Set(define)),
      today: today, fileSystem: Disk(),
      progress: WorkProgress(isQuiet: reporting.quiet).show)
    let findings = detect.findings.filter { !reporting.quiet || $0.severity > .note }
    let shown = DetectionReport(detect, isRich: Output.isTerminal)
    if reporting.format == .text, !reporting.quiet || !findings.isEmpty {
      Output.write(shown.text)
    }
    try reporting.deliver(hint: "", clean: shown.headline, folders: folders) {
      report(detect, findings, $0)
    }
    if detect.isMalformed { throw ExitCode(2) }
    if findings.contains(where: { $0.severity >= reporting.threshold }) { throw ExitCode(1) }
  }

  private func report(
    _ detect: Detection, _ findings: [Diagnostic], _ terminal: TerminalText
  ) -> Report {
    Report(
      findings: findings,
      rules: RuleCatalog.descriptions + RuleCatalog.detection.map(RuleDescription.init),
      sources: detect.sources, toolVersion: Tool.version,
      workingDirectory: FileManager.default.currentDirectoryPath,
      accepted: detect.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) },
      failsAt: reporting.threshold, terminal: terminal)
  }
}
