import ArgumentParser
import CodeFirst
import CommandLineSupport
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace

extension AdoptCommand {
  /// Removes the files that contain only code that is generated now, and lists the generated code in other files.
  func finish(_ folder: String) throws {
    let finished = FinishedAdoption.run(
      paths: options.paths.map { FolderOptions.path($0, below: options.root) }, folder: folder,
      options: adoption([]), fileSystem: Disk(), progress: options.progress.work.show)
    // Each finding needs an edit, so none is left out.
    report(finished.findings, finished.sources, isVerbose: true)
    guard !finished.isRefused else { throw unchanged() }
    let paths = finished.removed.map(\.path)
    guard !paths.isEmpty || !finished.findings.isEmpty else {
      return Output.summary("the sources contain no code that schemagen generates")
    }
    // A dry run makes the following check as well, so it announces only what a real run would do.
    try checkKept(paths)
    guard !options.dryRun else {
      for path in paths { Output.write("would remove \(path)\n") }
      return Output.summary("\(counted(paths.count, "file")) would be removed")
    }
    let changes = finished.removed.map {
      FileChange(action: .remove, path: $0.path, contents: [], previous: $0.bytes)
    }
    do throws(FileSystemError) {
      try changes.write(in: folder, to: Disk())
    } catch {
      Output.report(error)
      throw unchanged()
    }
    for path in paths { Output.write("removed \(path)\n") }
    if !paths.isEmpty {
      Output.write("\nto undo it: git checkout HEAD -- \(paths.joined(separator: " "))\n")
    }
    Output.write(
      (finished.findings.isEmpty ? "" : "\nnext: remove what is listed above\n")
        + "next: build the app; then schemagen detect, schemagen lint-code\n")
    Output.summary("\(counted(paths.count, "file")) removed")
  }

  /// Throws an error unless git has the current content of each file.
  private func checkKept(_ paths: [String]) throws {
    guard let first = paths.first else { return }
    do throws(GitFailure) {
      let lost = try GitRepository(containing: first).filesNotKept(among: paths)
      guard !lost.isEmpty else { return }
      throw GitFailure(
        "git could not restore the present content of: \(lost.joined(separator: ", "))")
    } catch {
      Output.error("error: \(error.reason)")
      Output.error("  help: commit these files first: \(paths.joined(separator: " "))")
      throw unchanged()
    }
  }

  private func unchanged() -> ExitCode {
    Output.error("schemagen: nothing was changed")
    return ExitCode(2)
  }
}
