import ArgumentParser
import CommandLineSupport
import Foundation
import ManagedModels
import SchemaReporting
import SchemaWorkspace
import StoreFormat
import StoreTools

struct Inspect: ParsableCommand {
  /// One store as text or as an `InspectionReport`, or one line of JSON for each of many stores.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, jsonl
  }

  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Show the contents and the version of a Core Data or SwiftData store.",
    discussion: """
      Reads only: the store, its log and their folder stay unchanged, even while an app has the store open. With \
      --format jsonl: a line of JSON for each of many stores. --schemas takes a Core Data model (.xcdatamodeld, \
      .momd), too. Exit status: 0 the store was inspected and, if there are manifests, has one of their versions; 1 it \
      has none of them; 2 there is no store, or it is damaged or unreadable. For several stores: the highest.
      """)

  @Argument(
    help: ArgumentHelp(
      "The store's file. With --format jsonl: files, and folders of them.", valueName: "store"),
    completion: .file())
  var stores: [String]

  @OptionGroup var folders: FolderOptions

  @Option(
    help: "The output format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: Format = .text

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if stores.count > 1, format != .jsonl {
      throw ValidationError(
        "'--format \(format.rawValue)' shows one store: write '--format jsonl' for \(stores.count) stores"
      )
    }
  }

  func run() throws {
    guard format != .jsonl else { return try list() }
    let path = folders.resolve(stores[0])
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
    if format == .json {
      Output.write(JSONText.encode(report))
    } else {
      Output.write(report.document)
      Output.summary(report.headline)
    }
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }

  private func list() throws {
    let disk = Disk()
    // The manifests are read before any store. If they are broken, reading a thousand stores is pointless.
    let candidates = try folders.manifestFolders(disk)?.flatMap(\.candidates)
    let files = try stores.flatMap { try self.files(at: $0, disk) }
    var lines: [StoreLine] = []
    for (place, file) in files.enumerated() {
      progress.work.show("inspecting stores", place, files.count)
      let line = file.line ?? self.line(file.path, isNamed: file.isNamed, candidates)
      Output.write(line.json + "\n")
      lines.append(line)
    }
    if !progress.quiet {
      Output.error(StoreLine.headline(lines, hasManifests: candidates != nil))
    }
    // If no file is a store, the user probably means another folder.
    let status = lines.filter { $0.status != .noStore }.map(\.exitStatus).max() ?? 2
    if status != 0 { throw ExitCode(status) }
  }

  private struct File {
    var path: String
    var isNamed = false
    /// The line for a file that is no database; nil for a database.
    var line: StoreLine?
  }

  /// The named file itself, or all files of the named folder and its subfolders, sorted.
  private func files(at name: String, _ disk: Disk) throws -> [File] {
    let path = folders.resolve(name)
    guard disk.isFolder(path) else { return [File(path: path, isNamed: true)] }
    let folder = try StoreFolder(path)
    let databases = folder.databases.map { File(path: Path.join(path, $0)) }
    let others = folder.others.map { file in
      let path = Path.join(path, file.name)
      return File(
        path: path, line: StoreLine(store: path, trouble: file.reason, isStore: file.isStore))
    }
    return (databases + others).sorted { $0.path < $1.path }
  }

  private func line(
    _ path: String, isNamed: Bool, _ candidates: [VersionCandidate]?
  ) -> StoreLine {
    do {
      let facts = try StoreFacts(ofStoreAt: URL(filePath: path))
      return StoreLine(InspectionReport(path: path, facts: facts, candidates: candidates))
    } catch {
      let reason = (error as? StoreError)?.reason ?? error.localizedDescription
      return StoreLine(
        store: path, trouble: reason.visibleInOneLine,
        isStore: isNamed || (error as? StoreError)?.isOfForeignDatabase != true)
    }
  }
}
