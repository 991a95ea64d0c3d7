import ArgumentParser
import CommandLineSupport
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

struct AffectedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "affected",
    abstract: "List the places in an app's code that use what changes between two versions.",
    discussion: """
      A checklist in Markdown: what changes, and below it where code uses it, from the domain entity to the tests. \
      Comments and strings do not count. Places in files that name neither the model nor its entity are listed separately.
      """)

  @Argument(help: "Folders of Swift sources, or files.")
  var paths: [String] = ["."]

  @OptionGroup var folders: FolderOptions

  @Option(
    help: ArgumentHelp(
      "The version to begin with, such as V8; default: the last step.",
      valueName: "version"))
  var from: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "The version to end with, such as V9; without it, the newest.", valueName: "version"))
  var to: VersionNumber?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the list to a file instead of the terminal.", valueName: "file"))
  var output: String?

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
  }

  func run() throws {
    let schemas = try folders.resolve(Disk())
    let lists = try schemas.map { try list($0, isOneOfSeveral: schemas.count > 1) }
    let text = lists.filter { !$0.isEmpty }.joined(separator: "\n")
    guard let output else { return Output.write(text) }
    do throws(FileSystemError) {
      let path = folders.resolve(output)
      try Disk().write(Array(text.utf8), to: path)
      let count = text.split(separator: "\n").count { $0.hasPrefix("- [ ] ") }
      Output.summary("wrote \(path): \(count) place\(count == 1 ? "" : "s") to look at")
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }

  /// The checklist of one folder of manifests.
  private func list(_ path: String, isOneOfSeveral: Bool) throws -> String {
    let folder = SchemaFolder.read(path, fileSystem: Disk())
    guard let evolution = folder.evolution else {
      // The list may be written to standard output, and what is wrong is not part of it.
      Output.error(TextReport(sources: folder.sources).render(folder.diagnostics))
      throw ExitCode(2)
    }
    let known = evolution.history.map(\.number)
    for version in [from, to].compactMap({ $0 }) where !known.contains(version) {
      let names = known.map(\.name).joined(separator: ", ")
      Output.error("schemagen: \(path) has no version \(version.name); it has \(names)")
      throw ExitCode(2)
    }
    let affected = Affected(
      evolution, folder: path, isOneOfSeveral: isOneOfSeveral, from: from, to: to)
    guard !affected.isEmpty else {
      Output.error("schemagen: \(path) has no pair of versions to compare")
      return ""
    }
    let tree = SourceTree(
      folders: paths.map(folders.resolve), excluding: affected.excluded,
      progress: progress.work.show)
    let reading = tree.files(containing: Prefilter(affected.words))
    if !reading.diagnostics.isEmpty {
      Output.error(TextReport(sources: [:]).render(reading.diagnostics))
    }
    if reading.diagnostics.hasErrors { throw ExitCode(2) }
    return affected.checklist(of: reading.files)
  }
}
