import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

extension DiffReport.Format: ExpressibleByArgument {}

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between versions, what becomes of the data, and why.",
    discussion: """
      With --against: shows what changed since a branch, a tag or another folder, which action is required, and \
      whether anything shipped was edited. Exit status 1 if it was, or if there are other errors.
      With --store: shows what each change would do to the rows of a store, which is only read. Exit status 1 also if \
      a change would fail on them, or lose values that nobody has acknowledged.
      """)

  @OptionGroup var folders: FolderOptions

  @Option(help: ArgumentHelp("The version to begin with, such as V8.", valueName: "version"))
  var from: VersionNumber?

  @Option(help: ArgumentHelp("The version to end with, such as V9.", valueName: "version"))
  var to: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "Compare with a git reference, such as origin/main, or with a folder.",
      discussion:
        "A branch or commit: its merge base with HEAD. A tag or a folder: as it is.",
      valueName: "reference"))
  var against: String?

  @Option(
    help: ArgumentHelp(
      "A store: shows what the changes do to its rows, from its own version on.",
      valueName: "file"))
  var store: String?

  @Flag(help: "Check the staged changes in git instead of the files on disk.")
  var staged = false

  @Flag(
    inversion: .prefixedNo,
    help: "With --against, put signs before lines of text; the default on terminals.")
  var emoji: Bool?

  @Option(
    help: "How to show it: \(DiffReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: DiffReport.Format = .text

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if against != nil, from != nil || to != nil {
      throw ValidationError("'--against' excludes '--from' and '--to'")
    }
    if against != nil, store != nil {
      throw ValidationError("'--against' and '--store' exclude each other")
    }
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
  }

  func run() throws {
    var status: Int32 = 0
    let found = try folders.resolve(isStaged: staged)
    if let store, found.count > 1 {
      Output.error("schemagen: '\(store)' belongs to one folder's versions: name one '--schemas'")
      throw ExitCode(2)
    }
    for (path, files) in found {
      status = max(
        status, against.map { run(path, files, against: $0) } ?? run(path, files))
    }
    if let against, status < 2 {
      for (path, files) in try folders.removed(against: against, isStaged: staged) {
        status = max(status, run(path, files, against: against))
      }
    }
    if status != 0 { throw ExitCode(status) }
  }

  private func run(_ path: String, _ files: some FileSystem, against name: String) -> Int32 {
    do throws(GitFailure) {
      let base = try ComparisonBase(against: name, directory: folders.resolve(name), for: path)
      let report = BaseReport(path, base: base, fileSystem: files)
      let usesEmoji = emoji ?? Output.isTerminal
      Output.write(
        report.render(format, usesEmoji: usesEmoji, terminal: Output.terminal(.output)))
      if format == .text { Output.summary(report.headline(usesEmoji: usesEmoji)) }
      guard report.findings.hasErrors else { return 0 }
      return report.isMalformed && !report.isRemoved ? 2 : 1
    } catch {
      Output.report(error)
      return 2
    }
  }

  private func run(_ path: String, _ files: some FileSystem) -> Int32 {
    let folder = SchemaFolder.read(path, fileSystem: files)
    // Findings go beside a report for machines, not into it.
    let summary = TextReport.summary(folder.diagnostics)
    let findings = TextReport(
      sources: folder.sources, terminal: Output.terminal(format == .text ? .output : .errors)
    ).render(folder.diagnostics)
    var isHarmed = false
    var words = ["nothing was compared"]
    if let evolution = folder.evolution {
      guard folders.knows([from, to], of: evolution, in: path) else { return 2 }
      var measurements: RowMeasurements?
      if let store {
        measurements = folders.measure(store, path, evolution, from: from, files, progress.work)
        if measurements == nil { return 2 }
      }
      let report = DiffReport(
        evolution, from: from, to: to, measurements: measurements,
        terminal: Output.terminal(.output))
      Output.write(report.render(format))
      words = [report.headline]
      isHarmed = report.gravestOutcome.map { $0 >= .lost } ?? false
    }
    if !summary.isEmpty { words.append(summary) }
    if format == .text {
      Output.write(findings)
      Output.summary("\(path): " + words.joined(separator: "; "))
    } else if !findings.isEmpty {
      Output.error(findings + summary)
    }
    guard folder.diagnostics.hasErrors else { return isHarmed ? 1 : 0 }
    return folder.isMalformed ? 2 : 1
  }
}
