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
      a change would fail on them, or lose values without an acknowledgement.
      With --against and --format markdown: writes one comment for a pull request. --stores adds what the \
      changes would do to the rows of each store in a folder, with the exit statuses of --store.
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
        "A branch or commit means its merge base with HEAD; a tag or a folder means itself.",
      valueName: "reference"))
  var against: String?

  @Option(
    help: ArgumentHelp(
      "A store: shows what the changes do to its rows, from its own version on.",
      valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "With --against and --format markdown: a folder of stores; shows what the changes do to the rows of each.",
      discussion: "Stores are found by their content, also in the folders below.",
      valueName: "folder"))
  var stores: String?

  @OptionGroup var survey: SurveyOptions

  @Flag(help: "Check the staged changes in git instead of the files on disk.")
  var staged = false

  @Option(
    help:
      "The output format: \(DiffReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
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
    if survey.survey != nil, against != nil {
      throw ValidationError("'--against' and '--survey' exclude each other")
    }
    if stores != nil, against == nil || format != .markdown {
      throw ValidationError(
        "'--stores' is for '--against' with '--format markdown'; for one store write '--store FILE' instead"
      )
    }
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
  }

  func run() throws {
    var status: Int32 = 0
    let found = try folders.resolve(isStaged: staged)
    try folders.checkOwner(of: store, among: found.count)
    guard let against else {
      let survey = try survey.read(folders, Disk())
      for (path, files) in found { status = max(status, run(path, files, survey)) }
      if status != 0 { throw ExitCode(status) }
      return
    }
    // The stores are found before anything is compared, so a wrong name is reported at once.
    let stores = try stores.map(folders.storeFolder)
    var reports: [(report: BaseReport, files: any FileSystem)] = []
    var isWhole = true
    func compare(_ path: String, _ files: any FileSystem) {
      guard let report = report(path, files, against: against) else {
        isWhole = false
        status = 2
        return
      }
      reports.append((report, files))
      defer { tellOfClasses(report) }
      status = max(status, report.exitStatus)
      guard format != .markdown else { return }
      guard format == .text else { return Output.write(JSONText.encode(report)) }
      Output.write(report.document.text(on: Output.terminal(.output), sources: report.sources))
      Output.summary(report.headline)
    }
    for (path, files) in found { compare(path, files) }
    if status < 2 || (format == .markdown && isWhole) {
      let moved = Set(reports.compactMap(\.report.movedFrom))
      for (path, files) in try folders.removed(against: against, isStaged: staged)
      where !moved.contains(path) {
        compare(path, files)
      }
    }
    if format == .markdown {
      // Errors were reported before. A pull request's comment that lacks folders would look complete.
      guard isWhole else { throw ExitCode(2) }
      status = max(status, comment(reports, against: against, stores))
    }
    if status != 0 { throw ExitCode(status) }
  }

  private func report(
    _ path: String, _ files: any FileSystem, against name: String
  ) -> BaseReport? {
    do throws(GitFailure) {
      let base = try ComparisonBase(
        against: name, directory: folders.resolve(name), for: path, current: files)
      return BaseReport(path, base: base, fileSystem: files)
    } catch {
      Output.report(error)
      return nil
    }
  }

  private func tellOfClasses(_ report: BaseReport) {
    let arguments = ["snapshot", "--check", "--quiet", "--schemas", report.path]
    guard !staged, report.evolution?.configuration.classes != nil, SourceExecutable.isThere,
      let status = try? SourceExecutable.status(arguments, in: ".", isSilent: true), status != 0
    else { return }
    Output.error(
      "schemagen: '\(report.path)': the classes have changes that the newest manifest lacks; this comparison leaves them out\n"
        + "  help: run: schemagen snapshot\(ShellWord.schemas(report.path))")
  }

  private func comment(
    _ reports: [(report: BaseReport, files: any FileSystem)], against name: String,
    _ stores: StoreFolder?
  ) -> Int32 {
    let found = stores?.measure(
      in: reports.map { report, files in
        report.evolution.map {
          ($0, SchemaFolder.lock(in: report.path, fileSystem: files).provenHashes)
        }
      }, progress: progress.work.show)
    var command = ["schemagen", "diff"]
    for folder in folders.schemas { command += ["--schemas", ShellWord.quoted(folder)] }
    if let root = folders.root { command += ["--root", ShellWord.quoted(root)] }
    command += ["--against", ShellWord.quoted(name)]
    if staged { command.append("--staged") }
    let comment = PullRequestComment(
      reports.enumerated().map { index, entry in
        PullRequestComment.Folder(entry.report, measurements: found?.measurements[index] ?? [])
      },
      command: command.joined(separator: " "),
      unmeasured: found?.unmeasured)
    Output.write(comment.render())
    if found?.unmeasured.contains(where: \.isStore) ?? false { return 2 }
    return comment.gravestOutcome.map { $0 >= .lost } ?? false ? 1 : 0
  }

  private func run(_ path: String, _ files: some FileSystem, _ survey: FleetSurvey?) -> Int32 {
    let folder = SchemaFolder.read(path, fileSystem: files)
    // A format for machines must contain no other text, so findings go to standard error.
    let summary = TextReport.summary(folder.diagnostics)
    let findings = TextReport(
      sources: folder.sources, terminal: Output.terminal(format == .text ? .output : .errors)
    ).render(folder.diagnostics)
    var isHarmed = false
    var words = ["nothing was compared"]
    if let evolution = folder.evolution {
      guard folders.knows([from, to], among: evolution.history.map(\.number), in: path) else {
        return 2
      }
      var measurements: RowMeasurements?
      if let store {
        measurements = folders.measure(store, path, evolution, from: from, files, progress.work)
        if measurements == nil { return 2 }
      }
      let report = DiffReport(
        evolution, from: from, to: to, measurements: measurements, survey: survey)
      Output.write(report.render(format, on: Output.terminal(.output)))
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
