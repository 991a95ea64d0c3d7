import ArgumentParser
import CommandLineSupport
import Foundation
import ManagedModels
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreFormat
import StoreTools
import SwiftTrace

struct TraceCommand: ParsableCommand {
  static let configuration = TraceOptions.configuration

  @OptionGroup var options: TraceOptions

  func run() throws {
    let path = options.folders.resolve(options.store)
    let work = options.progress.work
    let facts: StoreFacts
    do {
      facts = try StoreFacts(ofStoreAt: URL(filePath: path)) { work.show("counting rows", $0, $1) }
    } catch {
      let reason = (error as? StoreError)?.reason ?? error.localizedDescription
      Output.error("schemagen: '\(path)': \(reason)")
      throw ExitCode(2)
    }
    guard let subject = TraceSubject(facts) else {
      Output.error(
        "schemagen: '\(path)': the store has neither hashes nor a model, and tables alone prove no version"
      )
      Output.error("  help: 'schemagen inspect' shows what is in it")
      throw ExitCode(2)
    }
    let trace: StoreTrace
    do throws(GitFailure) {
      trace = try self.trace(path, facts, subject, work)
    } catch {
      Output.error("schemagen: \(error.reason)")
      for help in error.help where !help.contains("--against") { Output.error("  help: \(help)") }
      throw ExitCode(2)
    }
    if let output = options.output { try write(trace, to: options.folders.resolve(output)) }
    try options.showing.show(trace, trace.document, headline: trace.headline)
    if trace.exitStatus != 0 { throw ExitCode(trace.exitStatus) }
  }

  private func trace(
    _ path: String, _ facts: StoreFacts, _ subject: TraceSubject, _ work: WorkProgress
  ) throws(GitFailure) -> StoreTrace {
    work.show("reading the history")
    let repository = try GitRepository(containing: options.folders.root ?? ".")
    let history = try CommitHistory(of: repository)
    let reading = try StoreTrace.Reading(
      history, in: repository, of: subject, conditions: options.conditions.build,
      progress: work.show)
    work.show("comparing with today")
    return StoreTrace(
      path: path, facts: facts, subject: subject, history: history, reading: reading,
      folders: manifests())
  }

  /// The current manifests that can be read. Commits are searched even if there are none.
  private func manifests() -> [ManifestFolder] {
    var paths: [String] = []
    do { paths = try options.folders.resolve(Disk()) } catch { _ = Tool.end(error) }
    return paths.compactMap { path in
      guard Disk().isFolder(path) else { return nil }
      let folder = SchemaFolder.read(path, fileSystem: Disk())
      if let manifests = ManifestFolder(folder) { return manifests }
      Output.error(
        "\(path): the manifests have errors, so today's versions are not compared; 'schemagen lint' shows them"
      )
      return nil
    }
  }

  private func write(_ trace: StoreTrace, to path: String) throws {
    guard let missing = trace.missing else {
      Output.error(
        trace.match == nil
          ? "schemagen: there is no manifest to write: no commit is known to have written the store"
          : "schemagen: there is no manifest to write: the manifests already have the store's version"
      )
      throw ExitCode(2)
    }
    guard try Disk().read(path, limit: 1) == nil else {
      throw FileSystemError(path: path, reason: "it exists already")
    }
    try Disk().write(Array(missing.text.utf8), to: path)
    Output.error("wrote \(path)")
  }
}
