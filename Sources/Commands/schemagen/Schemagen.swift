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
    subcommands: [
      Generate.self, Diff.self, ReportCommand.self, ExportCommand.self, Init.self, NextVersion.self,
      ReleaseCommand.self,
      ClassificationCommand.self, Rehearse.self, LintCommand.self, Rules.self, Explain.self,
      BaselineCommand.self, ApproveCommand.self, RebaseCommand.self, HookCommand.self,
      AdoptSources.self,
      TakeSnapshot.self,
      DetectChanges.self, LintCode.self, AffectedCode.self, Inspect.self, AnonymiseCommand.self,
      Doctor.self,
      TraceStore.self,
      FixturesCommand.self, RetireCommand.self, CloudCommand.self, Serve.self, SkillCommand.self,
    ],
    defaultSubcommand: Generate.self)

  static func main() { Tool.main(Self.self) }
}
