import ArgumentParser
import SchemaDiagnostics
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkflow

extension DiffReport.Format: ExpressibleByArgument {}

extension VersionNumber: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between versions, what becomes of the data, and why.")

  @OptionGroup var folders: Folders

  @Option(help: ArgumentHelp("The version to begin with, such as V8.", valueName: "version"))
  var from: VersionNumber?

  @Option(help: ArgumentHelp("The version to end with, such as V9.", valueName: "version"))
  var to: VersionNumber?

  @Option(
    help: "How to show it: \(DiffReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: DiffReport.Format = .text

  func validate() throws {
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
  }

  func run() throws {
    let disk = Disk()
    var status: Int32 = 0
    for path in try folders.resolve(disk) { status = max(status, run(path, disk)) }
    if status != 0 { throw ExitCode(status) }
  }

  private func run(_ path: String, _ disk: Disk) -> Int32 {
    let folder = SchemaFolder(path, fileSystem: disk)
    // Findings go beside a report for machines, not into it.
    let summary = TextReport.summary(folder.diagnostics)
    let findings =
      TextReport(sources: folder.sources, usesColor: Output.usesColor).render(folder.diagnostics)
      + (summary.isEmpty ? "" : summary + "\n")
    if let evolution = folder.evolution {
      let known = evolution.history.map(\.number)
      for version in [from, to].compactMap({ $0 }) where !known.contains(version) {
        let names = known.map(\.name).joined(separator: ", ")
        Output.error("schemagen: \(path) has no version \(version.name); it has \(names)")
        return 2
      }
      let report = DiffReport(
        evolution, from: from, to: to, usesColor: format == .text && Output.usesColor)
      Output.write(report.render(format))
    }
    if format == .text {
      Output.write(findings)
    } else if !findings.isEmpty {
      Output.error(findings)
    }
    guard folder.diagnostics.hasErrors else { return 0 }
    return folder.isMalformed ? 2 : 1
  }
}
