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
      CommandGroup(name: "Beginning", subcommands: [AdoptSources.self, Init.self]),
      CommandGroup(
        name: "Schema",
        subcommands: [
          TakeSnapshot.self, NextVersion.self, Generate.self, Diff.self, AffectedCode.self,
        ]),
      CommandGroup(
        name: "Checking",
        subcommands: [
          CheckProject.self, ShowStatus.self, Rehearse.self, LintCommand.self, LintCode.self,
          DetectChanges.self,
        ]),
      CommandGroup(
        name: "Shipping",
        subcommands: [
          ReleaseCommand.self, RebaseCommand.self, ApproveCommand.self, RetireCommand.self,
          CloudCommand.self,
        ]),
      CommandGroup(
        name: "Support",
        subcommands: [Doctor.self, Inspect.self, TraceStore.self, AnonymiseCommand.self]),
      CommandGroup(
        name: "Record",
        subcommands: [FixturesCommand.self, ReportCommand.self, ExportCommand.self]),
      CommandGroup(
        name: "Setup",
        subcommands: [HookCommand.self, BaselineCommand.self, Serve.self, SkillCommand.self]),
      CommandGroup(
        name: "Reference", subcommands: [Explain.self, Rules.self, ClassificationCommand.self]),
    ],
    defaultSubcommand: Generate.self)

  static func main() { Tool.main(Self.self) }
}
