import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Generate all files from the manifests.")

  @OptionGroup var folders: FolderOptions

  @Flag(help: "Write nothing; print what would change, and exit with 1 if anything would.")
  var check = false

  @Flag(help: "Write nothing; print what would be written.")
  var dryRun = false

  @Flag(help: "With --check, check the staged changes in git instead of the files on disk.")
  var staged = false

  @Flag(help: "Count warnings as errors.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Print findings only.")
  var quiet = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if check, dryRun { throw ValidationError("'--check' and '--dry-run' exclude each other") }
    if staged, !check {
      throw ValidationError("'--staged' needs '--check': 'generate' cannot write staged files")
    }
  }

  func run() throws {
    if CommandLine.arguments.count == 1, let text = FirstSteps.text { return Output.write(text) }
    var status: Int32 = 0
    for (folder, files) in try folders.resolve(isStaged: staged) {
      status = max(status, run(folder, files))
    }
    if status != 0 { throw ExitCode(status) }
  }

  private func run(_ path: String, _ files: some FileSystem) -> Int32 {
    let generation = GenerationPipeline(fileSystem: files).run(path)
    var status: Int32 = 0
    if let classes = classes(of: path, generation, files), !dryRun {
      if let taken = snapshot(path, classes) {
        if !check { return taken }
        status = taken
      }
    }
    return max(status, finish(generation, path, files, hasMoved: status != 0))
  }

  /// The folder of the app's classes; nil if all models are generated.
  private func classes(
    of path: String, _ generation: GenerationRun, _ files: some FileSystem
  ) -> String? {
    // If no file has changed since the last run, the pipeline did not read the configuration.
    let folder = generation.folder ?? SchemaFolder.read(path, fileSystem: files)
    return folder.configuration.classes
  }

  /// - Parameter hasMoved: Whether the app's classes differ from the newest manifest.
  private func finish(
    _ generation: GenerationRun, _ path: String, _ files: some FileSystem, hasMoved: Bool
  ) -> Int32 {
    Output.report(generation.diagnostics, sources: generation.folder?.sources ?? [:])
    if generation.diagnostics.hasErrors {
      if generation.isMalformed, let folder = generation.folder, folder.hasSteps {
        Output.write("\(path): \(SchemaFolder.laterChecks)\n")
      }
      Output.summary("\(path): \(check ? "not checked further" : "nothing was written")")
      return generation.isMalformed ? 2 : 1
    }
    if !quiet, !check, let evolution = generation.folder?.evolution {
      Output.write(Summary(path: path, evolution: evolution).document)
    }
    let isWarned = strict && generation.diagnostics.contains { $0.severity == .warning }
    if check {
      for change in generation.changes {
        Output.write("would \(change.action.rawValue) \(change.path)\n")
      }
      let isCurrent = generation.changes.isEmpty
      if !isCurrent {
        let staging = staged ? ", then 'git add' manifests and generated files" : ""
        Output.summary("\(path): not up to date; run 'schemagen generate'\(staging)")
      } else if hasMoved {
        let option = ShellWord.schemas(path)
        Output.summary(
          "\(path): the generated files match the manifests, but the classes do not: run 'schemagen snapshot\(option)'"
        )
      } else if !quiet {
        Output.summary("\(path): up to date, \(generation.unchanged) files")
      }
      return isCurrent && !isWarned ? 0 : 1
    }
    if dryRun {
      for change in generation.changes {
        Output.write("--- would \(change.action.rawValue) \(change.path)\n")
        Output.write(String(decoding: change.contents, as: UTF8.self))
      }
      if !quiet {
        Output.summary("\(path): nothing was written; \(Self.count(generation, "would be "))")
      }
      return isWarned ? 1 : 0
    }
    do throws(FileSystemError) {
      try generation.write(to: files)
    } catch {
      Output.report(error)
      Output.summary("\(path): nothing was written")
      return 2
    }
    if !quiet {
      Output.list(generation.changes)
      Output.summary("\(path): \(Self.count(generation))")
    }
    return isWarned ? 1 : 0
  }

  /// Compares the classes if `--check` is given. Without `--check`, takes a snapshot, which also generates. Returns
  /// the exit status; nil if the classes were not read.
  private func snapshot(_ path: String, _ classes: String) -> Int32? {
    guard !staged else {
      Output.error(
        "schemagen: '\(path)': the classes were not compared; 'schemagen check --staged' compares them"
      )
      return nil
    }
    let arguments =
      ["snapshot", "--schemas", path] + (check ? ["--check", "--quiet"] : [])
      + (quiet && !check ? ["--quiet"] : []) + (strict ? ["--strict"] : [])
    let status =
      SourceExecutable.isThere ? try? SourceExecutable.status(arguments, in: ".") : nil
    if let status { return status }
    Output.error(
      """
      schemagen: '\(path)': the classes in '\(classes)' were not read: schemagen-sources was not found
        help: with SwiftPM: swift package detect-schema-changes snapshot
      """)
    return nil
  }

  private static func count(_ generation: GenerationRun, _ would: String = "") -> String {
    let parts = FileChange.Action.allCases.compactMap { action -> String? in
      let count = generation.changes.count { $0.action == action }
      guard count > 0 else { return nil }
      switch action {
      case .create: return "\(count) \(would)written"
      case .update: return "\(count) \(would)updated"
      case .remove: return "\(count) \(would)removed"
      }
    }
    return (parts + ["\(generation.unchanged) unchanged"]).joined(separator: ", ")
  }
}

/// The versions of a folder and what their steps do, in a few lines.
struct Summary {
  let path: String
  let evolution: Evolution

  var document: Document {
    let versions = evolution.history
    guard let first = versions.first, let last = versions.last else { return [] }
    let names = versions.count == 1 ? first.number.name : "\(first.number.name)…\(last.number.name)"
    let rows = evolution.steps.map { step in
      let effects = DataEffect.allCases.compactMap { effect -> String? in
        let count = step.changes.count { $0.effect == effect }
        return count == 0 ? nil : "\(count) \(effect.rawValue)"
      }.joined(separator: ", ")
      let summary = step.new.summary.map { "  \($0)" } ?? ""
      let kind = evolution.kind(of: step).description
      return [step.title, "\(kind) (\(effects.isEmpty ? "no changes" : effects))\(summary)"]
    }
    let models = counted(last.models.count, "model")
    return [
      .paragraph("\(path): \(counted(versions.count, "version")) (\(names)), \(models)"),
      .table(Table(cells: rows)),
    ]
  }
}
