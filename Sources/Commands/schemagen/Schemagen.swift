import ArgumentParser
import CommandLineSupport

@main
struct Schemagen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schemagen",
    abstract: "Versioned SwiftData schemas, converters and migrations from YAML manifests.",
    discussion: """
      Exit status: 0 clean; 1 findings, or with --check files that are not up to date; 2 wrong usage, a broken \
      manifest or configuration, or a file that cannot be read or written.
      """,
    version: Tool.version,
    groupedSubcommands: [
      CommandGroup(name: "Begin", subcommands: [AdoptSources.self, Init.self]),
      CommandGroup(
        name: "Change",
        subcommands: [
          SourceCommand<SnapshotOptions>.self, NextVersion.self, Generate.self, Diff.self,
          SourceCommand<AffectedOptions>.self, RebaseCommand.self,
        ]),
      CommandGroup(
        name: "Check",
        subcommands: [
          CheckProject.self, ShowStatus.self, Rehearse.self, LintCommand.self,
          SourceCommand<LintCodeOptions>.self, SourceCommand<DetectOptions>.self,
        ]),
      CommandGroup(
        name: "Ship",
        subcommands: [
          ReleaseCommand.self, ApproveCommand.self, RetireCommand.self, CloudCommand.self,
        ]),
      CommandGroup(
        name: "Help a user",
        subcommands: [
          Doctor.self, Inspect.self, SourceCommand<TraceOptions>.self, AnonymiseCommand.self,
        ]),
      CommandGroup(
        name: "Keep and show",
        subcommands: [StoresCommand.self, ReportCommand.self, ExportCommand.self]),
      CommandGroup(
        name: "Set up",
        subcommands: [
          HookCommand.self, BaselineCommand.self, SourceCommand<ServeOptions>.self,
          SkillCommand.self,
        ]),
      CommandGroup(name: "Look up", subcommands: [Explain.self]),
    ],
    defaultSubcommand: Generate.self)

  static func main() { Tool.main(Self.self) }
}
