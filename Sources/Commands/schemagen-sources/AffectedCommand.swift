import ArgumentParser
import CommandLineSupport
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftChecks
import SwiftSources

struct AffectedCommand: ParsableCommand {
  static let configuration = AffectedOptions.configuration

  @OptionGroup var options: AffectedOptions

  func run() throws {
    let schemas = try options.folders.resolve(Disk())
    let lists = try schemas.map { try list($0, isOneOfSeveral: schemas.count > 1) }
    let text = lists.filter { !$0.isEmpty }.joined(separator: "\n")
    guard let output = options.output else { return Output.write(text) }
    let path = options.folders.resolve(output)
    try Disk().write(Array(text.utf8), to: path)
    let count = text.split(separator: "\n").count { $0.hasPrefix("- [ ] ") }
    Output.summary("wrote \(path): \(counted(count, "place")) to check")
  }

  private func list(_ path: String, isOneOfSeveral: Bool) throws -> String {
    let folder = SchemaFolder.read(path, fileSystem: Disk())
    guard let evolution = folder.evolution else {
      // The list may go to standard output, so errors do not.
      Output.error(TextReport(sources: folder.sources).render(folder.diagnostics))
      throw ExitCode(2)
    }
    let known = evolution.history.map(\.number)
    for version in [options.from, options.to].compactMap({ $0 }) where !known.contains(version) {
      let names = known.map(\.name).joined(separator: ", ")
      Output.error("schemagen: \(path) has no version \(version.name); it has \(names)")
      throw ExitCode(2)
    }
    let affected = Affected(
      evolution, folder: path, isOneOfSeveral: isOneOfSeveral, from: options.from,
      to: options.to)
    guard !affected.isEmpty else {
      Output.error("schemagen: \(path) has no pair of versions to compare")
      return ""
    }
    let tree = SourceTree(
      folders: options.paths.map(options.folders.resolve), excluding: affected.excluded,
      progress: options.progress.work.show)
    let reading = tree.files(containing: Prefilter(affected.words))
    if !reading.diagnostics.isEmpty {
      Output.error(TextReport(sources: [:]).render(reading.diagnostics))
    }
    if reading.diagnostics.hasErrors { throw ExitCode(2) }
    return affected.checklist(of: reading.files)
  }
}
