import ArgumentParser
import CommandLineSupport
import SchemaDiagnostics
import SchemaModel
import SchemaWorkflow

struct ReleaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Mark a version, and all before it, as shipped: from then on it cannot change.")

  @OptionGroup var folders: Folders

  @Argument(
    help: ArgumentHelp("The version, such as V9; the newest without it.", valueName: "version"))
  var number: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "Mark the versions that stand in a git tag, once they are proven to be as they were.",
      valueName: "tag"))
  var fromTag: String?

  func validate() throws {
    if number != nil, fromTag != nil {
      throw ValidationError("a version and '--from-tag' exclude each other")
    }
  }

  func run() throws {
    let disk = Disk()
    for path in try folders.resolve(disk) { try run(path, disk) }
  }

  private func run(_ path: String, _ disk: Disk) throws {
    let release: Release
    if let fromTag {
      do throws(GitFailure) {
        release = Release(path, from: try Base(tag: fromTag, for: path), fileSystem: disk)
      } catch {
        Output.report(error)
        throw ExitCode(2)
      }
    } else {
      release = Release(path, upTo: number, fileSystem: disk)
    }
    Output.report(release.diagnostics, sources: release.sources)
    guard !release.diagnostics.hasErrors else { throw ExitCode(2) }
    do throws(FileSystemError) {
      try release.write(to: disk)
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
    let names = release.versions.map(\.name).joined(separator: ", ")
    Output.write("\(path): \(names.isEmpty ? "nothing to release" : "released \(names)")\n")
  }
}
