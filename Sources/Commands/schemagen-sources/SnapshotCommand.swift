import ArgumentParser
import CommandLineSupport
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

struct SnapshotCommand: ParsableCommand {
  static let configuration = SnapshotOptions.configuration

  @OptionGroup var options: SnapshotOptions

  func run() throws {
    let folders = try options.folders.resolve(Disk())
    let progress = WorkProgress(isQuiet: options.quiet)
    let conditions = BuildConditions(platform: options.platform, defines: Set(options.define))
    let snapshots = folders.compactMap {
      Snapshot.take($0, conditions: conditions, fileSystem: Disk(), progress: progress.show)
    }
    guard !snapshots.isEmpty else {
      Output.error("schemagen: the models of \(folders.joined(separator: ", ")) are generated")
      Output.error(
        "  help: for models that are the app's own classes, write into schemagen.yaml: classes: FOLDER"
      )
      throw ExitCode(2)
    }
    let status = snapshots.map(finish).max() ?? 0
    if status != 0 { throw ExitCode(status) }
  }

  /// Writes or reports one folder; the exit status that it asks for.
  private func finish(_ snapshot: Snapshot) -> Int32 {
    Output.report(snapshot.findings, sources: snapshot.sources)
    guard !snapshot.isRefused else {
      Output.summary("\(snapshot.folder): nothing was written")
      return 2
    }
    let threshold: Diagnostic.Severity = options.strict ? .warning : .error
    let status: Int32 = snapshot.findings.contains { $0.severity >= threshold } ? 1 : 0
    if !options.quiet || options.check { Output.write(Self.text(of: snapshot.changes)) }
    if options.check {
      for change in snapshot.files {
        Output.write("would \(change.action.rawValue) \(change.path)\n")
      }
      guard snapshot.files.isEmpty else {
        Output.summary("\(snapshot.folder): not up to date; run 'schemagen snapshot'")
        return 1
      }
      if !options.quiet {
        Output.summary("\(snapshot.folder): \(snapshot.manifest) says what the classes say")
      }
      return status
    }
    do throws(FileSystemError) {
      try snapshot.write(to: Disk())
    } catch {
      Output.report(error)
      Output.summary("\(snapshot.folder): nothing was written")
      return 2
    }
    guard !options.quiet else { return status }
    for change in snapshot.files {
      let verb =
        switch change.action {
        case .create: "wrote  "
        case .update: "updated"
        case .remove: "removed"
        }
      Output.write("\(verb) \(change.path)\n")
    }
    Output.summary(
      "\(snapshot.folder): "
        + (snapshot.findings.hasErrors
          ? "nothing was generated; answer the questions above, and run it again"
          : "\(counted(snapshot.files.count, "file")) written, \(snapshot.unchanged) unchanged"))
    return status
  }

  private static func text(of changes: [Snapshot.Change]) -> String {
    let width = changes.map(\.element.count).max() ?? 0
    return changes.map { change in
      let name = change.element.padding(to: width)
      let place = change.place.map { "  \($0.file):\($0.line)" } ?? ""
      return "  \(name)  \(change.what)\(place)\n"
    }.joined()
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
