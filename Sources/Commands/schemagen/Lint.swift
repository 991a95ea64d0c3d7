import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check manifests, their history and the lock against all rules.",
    discussion: """
      Exit status: 0 no findings; 1 errors, or warnings with --strict; 2 wrong usage, broken \
      manifests, or files that cannot be read. 'schemagen explain' lists the rules.
      """)

  @OptionGroup var folders: FolderOptions

  @OptionGroup var base: BaseOptions

  @Flag(help: "Check the staged changes in git instead of the files on disk.")
  var staged = false

  @OptionGroup var reporting: ReportOptions

  @Flag(help: "Apply every safe fix, format the manifests, and report the rest.")
  var fix = false

  @Flag(help: "With --fix: write nothing, and fail if something would be written.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "The file of known findings in each folder of manifests; 'none' for none.",
      valueName: "file"), completion: .file())
  var baseline = Baseline.fileName

  @OptionGroup var day: DayOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if fix, staged {
      throw ValidationError("'--fix' writes to the disk, and '--staged' reads git's index")
    }
    if check, !fix {
      throw ValidationError("'--check' needs '--fix': it shows what '--fix' would write")
    }
  }

  func run() throws {
    var lints: [LintResult] = []
    let resolved = try folders.resolve(isStaged: staged)
    try requireBaseline(resolved)
    var moved: Set<String> = []
    var isUnwritten = false
    for (path, files) in resolved { lints.append(try lint(path, files, &moved, &isUnwritten)) }
    if let against = base.against {
      for (path, files) in try folders.removed(against: against, isStaged: staged)
      where !moved.contains(path) {
        lints.append(try lint(path, files, &moved, &isUnwritten, isRemoved: true))
      }
    }
    let findings = lints.flatMap(\.findings)
    let silenced =
      lints.flatMap(\.accepted).map { SilencedFinding($0.finding, reason: $0.acceptance.reason) }
      + lints.flatMap(\.baselined).map {
        SilencedFinding($0, reason: "in the baseline", isBaselined: true)
      }
    try reporting.show(
      findings, sources: lints.reduce(into: [:]) { $0.merge($1.sources) { first, _ in first } },
      accepted: silenced, hint: hint(lints),
      clean: lints.map(\.path).joined(separator: ", ") + ": no findings", folders: folders)
    try reporting.end(findings, isMalformed: lints.contains(where: \.isMalformed))
    if check, isUnwritten { throw ExitCode(1) }
  }

  private func hint(_ lints: [LintResult]) -> String {
    let fixable = lints.reduce(0) { $0 + $1.fixes.count }
    let isBlind = lints.contains { $0.isMalformed && $0.hasSteps }
    return (isBlind ? SchemaFolder.laterChecks + "\n" : "")
      + (fixable > 0 ? "\(fixable) can be fixed with --fix; " : "")
      + "schemagen explain RULE explains a rule\n"
  }

  /// Throws an error if a baseline was named that does not exist. Without a baseline, old findings would look new.
  private func requireBaseline(_ folders: [(path: String, files: any FileSystem)]) throws {
    guard baseline != Baseline.fileName, baseline != "none" else { return }
    let isThere = folders.contains { path, files in
      (try? files.read(Path.join(path, baseline), limit: 1)) != nil
    }
    guard !isThere else { return }
    let places = folders.map { Path.join($0.path, baseline) }.joined(separator: ", ")
    Output.error("schemagen: there is no baseline: \(places)")
    throw ExitCode(2)
  }

  private func compareRelease(
    _ result: inout LintResult, _ path: String, _ files: some FileSystem
  ) throws {
    guard let tag = base.against else { return }
    guard let history = try SourceExecutable.releases(of: path, tag: tag) else { return }
    result.add(history, SchemaFolder.read(path, fileSystem: files))
  }

  /// - Parameter isUnwritten: Set to true if `--check` kept changes from being written.
  private func lint(
    _ path: String, _ files: some FileSystem, _ moved: inout Set<String>, _ isUnwritten: inout Bool,
    isRemoved: Bool = false
  ) throws -> LintResult {
    var options = Linter.Options(
      today: day.today, baseline: baseline == "none" ? nil : Path.join(path, baseline))
    options.isRemoved = isRemoved
    options.stores = KeptStoreReview.check
    if let against = base.against {
      let base = try folders.base(against, for: path, current: files)
      if let place = base.movedFrom { moved.insert(place) }
      options.base = base
    }
    guard fix else {
      var result = Linter(options, fileSystem: files).run(path)
      if let base = options.base, base.isRelease { try compareRelease(&result, path, files) }
      return result
    }
    let fix = try FixRun.prepare(path, options: options, fileSystem: files)
    if !check { try fix.write(to: files) }
    for (finding, title) in fix.fixed {
      let place = finding.location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
      Output.error("\(place)\(check ? "to fix" : "fixed") [\(finding.rule.id)]: \(title)")
    }
    for path in fix.formatted { Output.error("\(path): \(check ? "to format" : "formatted")") }
    isUnwritten = isUnwritten || check && !fix.changes.isEmpty
    return fix.lint
  }
}
