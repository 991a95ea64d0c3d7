import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace

struct CloudCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloud",
    abstract: "Hold a CloudKit container's schema against what the versions write.",
    discussion: """
      Reads and writes files alone: 'xcrun cktool' exports and imports them. docs/cloud.md leads through a release.
      """,
    subcommands: [Comparison.self, MakeSchema.self, Plan.self])

  /// The versions that are meant.
  struct Versions: ParsableArguments {
    @OptionGroup var folders: FolderOptions

    @Option(
      help: ArgumentHelp(
        "The version that writes, such as V9; default: the newest.", valueName: "version"))
    var version: VersionNumber?

    func folder(_ choice: CloudFolder.Choice? = nil) throws -> CloudFolder {
      let disk = Disk()
      let paths = try folders.resolve(disk)
      guard paths.count == 1 else {
        Output.error(
          "schemagen: each store has a container's schema of its own: name one '--schemas' of \(paths.joined(separator: ", "))"
        )
        throw ExitCode(2)
      }
      do throws(CloudTrouble) {
        return try CloudFolder(
          paths[0], choice ?? version.map { .version($0) } ?? .newest, fileSystem: disk)
      } catch {
        CloudCommand.report(error)
        throw ExitCode(2)
      }
    }
  }

  /// The export of production.
  struct Production: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "What 'cktool export-schema --environment production' wrote; default: the file under 'cloud: production' in schemagen.yaml.",
        valueName: "file"), completion: .file())
    var production: String?

    func read(_ folder: inout CloudFolder, _ folders: FolderOptions) throws -> CloudExport {
      guard let path = production.map(folders.resolve) ?? folder.production else {
        Output.error("schemagen: which file is the export of production?")
        Output.error(
          "  help: name it with --production, or write 'cloud: { production: ../CloudKit/production.ckdb }' in schemagen.yaml"
        )
        throw ExitCode(2)
      }
      return try CloudCommand.read(path, &folder)
    }
  }

  struct Comparison: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Say what production lacks of what a version writes.",
      discussion: """
        Exit status: 0 production has everything; 1 it lacks something; 2 nobody could look: wrong usage, broken \
        manifests, an export that is broken or cut off; 3 a field has another type or another encryption for good.
        """)

    @OptionGroup var production: Production

    @OptionGroup var versions: Versions

    @Flag(help: "Compare with every version that has shipped and still syncs ('cloud: oldest').")
    var allShipped = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var terminal: TerminalOptions

    func validate() throws {
      if allShipped, versions.version != nil {
        throw ValidationError("'--version' and '--all-shipped' exclude each other")
      }
    }

    func run() throws {
      var folder = try versions.folder(allShipped ? .shipped : nil)
      let export = try production.read(&folder, versions.folders)
      let findings = folder.levelled(folder.comparison(with: export).findings())
      let shown = findings.filter { !reporting.quiet || $0.severity > .note }
      try reporting.deliver(
        hint: "schemagen explain RULE explains a rule\n", clean: folder.headline,
        folders: versions.folders
      ) { terminal in
        Report(
          findings: shown, rules: RuleCatalog.descriptions, sources: folder.sources,
          toolVersion: Tool.version,
          workingDirectory: FileManager.default.currentDirectoryPath,
          failsAt: reporting.threshold, terminal: terminal)
      }
      if findings.contains(where: { $0.rule == .cloudConflict }) { throw ExitCode(3) }
      if findings.contains(where: { $0.severity >= reporting.threshold }) { throw ExitCode(1) }
    }
  }

  struct MakeSchema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Write the schema that a version needs, as a .ckdb file.",
      discussion: """
        With --into: an export of the development environment, with what it lacks. An import replaces the schema of \
        the development environment, so that is the file to import. Exit status: 0 written; 2 wrong usage, or a file that \
        cannot be read; 3 the export has a field of another type.
        """)

    @OptionGroup var versions: Versions

    @Option(
      help: ArgumentHelp(
        "Add to this export of a container's schema; all in it stays.", valueName: "file"),
      completion: .file())
    var into: String?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Write to this file; default: standard output.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(
      help:
        "What to put in: \(Configuration.CloudProfile.allCases.map(\.rawValue).joined(separator: ", ")); default: that of schemagen.yaml, or private."
    )
    var profile: Configuration.CloudProfile?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      var folder = try versions.folder()
      var base = CloudSchema.empty
      if let into {
        let path = versions.folders.resolve(into)
        let export = try CloudCommand.read(path, &folder)
        base = export.schema
        let conflicts = folder.comparison(with: export).findings()
          .filter { $0.rule == .cloudConflict }
        guard conflicts.isEmpty else {
          Output.error(
            TextReport(sources: folder.sources, terminal: Output.terminal(.errors))
              .render(conflicts.reportOrder))
          throw ExitCode(3)
        }
      } else {
        Output.error(
          "schemagen: warning: an import replaces the development schema: with --into FILE, what is there stays"
        )
      }
      let merged = base.merging(
        folder.versions.map(\.records), profile ?? folder.configuration.cloud.profile)
      guard let output else { return Output.write(merged.text) }
      do throws(FileSystemError) {
        try Disk().write(Array(merged.text.utf8), to: versions.folders.resolve(output))
      } catch {
        Output.report(error)
        throw ExitCode(2)
      }
    }
  }

  struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan",
      abstract: "Say step by step how production gets what it lacks, with the commands to paste.",
      discussion: """
        Exit status: 0 there is a plan, or nothing to deploy; 2 wrong usage, or a file that cannot be read; 3 a field has \
        another type or another encryption for good, which no plan changes.
        """)

    @OptionGroup var production: Production

    @OptionGroup var versions: Versions

    @Option(
      help: ArgumentHelp(
        "The version that is out: plan for every version behind it.", valueName: "version"))
    var from: VersionNumber?

    @OptionGroup var terminal: TerminalOptions

    func validate() throws {
      if from != nil, versions.version != nil {
        throw ValidationError("'--version' and '--from' exclude each other")
      }
    }

    func run() throws {
      var folder = try versions.folder(from.map { .after($0) })
      let export = try production.read(&folder, versions.folders)
      let findings = folder.comparison(with: export).findings()
      let conflicts = findings.filter { $0.rule == .cloudConflict }
      guard conflicts.isEmpty else {
        Output.report(conflicts.reportOrder, sources: folder.sources)
        throw ExitCode(3)
      }
      Output.write(CloudPlan(folder, export, findings).text)
    }
  }

  private static func read(_ path: String, _ folder: inout CloudFolder) throws -> CloudExport {
    do throws(CloudTrouble) {
      return try folder.export(path, fileSystem: Disk())
    } catch {
      report(error)
      throw ExitCode(2)
    }
  }

  private static func report(_ trouble: CloudTrouble) {
    Output.report(trouble.diagnostics, sources: trouble.sources)
  }
}

extension Configuration.CloudProfile: ExpressibleByArgument {}
