import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

struct DetectCommand: ParsableCommand {
  static let configuration = DetectOptions.configuration

  @OptionGroup var options: DetectOptions

  func run() throws {
    let reporting = options.reporting
    let folders = options.folders
    let detect = Detection(
      paths: (options.paths.isEmpty ? ["."] : options.paths).map(folders.resolve),
      folders: try folders.resolve(Disk()),
      conditions: options.conditions.build,
      today: options.day.today, fileSystem: Disk(),
      progress: WorkProgress(isQuiet: reporting.quiet).show)
    let findings = detect.findings.filter { !reporting.quiet || $0.severity > .note }
    let shown = DetectionReport(detect)
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
      failsAt: options.reporting.threshold, terminal: terminal)
  }
}
