import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct StoresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores",
    abstract: "Keep stores that shipped, and check that each is what its list says.",
    subcommands: [Add.self, Check.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a copy of a store that shipped into the folder of kept stores.",
      discussion: """
        The store is only read, with its log. Its hashes say which version it is of, not its name; a version that has \
        not shipped is refused. Exit status: 0 it is kept; 1 it proves no version that has shipped; 2 wrong usage, no \
        store, or one that is damaged or cannot be read.
        """)

    @Argument(
      help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
    var store: String

    @OptionGroup var folders: FolderOptions

    @Option(
      help: ArgumentHelp(
        "The release or build that wrote it, such as 1.4.2; it becomes part of the file's name.",
        valueName: "build"))
    var build: String?

    @Option(
      help: ArgumentHelp("Where it came from, such as TestFlight.", valueName: "text"))
    var from: String?

    @Option(
      name: .customLong("of"),
      help: ArgumentHelp(
        "Its version, where several have the same hashes.", valueName: "version"))
    var number: VersionNumber?

    @Option(
      help: ArgumentHelp(
        "Keep a sample: so many rows of each model, and every row that they lead to.",
        valueName: "number"))
    var rows: Int?

    @OptionGroup var terminal: TerminalOptions

    func validate() throws {
      if let rows, rows < 1 { throw ValidationError("'--rows' is a number from 1") }
    }

    func run() throws {
      let disk = Disk()
      let paths = try folders.resolve(disk)
      guard paths.count == 1 else {
        Output.error(
          "schemagen: '\(store)' belongs to one folder's versions: name one '--schemas'")
        throw ExitCode(2)
      }
      let name = folders.resolve(store)
      do {
        let intake = try KeptStoreIntake(
          storeAt: URL(filePath: name), named: name,
          into: SchemaFolder.read(paths[0], fileSystem: disk),
          KeptStoreIntake.Options(version: number, build: build, origin: from, rows: rows), disk)
        tell(intake)
      } catch let failure as FileSystemError {
        Output.report(failure)
        throw ExitCode(2)
      } catch {
        Output.report(error, ofStoreAt: name, refused: "is not kept")
        throw ExitCode(error is StoreRefusal ? 1 : 2)
      }
    }

    private func tell(_ intake: KeptStoreIntake) {
      let entry = intake.entry
      for caveat in intake.caveats { Output.write("not verified: \(caveat)\n") }
      for (model, all) in entry.sampled.sorted(by: { $0.key < $1.key }) {
        Output.write("\(model): \(entry.rows[model] ?? 0) of \(counted(all, "row"))\n")
      }
      if intake.size > Self.largeSize {
        Output.write(
          "\(intake.size >> 20) MiB: '--rows 200' keeps a sample, and Git LFS keeps it out of every clone\n"
        )
      }
      let rows = entry.rows.values.reduce(0, +)
      Output.summary(
        "\(intake.path): \(intake.isKnown ? "kept before" : "kept"), \(entry.version.name), "
          + counted(rows, "row"))
    }

    /// What a repository hardly feels.
    private static let largeSize = 5 << 20
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Hold the kept stores against their list, and the list against what has shipped.",
      discussion: """
        'lint' and the hook do the same. Exit status: 0 no findings; 1 errors, or warnings with --strict; 2 wrong usage, broken manifests, or files that cannot be read.
        """)

    @OptionGroup var folders: FolderOptions

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      let disk = Disk()
      var findings: [Diagnostic] = []
      var sources: [String: String] = [:]
      var lines: [String] = []
      var isMalformed = false
      for path in try folders.resolve(disk) {
        let folder = SchemaFolder.read(path, fileSystem: disk)
        let review = KeptStoreReview(folder, fileSystem: disk)
        let levels = RuleLevels(folder.configuration, file: Path.join(path, "schemagen.yaml"))
        var found = levels.apply(to: review.diagnostics)
        if folder.isMalformed {
          isMalformed = true
          found += folder.diagnostics.filter { $0.severity == .error }
        }
        findings += found
        sources.merge(review.sources) { first, _ in first }
        sources.merge(folder.sources) { first, _ in first }
        lines.append("\(path): \(Self.words(review.stores))")
      }
      findings = findings.reportOrder.filter { !reporting.quiet || $0.severity > .note }
      try reporting.deliver(
        hint: "", clean: lines.joined(separator: "\n"), folders: folders
      ) { terminal in
        Report(
          findings: findings, rules: RuleCatalog.descriptions, sources: sources,
          toolVersion: Tool.version,
          workingDirectory: FileManager.default.currentDirectoryPath, accepted: [],
          failsAt: reporting.threshold, terminal: terminal)
      }
      if isMalformed { throw ExitCode(2) }
      if findings.contains(where: { $0.severity >= reporting.threshold }) { throw ExitCode(1) }
    }

    private static func words(_ stores: KeptStores?) -> String {
      guard let stores else { return "no stores are kept" }
      let versions = Set(stores.entries.map(\.version)).count
      let rows = stores.entries.flatMap(\.rows.values).reduce(0, +)
      return "\(counted(stores.entries.count, "kept store")) of \(counted(versions, "version")), "
        + "\(counted(rows, "row")): as listed"
    }
  }
}
