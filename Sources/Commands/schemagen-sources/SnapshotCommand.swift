import ArgumentParser
import CodeFirst
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace

struct SnapshotCommand: ParsableCommand {
  static let configuration = SnapshotOptions.configuration

  @OptionGroup var options: SnapshotOptions

  func run() throws {
    let folders = try options.folders.resolve(Disk())
    if let target = options.begin { return try begin(folders, options.folders.resolve(target)) }
    let progress = WorkProgress(isQuiet: options.quiet)
    let snapshots = folders.compactMap { path in
      Snapshot.take(
        SchemaFolder.read(path, fileSystem: Disk()), conditions: options.conditions.build,
        fileSystem: Disk(), progress: progress.show)
    }
    guard !snapshots.isEmpty else {
      Output.error("schemagen: the models of \(folders.joined(separator: ", ")) are generated")
      Output.error(
        "  help: for models that are the app's own classes, write into schemagen.yaml: classes: FOLDER"
      )
      Output.summary("\(folders.joined(separator: ", ")): nothing was written")
      throw ExitCode(2)
    }
    let status = snapshots.map(finish).max() ?? 0
    if status != 0 { throw ExitCode(status) }
  }

  private func finish(_ snapshot: Snapshot) -> Int32 {
    if options.check { return check(snapshot) }
    Output.report(snapshot.findings, sources: snapshot.sources)
    guard !snapshot.isRefused else {
      Output.summary("\(snapshot.folder): nothing was written")
      return 2
    }
    let threshold: Diagnostic.Severity = options.strict ? .warning : .error
    let status: Int32 = snapshot.findings.contains { $0.severity >= threshold } ? 1 : 0
    guard !snapshot.findings.hasErrors else {
      Output.summary(
        "\(snapshot.folder): nothing was written; write what the errors ask for, and run it again")
      return status
    }
    if !options.quiet { Output.write(Self.document(of: snapshot.changes)) }
    do throws(FileSystemError) {
      try snapshot.write(to: Disk())
    } catch {
      Output.report(error)
      Output.summary("\(snapshot.folder): nothing was written")
      return 2
    }
    guard !options.quiet else { return status }
    Output.list(snapshot.files)
    if snapshot.isFormatted { Output.error("\(snapshot.manifest): formatted") }
    Output.summary(
      "\(snapshot.folder): \(counted(snapshot.files.count, "file")) written, \(snapshot.unchanged) unchanged"
    )
    return status
  }

  private func check(_ snapshot: Snapshot) -> Int32 {
    let findings = snapshot.differences
    Output.report(findings, sources: snapshot.sources)
    guard !findings.hasErrors else {
      Output.summary("\(snapshot.folder): the classes and the newest manifest do not agree")
      return snapshot.isRefused ? 2 : 1
    }
    if !options.quiet {
      Output.summary("\(snapshot.folder): \(snapshot.manifest) matches the classes")
    }
    return 0
  }

  /// Writes the classes of the newest version as files that the app keeps.
  private func begin(_ folders: [String], _ target: String) throws {
    guard folders.count == 1 else {
      Output.error(
        "schemagen: \(folders.count) folders have manifests, each with its own classes")
      Output.error(
        "  help: name one of them: --schemas \(folders.joined(separator: ", or --schemas "))")
      throw ExitCode(2)
    }
    let begun = ClassFiles.make(
      folders[0], into: target, workingFolder: FileManager.default.currentDirectoryPath,
      fileSystem: Disk())
    Output.report(begun.findings, sources: begun.sources)
    guard !begun.findings.hasErrors else {
      Output.summary("\(folders[0]): nothing was written")
      throw ExitCode(2)
    }
    do throws(FileSystemError) {
      try begun.write(to: Disk())
    } catch {
      Output.report(error)
      Output.summary("\(folders[0]): nothing was written")
      throw ExitCode(2)
    }
    guard !options.quiet else { return }
    Output.list(begun.files)
    Output.summary(
      "\(folders[0]): \(counted(begun.files.count, "file")) written; edit the classes, then run: schemagen snapshot"
    )
  }

  private static func document(of changes: [Snapshot.Change]) -> Document {
    [
      .table(
        Table(
          cells: changes.map { change in
            [change.element, change.what + (change.place.map { "  \($0.file):\($0.line)" } ?? "")]
          }))
    ]
  }
}
