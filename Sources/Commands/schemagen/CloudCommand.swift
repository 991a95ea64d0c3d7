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
    abstract: "Compare a CloudKit container's schema with what the versions write.",
    discussion: """
      Reads and writes only files: 'xcrun cktool' exports and imports them.
      """,
    subcommands: [Comparison.self, MakeSchema.self, Plan.self])

  struct Versions: ParsableArguments {
    @OptionGroup var folders: FolderOptions

    @Option(
      name: .customLong("of"),
      help: ArgumentHelp(
        "The version whose stores sync, such as V9; default: the newest.", valueName: "version"))
    var version: VersionNumber?

    @Option(
      help: ArgumentHelp(
        "Every version after this one; this one must have shipped.", valueName: "version"))
    var from: VersionNumber?

    @Flag(help: "Every version that has shipped and still syncs ('cloud: oldest').")
    var allShipped = false

    /// Checks the options. Each command calls this method in `validate()`: if an option group itself refused a
    /// combination of options, the parser would blame the wrong option.
    func check() throws {
      let given = [version != nil, from != nil, allShipped].filter { $0 }
      if given.count > 1 {
        throw ValidationError("'--of', '--from' and '--all-shipped' exclude each other")
      }
    }

    /// Reads the folder. If the manifests have errors, calls `report`.
    func folder(_ report: (CloudTrouble) throws -> Void) throws -> CloudFolder {
      let disk = Disk()
      let paths = try folders.resolve(disk)
      guard paths.count == 1 else {
        Output.error(
          "schemagen: each store has its own container schema: name one of these with '--schemas': \(paths.joined(separator: ", "))"
        )
        throw ExitCode(2)
      }
      let choice: CloudFolder.Choice =
        allShipped ? .shipped : from.map { .after($0) } ?? version.map { .version($0) } ?? .newest
      do throws(CloudTrouble) {
        return try CloudFolder(paths[0], choice, fileSystem: disk)
      } catch {
        try report(error)
        throw ExitCode(2)
      }
    }
  }

  /// The options that name the exports of the production environment.
  struct Production: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "What 'cktool export-schema --environment production' wrote; default: the files under 'cloud: production' in schemagen.yaml.",
        valueName: "file"), completion: .file())
    var production: String?

    func read(
      _ folder: inout CloudFolder, _ folders: FolderOptions,
      _ report: (CloudTrouble) throws -> Void
    ) throws -> [CloudExport] {
      let given = production.map { [Configuration.Cloud.Production(folders.resolve($0))] }
      guard given != nil || !folder.productions.isEmpty else {
        Output.error("schemagen: which file is the export of production?")
        Output.error(
          "  help: name it with --production, or write 'cloud: { production: ../CloudKit/production.ckdb }' in schemagen.yaml"
        )
        throw ExitCode(2)
      }
      do throws(CloudTrouble) {
        return try folder.exports(Disk(), given: given)
      } catch {
        try report(error)
        throw ExitCode(2)
      }
    }
  }

  struct Comparison: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "List what production lacks for a version.",
      discussion: """
        Exit status: 0 production has everything; 1 it lacks something; 2 not compared: wrong usage, broken \
        manifests, an export that is broken or cut off; 3 a field has another type or another encryption, which can never change.
        """)

    @OptionGroup var production: Production

    @OptionGroup var versions: Versions

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var terminal: TerminalOptions

    func validate() throws { try versions.check() }

    func run() throws {
      var folder = try versions.folder(deliver)
      let exports = try production.read(&folder, versions.folders, deliver)
      let findings = folder.levelled(folder.findings(exports))
      let headline = folder.headline(exports, findings)
      let isClean = findings.allSatisfy { $0.severity == .note }
      if isClean, !findings.isEmpty, !reporting.quiet, reporting.format == .text {
        Output.summary(headline + "\n")
      }
      try reporting.show(
        findings, sources: folder.sources, clean: headline, folders: versions.folders)
      if findings.contains(where: { $0.rule == .cloudConflict }) { throw ExitCode(3) }
      try reporting.end(findings)
    }

    private func deliver(_ trouble: CloudTrouble) throws {
      try reporting.show(
        trouble.diagnostics, sources: trouble.sources, clean: "", folders: versions.folders)
    }
  }

  struct MakeSchema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Write the schema that a version needs, as a .ckdb file.",
      discussion: """
        With --into: adds what the version needs to an export of the development environment. An import replaces that \
        environment's schema, so import this file. Exit status: 0 written; 2 wrong usage, or a file that cannot be read; \
        3 the export has a field of another type.
        """)

    @OptionGroup var versions: Versions

    @Option(
      help: ArgumentHelp(
        "Add to this export of a container's schema, and keep everything in it.", valueName: "file"),
      completion: .file())
    var into: String?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Write to this file; default: standard output.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(
      help:
        "What to include: \(Configuration.CloudProfile.allCases.map(\.rawValue).joined(separator: ", ")); default: that of schemagen.yaml, or private."
    )
    var profile: Configuration.CloudProfile?

    @OptionGroup var terminal: TerminalOptions

    func validate() throws { try versions.check() }

    func run() throws {
      var folder = try versions.folder(CloudCommand.report)
      var export: CloudExport?
      if let into {
        let base = try CloudCommand.base(versions.folders.resolve(into), &folder)
        let conflicts = folder.comparison(with: base, standing: standing(of: base, &folder))
          .findings().filter { $0.rule == .cloudConflict }
        guard conflicts.isEmpty else {
          Output.error(
            TextReport(sources: folder.sources, terminal: Output.terminal(.errors))
              .render(conflicts.reportOrder))
          throw ExitCode(3)
        }
        if base.hasComments {
          Output.error(
            "schemagen: warning: the comments in '\(into)' are not kept: no server keeps them either"
          )
        }
        export = base
      } else {
        Output.error(
          "schemagen: warning: an import replaces the development schema: with --into FILE, existing definitions stay"
        )
      }
      let merged = (export?.schema ?? .empty).merging(
        folder.versions.map(\.records), profile ?? folder.configuration.cloud.writtenProfile)
      let text = CloudExport.written(merged, like: export)
      guard let output else { return Output.write(text) }
      try Disk().write(Array(text.utf8), to: versions.folders.resolve(output))
    }

    /// Which fields of the file are permanent: those that production has.
    private func standing(
      of base: CloudExport, _ folder: inout CloudFolder
    ) -> CloudComparison.Standing {
      let productions = folder.productions
      if productions.contains(where: { $0.path == base.path }) { return .production }
      guard productions.count == 1 else { return .draft(production: nil) }
      return .draft(
        production: try? folder.export(productions[0].path, fileSystem: Disk()).schema)
    }
  }

  struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan",
      abstract: "Show the steps and commands that add to production what it lacks.",
      discussion: """
        Exit status: 0 there is a plan, or nothing to deploy; 2 wrong usage, or a file that cannot be read; 3 a field has \
        another type or another encryption, which can never change.
        """)

    @OptionGroup var production: Production

    @OptionGroup var versions: Versions

    @OptionGroup var terminal: TerminalOptions

    func validate() throws { try versions.check() }

    func run() throws {
      var folder = try versions.folder(CloudCommand.report)
      let exports = try production.read(&folder, versions.folders, CloudCommand.report)
      let conflicts = folder.findings(exports).filter { $0.rule == .cloudConflict }
      guard conflicts.isEmpty else {
        Output.report(conflicts.reportOrder, sources: folder.sources)
        throw ExitCode(3)
      }
      let plans = exports.flatMap { export in
        CloudPlan(
          folder, export, folder.comparison(with: export).findings(),
          isOneOfSeveral: exports.count > 1
        ).document
      }
      Output.write(plans.markdown)
    }
  }

  private static func base(_ path: String, _ folder: inout CloudFolder) throws -> CloudExport {
    do throws(CloudTrouble) {
      return try folder.export(path, isProduction: false, fileSystem: Disk())
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
