package import ArgumentParser
internal import Foundation
internal import SchemaGit
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace

/// The options that choose what shipped versions are compared with.
package struct BaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare shipped versions with a git reference, such as origin/main, or a folder.",
      discussion:
        "A branch or commit means its merge base with HEAD; a tag or a folder means itself.",
      valueName: "reference"))
  package var against: String?

  package init() {}
}

package struct DayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The date for acceptances that expire; default: today.", valueName: "YYYY-MM-DD",
      visibility: .hidden))
  package var today: CalendarDay = .today

  package init() {}
}

package struct CheckOptions: ParsableArguments {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check everything that must hold before a commit or a merge.",
    discussion: """
      Compares the app's classes with the newest manifest, generated files with the manifests, and shipped versions with \
      the lock. Checks each migration for losses and failures, the approvals, the kept stores, and the app's Swift code \
      around migrations. Prints one list of findings, and what to do next.
      Exit status: 0 nothing to do; 1 errors, or warnings with --strict; 2 wrong usage, or manifests, classes \
      or files that cannot be read.
      """)

  @Argument(help: "Folders of Swift sources, or files; default: the root.", completion: .file())
  package var paths: [String] = []

  @OptionGroup package var folders: FolderOptions

  @OptionGroup package var base: BaseOptions

  @Flag(
    help:
      "Check the staged changes in git instead of the files on disk; without --against, compare with the parent commits."
  )
  package var staged = false

  @OptionGroup package var reporting: ReportOptions

  @OptionGroup package var conditions: ConditionOptions

  @OptionGroup package var day: DayOptions

  @OptionGroup package var terminal: TerminalOptions

  package init() {}
}

extension CheckOptions {
  /// Checks all folders of manifests. The app's Swift files are not checked here.
  ///
  /// - Parameter stores: Returns findings if kept stores differ from their list.
  package func checkManifests(
    _ stores: @escaping @Sendable (SchemaFolder, any FileSystem) -> [Diagnostic]
  ) throws -> ProjectCheck {
    var checks: [FolderCheck] = []
    var moved: Set<String> = []
    func check(_ path: String, _ files: any FileSystem, isRemoved: Bool) throws {
      var options = Linter.Options(today: day.today, baseline: Path.join(path, Baseline.fileName))
      options.isRemoved = isRemoved
      options.stores = stores
      let bases = try bases(of: path, files)
      moved.formUnion(bases.compactMap(\.movedFrom))
      checks.append(FolderCheck(path, options, bases: bases, fileSystem: files))
    }
    for (path, files) in try folders.resolve(isStaged: staged) {
      try check(path, files, isRemoved: false)
    }
    if let name = base.against ?? (staged ? "HEAD" : nil) {
      for (path, files) in try folders.removed(against: name, isStaged: staged)
      where !moved.contains(path) {
        try check(path, files, isRemoved: true)
      }
    }
    return ProjectCheck(checks)
  }

  private func bases(of path: String, _ files: any FileSystem) throws -> [ComparisonBase] {
    if let against = base.against { return [try folders.base(against, for: path, current: files)] }
    guard staged else { return [] }
    return try ComparisonBase.parents(of: path, current: files)
  }

  /// Shows the findings. Exits with 1 or 2 if their severity reaches the threshold or files are malformed.
  package func deliver(_ check: ProjectCheck) throws {
    let occasion: ProjectCheck.Occasion =
      base.against.map { .merge($0) } ?? (staged ? .commit : .work)
    let next = check.next(failsAt: reporting.threshold, occasion)
    try reporting.show(
      check.findings,
      rules: RuleCatalog.descriptions + RuleCatalog.detection.map(RuleDescription.init),
      sources: check.sources, accepted: check.silenced,
      clean: check.clean + (next.isEmpty ? "" : "; \(next)"), next: next, folders: folders)
    try reporting.end(check.findings, isMalformed: check.isMalformed)
  }
}

package struct StatusOptions: ParsableArguments {
  package static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show the newest version, what has changed since the last shipped one, and what to do next.",
    discussion: """
      Prints at most ten lines: whether the newest version has shipped, what has changed since, whether the app's classes \
      match it, what needs an answer or an approval, and the next step. With several folders of manifests: a line for each.
      Exit status: 0 shown; 2 wrong usage, or manifests or classes that cannot be read.
      """)

  @OptionGroup package var folders: FolderOptions

  @OptionGroup package var conditions: ConditionOptions

  @OptionGroup package var terminal: TerminalOptions

  package init() {}
}

extension StatusOptions {
  /// - Parameter classes: Compares a folder's classes with its newest manifest.
  package func show(
    _ classes: (FolderCheck) -> ProjectStatus.Classes
  ) throws {
    let checks = try folders.resolve(Disk()).map { path in
      // Use the same base for approvals as 'release'.
      let base = try? ComparisonBase.approving(SchemaFolder.read(path, fileSystem: Disk()))
      return FolderCheck(
        path, Linter.Options(today: .today), bases: base.map { [$0] } ?? [], fileSystem: Disk())
    }
    let status = ProjectStatus(checks.map { ProjectStatus.Folder($0, classes: classes($0)) })
    for line in status.lines { Output.summary(line) }
    if status.isMalformed { throw ExitCode(2) }
  }
}
