import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaWorkspace
import StoreFormat
import StoreTools

extension InspectionReport.Format: ExpressibleByArgument {}

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Show the contents and the version of a Core Data or SwiftData store.",
    discussion: """
      Reads only: the store, its log and their folder stay unchanged, even while an app has the store open. Exit \
      status: 0 inspected, and a version of the manifests if there are any; 1 none of their versions; 2 no store, \
      damaged, or unreadable.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
  var store: String

  @OptionGroup var folders: FolderOptions

  @Option(
    help:
      "How to show it: \(InspectionReport.Format.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: InspectionReport.Format = .text

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let path = folders.resolve(store)
    let facts: StoreFacts
    do {
      let work = progress.work
      facts = try StoreFacts(ofStoreAt: URL(filePath: path)) { work.show("counting rows", $0, $1) }
    } catch {
      Output.report(error, ofStoreAt: path)
      throw ExitCode(2)
    }
    let candidates = try folders.manifestFolders(Disk())?.flatMap(\.candidates)
    let report = InspectionReport(path: path, facts: facts, candidates: candidates)
    Output.write(report.render(format, on: Output.terminal(.output)))
    if format == .text { Output.summary(report.headline) }
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }
}
