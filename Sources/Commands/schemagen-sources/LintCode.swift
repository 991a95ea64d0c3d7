import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftChecks

struct LintCode: ParsableCommand {
  static let configuration = LintCodeOptions.configuration

  @OptionGroup var options: LintCodeOptions

  func run() throws {
    let reporting = options.reporting
    let manifests = try manifests()
    var lint = look(manifests)
    if options.fix {
      let fixed = lint.fixed()
      try write(fixed)
      if !fixed.isEmpty { lint = look(manifests) }
    }
    // The text format needs no list of rules. Loading all rules takes as long as reading a thousand files.
    try reporting.show(
      lint.findings, rules: isForPeople ? [] : RuleCatalog.descriptions, sources: lint.sources,
      accepted: lint.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) },
      hint: (lint.fixable > 0 ? "\(lint.fixable) can be fixed with --fix; " : "")
        + "schemagen explain RULE explains a rule\n",
      clean: "\(counted(lint.count, "Swift file")): no findings", folders: options.folders)
    try reporting.end(lint.findings, isMalformed: lint.isMalformed)
  }

  /// The folders of manifests; empty if the user named none and the standard folder is missing.
  private func manifests() throws -> [String] {
    let resolved = try options.folders.resolve(Disk())
    guard options.folders.schemas.isEmpty else { return resolved }
    return resolved.filter { Disk().isFolder($0) }
  }

  private func look(_ manifests: [String]) -> SourceLint {
    SourceLint(
      paths: (options.paths.isEmpty ? ["."] : options.paths).map(options.folders.resolve),
      folders: manifests, today: options.day.today, fileSystem: Disk(),
      progress: WorkProgress(isQuiet: options.reporting.quiet).show)
  }

  private func write(_ files: [SourceLint.FixedFile]) throws {
    for fixed in files {
      try Disk().write(fixed.file.bytes, to: fixed.file.path)
      for (finding, text) in fixed.fixes {
        let place = finding.location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
        Output.error("\(place)fixed [\(finding.rule.id)]: '\(text)'")
      }
    }
  }

  private var isForPeople: Bool {
    options.reporting.format == .text && options.reporting.report.allSatisfy { $0.format == .text }
      && ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] == nil
  }
}
