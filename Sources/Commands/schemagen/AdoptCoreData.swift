import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

/// `schemagen adopt --xcdatamodel`: writes the versions of a Core Data model as manifests.
struct AdoptCoreData {
  let model: String
  let first: String?
  let last: String?
  let order: [String]
  let options: AdoptOptions

  func run() throws {
    let folder = FolderOptions.path(options.schemas, below: options.root)
    let path = FolderOptions.path(model, below: options.root)
    try FolderOptions.finishInterrupted(in: folder)
    let reading = CoreDataVersions.read(
      model: path, current: last, order: order, fileSystem: Disk())
    guard let versions = reading.versions else {
      Output.report(reading.diagnostics, sources: reading.sources)
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    let found = try CoreDataMappings(beside: path, fileSystem: Disk())
    for path in found.unread {
      Output.error("note: '\(path)' cannot be read as a mapping model")
    }
    let adoption: CoreDataAdoption
    do throws(CoreDataTrouble) {
      adoption = try CoreDataAdoption(
        versions, mappings: found.mappings, from: first, folder: folder,
        working: FileManager.default.currentDirectoryPath)
    } catch {
      Output.error("schemagen: \(error.message)\n  help: \(error.help)")
      throw ExitCode(2)
    }
    let report = CoreDataReport(adoption)
    Output.write(report.document)
    Output.write("\n")
    guard adoption.isPossible else {
      Output.error("schemagen: nothing was written: \(report.refusal)")
      throw ExitCode(2)
    }
    if options.dryRun {
      for file in adoption.files { Output.write("==> \(file.path) <==\n\(file.text)\n") }
    } else {
      try AdoptedFiles.write(
        adoption.files, in: folder,
        "\n  help: to see the result, write to another folder: --schemas FromCoreData")
    }
    Output.report(adoption.questions, sources: adoption.sources)
    if !options.dryRun {
      Output.write(report.next(schemas: folder))
      Output.write(Tool.skillOffer)
    }
    Output.summary(
      "\(folder): \(report.headline(isDry: options.dryRun))"
        + (adoption.notes.isEmpty ? "" : ", \(adoption.notes.count) to review"))
    if adoption.questions.hasErrors { throw ExitCode(1) }
  }
}
