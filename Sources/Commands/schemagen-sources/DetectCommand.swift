import ArgumentParser
import CodeFirst
import CommandLineSupport
import Foundation
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace

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
    let shown = DetectionReport(detect)
    let isSilent = reporting.quiet && detect.findings.allSatisfy { $0.severity == .note }
    if reporting.format == .text, !isSilent { Output.write(shown.document) }
    try reporting.show(
      detect.findings,
      rules: RuleCatalog.descriptions + RuleCatalog.detection.map(RuleDescription.init),
      sources: detect.sources,
      accepted: detect.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) },
      hint: "", clean: shown.headline, folders: folders)
    try reporting.end(detect.findings, isMalformed: detect.isMalformed)
  }
}
