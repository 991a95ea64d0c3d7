import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct AnonymiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymise",
    abstract: "Write a copy of a store without its values, to share it.",
    discussion: """
      The copy has the same models, links and hashes, so it is recognised and migrates as the store does. Where a \
      value crashes the app, the copy's value does, too. The store stays unchanged, even while an app has it open. \
      Exit status: 0 written; 2 nothing was written: no store, a damaged one, a file that exists, wrong usage.
      """,
    aliases: ["anonymize"])

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
  var store: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var folders: FolderOptions

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let path = folders.resolve(store)
    let target = folders.resolve(output)
    let manifests = try folders.manifestFolders(Disk()) ?? []
    let copy = StoreCopy(
      of: URL(filePath: path), to: URL(filePath: target),
      Anonymisation(keptValues: manifests.reduce(into: []) { $0.formUnion($1.enumValues) }),
      candidates: manifests.flatMap(\.candidates))
    let summary: StoreCopy.Summary
    do {
      summary = try copy.write { [work = progress.work] in work.show($0, $1, $2) }
    } catch let error as FileSystemError {
      Output.report(error)
      throw ExitCode(2)
    } catch {
      Output.report(error, ofStoreAt: path)
      throw ExitCode(2)
    }
    let terminal = Output.terminal(.output)
    for line in summary.lines { Output.write(terminal.fitted(line.visibleInOneLine) + "\n") }
    Output.summary("\(target): \(summary.headline)".visibleInOneLine)
  }
}
