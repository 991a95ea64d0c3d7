import ArgumentParser
import CommandLineSupport
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

extension AdoptCommand {
  /// Takes out of the sources what is generated now: all of it or nothing.
  func finish(_ folder: String) throws {
    let finished = FinishedAdoption.run(
      paths: options.paths.map { FolderOptions.path($0, below: options.root) }, folder: folder,
      options: adoption, fileSystem: Disk(), progress: options.progress.work.show)
    report(finished.findings, finished.sources)
    guard !finished.isRefused else {
      Output.error("schemagen: nothing was changed")
      throw ExitCode(2)
    }
    guard !finished.changes.isEmpty else {
      return Output.summary("the sources hold no code that is generated")
    }
    guard !options.dryRun else {
      for change in finished.changes { Output.write(LineDifference(change).text) }
      // It promises no more than would be done.
      _ = try keep(finished.changes)
      return Output.summary("\(counted(finished.changes.count, "file")) would change")
    }
    let kept = try keep(finished.changes)
    do throws(FileSystemError) {
      try (kept + finished.changes).write(in: folder, to: Disk())
    } catch {
      Output.report(error)
      Output.error("schemagen: nothing was changed")
      throw ExitCode(2)
    }
    for change in finished.changes {
      let verb =
        switch change.action {
        case .create: "wrote"
        case .update: "changed"
        case .remove: "removed"
        }
      Output.write("\(verb) \(change.path)\n")
    }
    let undo =
      options.backup.map { "the files as they were: \($0)" }
      ?? "to undo it: git checkout HEAD -- \(finished.written.joined(separator: " "))"
    Output.write("\n\(undo)\nnext: build the app; then schemagen detect, schemagen lint-code\n")
    Output.summary("\(counted(finished.changes.count, "file")) changed")
  }

  /// Copies of the files where the user wants them; without, git must have each as it is.
  private func keep(_ changes: [FileChange]) throws -> [FileChange] {
    let changes = changes.filter { $0.previous != nil }
    let paths = changes.map(\.path)
    if let backup = options.backup {
      let folder = FolderOptions.path(backup, below: options.root)
      let copies = changes.map { change in
        FileChange(
          action: .create, path: Self.copy(of: change.path, in: folder),
          contents: change.previous ?? [], previous: nil)
      }
      do throws(FileSystemError) {
        for copy in copies where try Disk().read(copy.path, limit: 1) != nil {
          throw FileSystemError(path: copy.path, reason: "it is there already")
        }
      } catch {
        Output.report(error)
        Output.error("schemagen: nothing was changed")
        throw ExitCode(2)
      }
      return copies
    }
    let way = "or keep copies: --backup FOLDER"
    do throws(GitFailure) {
      let lost = try GitRepository(containing: paths[0]).filesNotKept(among: paths)
      guard !lost.isEmpty else { return [] }
      throw GitFailure(
        "git could not restore as they are: \(lost.joined(separator: ", "))",
        help: ["commit them first", way])
    } catch {
      let help =
        error.help.filter { !$0.contains("--against") } + (error.help.contains(way) ? [] : [way])
      Output.error("error: \(error.reason)")
      for line in help { Output.error("  help: \(line)") }
      Output.error("schemagen: nothing was changed")
      throw ExitCode(2)
    }
  }

  /// The path of a copy: below the folder, by the path as it was named; what leads upwards does not.
  private static func copy(of path: String, in folder: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != ".." }
    // Not Swift to a build: copies in a source folder would be compiled.
    return Path.join(folder, parts.joined(separator: "/") + ".before")
  }
}

extension FinishedAdoption {
  /// The hand-written files that change or go.
  fileprivate var written: [String] { changes.filter { $0.previous != nil }.map(\.path) }
}
