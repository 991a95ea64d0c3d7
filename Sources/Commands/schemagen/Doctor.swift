import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaGit
import SchemaWorkspace
import StoreFormat
import StoreTools

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Explain why an app does not recognise a store, and what to do.",
    discussion: """
      For "unknown model version" (134504) and loadIssueModelContainer: shows the store's version, or the nearest one, \
      what differs, what the app does with the store, and the ways out. If the store is not recognised, it also shows \
      the commits of a git repository that could have written it. Reads only, as 'inspect' does. --schemas takes a \
      Core Data model (.xcdatamodeld, .momd), too.
      Exit status: 0 the store is recognised; 1 it matches no version of the manifests; 2 there is no store, or it is \
      damaged or unreadable; or there are no manifests, or they have errors.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
  var store: String

  @OptionGroup var folders: FolderOptions

  @OptionGroup var showing: ShowingOptions

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
      Output.error(
        "  help: name the file that the app opens, most often 'default.store', with its '-wal' file next to it; if the store is damaged, see \(StoreFacts.salvagePage)"
      )
      throw ExitCode(2)
    }
    guard let manifests = try folders.manifestFolders(Disk()), !manifests.isEmpty else {
      Output.error("schemagen: there are no manifests to compare the store with")
      Output.error(
        "  help: name the manifests' folder with --schemas; 'schemagen inspect' works without manifests; 'schemagen adopt --store \(ShellWord.quoted(path))' writes a manifest from the store"
      )
      throw ExitCode(2)
    }
    progress.work.show("comparing the store with the versions")
    let diagnosis = StoreDiagnosis(path: path, facts: facts, folders: manifests)
    try showing.show(diagnosis, diagnosis.document, headline: diagnosis.headline) {
      if !diagnosis.isRecognised, facts.writer == .coreData { try trace() }
    }
    if diagnosis.exitStatus != 0 { throw ExitCode(diagnosis.exitStatus) }
  }

  private func trace() throws {
    guard SourceExecutable.isThere,
      (try? GitRepository(containing: folders.root ?? ".").head()) != nil
    else { return }
    Output.write("\nin the history:\n\n")
    let options =
      folders.schemas.flatMap { ["--schemas", $0] } + (folders.root.map { ["--root", $0] } ?? [])
    // The exit status of `trace` does not change the exit status of the diagnosis.
    _ = try SourceExecutable.status(["trace", "--quiet"] + options + ["--", store], in: ".")
  }
}
