import ArgumentParser
import CommandLineSupport
import Foundation
import ManagedModels
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreFormat
import StoreTools

extension InspectionReport.Format: ExpressibleByArgument {}

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Show the contents of a Core Data or SwiftData store, and which version it is of.",
    discussion: """
      Reads only: the store, its log and their folder stay as they are, also while an app has the store open. Exit \
      status: 0 inspected, and of a version of the manifests where there are any; 1 of none of them; 2 no store, \
      damaged, or not to be read.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"))
  var store: String

  @OptionGroup var folders: FolderOptions

  @Option(
    help:
      "How to show it: \(InspectionReport.Format.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: InspectionReport.Format = .text

  func run() throws {
    let path = folders.resolve(store)
    let facts: StoreFacts
    do {
      facts = try StoreFacts(ofStoreAt: URL(filePath: path))
    } catch {
      Output.report(error, ofStoreAt: path)
      throw ExitCode(2)
    }
    let candidates = try candidates(Disk())
    let report = InspectionReport(path: path, facts: facts, candidates: candidates)
    Output.write(report.render(format))
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }

  /// The versions of all folders of manifests; nil where no folder was named and there is none.
  private func candidates(_ disk: Disk) throws -> [StoreMatch.Candidate]? {
    var found: [StoreMatch.Candidate] = []
    for path in try folders.resolve(disk) {
      let names = try? disk.list(path)
      if folders.schemas.isEmpty, names == nil { return nil }
      let folder = SchemaFolder.read(path, fileSystem: disk)
      guard let evolution = folder.evolution else {
        // A folder without manifests has nothing to say, unless it was named.
        if folders.schemas.isEmpty, !folder.isMalformed { continue }
        Output.error(
          TextReport(sources: folder.sources).render(folder.diagnostics)
            + "schemagen: \(path): the manifests cannot be read")
        throw ExitCode(2)
      }
      found += StoreMatch.Candidate.all(
        of: evolution, folder: path,
        frozen: SchemaFolder.provenHashes(in: path, fileSystem: disk).mapValues(\.entities))
    }
    return found
  }
}
