import ArgumentParser
import CommandLineSupport
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace

struct RetireCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire",
    abstract: "Remove old versions from the plan, or add them again.",
    discussion: """
      Stores of retired versions are still recognised, but no longer migrated: the launch library reports a specific \
      error, and leaves them unchanged. Manifests stay; user files of their steps move to Retired next to the \
      manifests. Exit status: 0 done; 1 not possible; 2 wrong usage, or files that cannot be read or written.
      """)

  @OptionGroup var folders: FolderOptions

  @Option(
    help: ArgumentHelp("The version that the plan begins with, such as V6.", valueName: "version"))
  var below: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "The last release of the app that migrates stores of retired versions, such as 3.2.",
      valueName: "release"))
  var through: String?

  @Flag(help: "Add all versions to the plan again.")
  var undo = false

  @OptionGroup var survey: SurveyOptions

  @Flag(help: "Show what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if (below == nil) != undo {
      throw ValidationError(
        undo
          ? "'--undo' excludes '--below'"
          : "name the version that the plan begins with: '--below V6'")
    }
    if undo, through != nil { throw ValidationError("'--undo' excludes '--through'") }
    if let through, through.isEmpty || through != through.visibleInOneLine {
      throw ValidationError("'--through' is a release as users know it: 3.2")
    }
  }

  func run() throws {
    let disk = Disk()
    let paths = try folders.resolve(disk)
    guard let path = paths.first, paths.count == 1 else {
      Output.error(
        "schemagen: 'retire' covers one folder; name one of these with '--schemas': \(paths.joined(separator: ", "))"
      )
      throw ExitCode(2)
    }
    let survey = try survey.read(folders, disk)
    let run = try RetirementRun(path, below: below, through: through, fileSystem: disk)
    if let refusal = run.refusal {
      Output.error("schemagen: \(path): \(refusal.reason)")
      for help in refusal.help { Output.error("  help: \(help)") }
    } else {
      if !dryRun { try run.write(to: disk) }
      tell(run, path, survey)
      return
    }
    throw ExitCode(1)
  }

  private func tell(_ run: RetirementRun, _ path: String, _ survey: FleetSurvey?) {
    for change in run.changes {
      let verb =
        switch change.action {
        case .create: "wrote"
        case .update: "updated"
        case .remove: "removed"
        }
      Output.write("\(dryRun ? "would have \(verb)" : verb) \(change.path)\n")
    }
    let left = run.evolution?.leftBehind(survey)
    if let left { Output.write("\(left)\n") }
    let begins = run.evolution?.kept.history.first?.number.name ?? ""
    Output.summary(
      "\(path): the plan \(dryRun ? "would begin" : "begins") with \(begins); next: schemagen generate"
        + ShellWord.schemas(path))
  }
}

struct SurveyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The output of 'inspect --format jsonl' for many stores, to show how many of them the plan does not open.",
      valueName: "file"), completion: .file())
  var survey: String?

  func read(_ folders: FolderOptions, _ disk: Disk) throws -> FleetSurvey? {
    guard let survey else { return nil }
    let path = folders.resolve(survey)
    guard let bytes = try disk.read(path, limit: 1 << 30) else {
      throw FileSystemError(path: path, reason: "no such file")
    }
    return try FleetSurvey(SourceFile(path: path, bytes: bytes))
  }
}
