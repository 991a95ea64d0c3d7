import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaModel
import SchemaProcesses
import SchemaRendering
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct ReportCommand: ParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case html, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show the history of a schema: its versions, models, and what becomes of the data.",
    discussion: """
      html is one page that needs no other file and no network. svg shows the models of one version, the newest or that \
      of --to, with lines for their relationships: Graphviz ('dot') draws it.
      Exit status: 0 written; 2 the manifests, a store or a file cannot be read or written.
      """)

  @OptionGroup var folders: FolderOptions

  @Option(help: ArgumentHelp("The version to begin with, such as V8.", valueName: "version"))
  var from: VersionNumber?

  @Option(help: ArgumentHelp("The version to end with, such as V9.", valueName: "version"))
  var to: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "A store: shows what the changes do to its rows, as 'diff --store' does.", valueName: "file"),
    completion: .file())
  var store: String?

  @OptionGroup var survey: SurveyOptions

  @Option(help: "What to write: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: Format = .html

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; '-' for standard output. Default: report.html, and '-' for svg.",
      valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let from, let to, from > to {
      throw ValidationError("'--from \(from.name)' is after '--to \(to.name)'")
    }
    if format == .svg, survey.survey != nil {
      throw ValidationError("'--survey' is for '--format html'")
    }
    if format == .svg, store != nil || from != nil {
      throw ValidationError("'--format svg' shows one version: name it with '--to'")
    }
  }

  func run() throws {
    let disk = Disk()
    let paths = try folders.resolve(disk)
    guard let path = paths.first, paths.count == 1 else {
      Output.error(
        "schemagen: a report covers one folder; name one of these with '--schemas': \(paths.joined(separator: ", "))"
      )
      throw ExitCode(2)
    }
    let folder = SchemaFolder.read(path, fileSystem: disk)
    guard let evolution = folder.evolution else {
      Output.error(TextReport(sources: folder.sources).render(folder.diagnostics))
      throw ExitCode(2)
    }
    guard folders.knows([from, to], among: evolution.history.map(\.number), in: path) else {
      throw ExitCode(2)
    }
    let released = format == .html ? try SourceExecutable.releases(of: path) : nil
    let levels = RuleLevels(folder.configuration, in: path)
    let report = HistoryReport(
      title: title(path), evolution,
      findings: folder.diagnostics + levels.apply(to: released?.findings(in: folder) ?? []),
      lock: SchemaFolder.lock(in: path, fileSystem: disk), releases: released?.releases ?? [:],
      from: from, to: to,
      measurements: try store.map {
        guard let found = folders.measure($0, path, evolution, from: from, disk, progress.work)
        else {
          throw ExitCode(2)
        }
        return found
      },
      survey: try survey.read(folders, disk))
    guard let report else {
      Output.error("schemagen: \(path) has no version between '--from' and '--to'")
      throw ExitCode(2)
    }
    try write(text(report), of: report.versions.count, disk)
  }

  /// The folder's name, or its parent's name if the folder is called `Schemas`.
  private func title(_ path: String) -> String {
    let parts = Path.join(FileManager.default.currentDirectoryPath, path).split(separator: "/")
    let name = parts.last.map(String.init) ?? path
    return name == "Schemas" ? parts.dropLast().last.map(String.init) ?? name : name
  }

  private func text(_ report: HistoryReport) throws -> String {
    switch format {
    case .html:
      progress.work.show("drawing versions: \(report.versions.count)")
      return report.page
    case .svg:
      var dot = ChildProcess("dot", ["-Tsvg"])
      dot.input = Array(report.dot.utf8)
      guard let drawn = try? dot.run(), drawn.isSuccess else {
        Output.error(
          "schemagen: svg needs Graphviz's 'dot', which is not installed or fails\n"
            + "  help: install Graphviz, or write the HTML page, which needs no Graphviz: --format html"
        )
        throw ExitCode(2)
      }
      return drawn.text
    }
  }

  private func write(_ text: String, of count: Int, _ disk: Disk) throws {
    let name = output ?? (format == .html ? "report.html" : "-")
    guard name != "-" else { return Output.write(text) }
    let path = folders.resolve(name)
    try disk.write(Array(text.utf8), to: path)
    Output.summary("wrote   \(path): \(counted(count, "version"))")
    guard output == nil else { return }
    let folder = Path.join(path, "..")
    let untracked = ChildProcess(
      "git", ["-C", folder, "ls-files", "--others", "--exclude-standard", "--", name])
    if let outcome = try? untracked.run(), outcome.isSuccess, !outcome.text.isEmpty {
      Output.error(
        "  help: git does not ignore this file; to change that: echo \(name) >> \(Path.join(folder, ".gitignore"))"
      )
    }
  }
}
