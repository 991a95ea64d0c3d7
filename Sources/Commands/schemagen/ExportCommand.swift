import ArgumentParser
import CommandLineSupport
import SchemaModel
import SchemaReporting
import SchemaWorkspace

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write versions as data: models, properties, hashes.",
    discussion: """
      Schemas/export.schema.json describes the format. Exit status: 0 written; 2 wrong usage, errors in the \
      manifests, a step or the lock, or a file that cannot be read or written.
      """)

  @Argument(
    help: ArgumentHelp("The versions, such as V8 V9; default: all.", valueName: "version"))
  var versions: [VersionNumber] = []

  @OptionGroup var folders: FolderOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file; default: standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let disk = Disk()
    let paths = try folders.resolve(disk)
    guard let path = paths.first, paths.count == 1 else {
      Output.error(
        "schemagen: an export covers one folder; name one of these with '--schemas': \(paths.joined(separator: ", "))"
      )
      throw ExitCode(2)
    }
    let export: SchemaExport
    do throws(SchemaExport.Refusal) {
      export = try SchemaExport(path, fileSystem: disk)
    } catch {
      Output.error(TextReport(sources: error.sources).render(error.diagnostics))
      throw ExitCode(2)
    }
    guard folders.knows(versions, among: export.numbers, in: path) else { throw ExitCode(2) }
    let wanted = versions.isEmpty ? export.numbers : versions
    let text = export.json(wanted)
    guard let output else { return Output.write(text) }
    let file = folders.resolve(output)
    try disk.write(Array(text.utf8), to: file)
    Output.summary("wrote   \(file): \(counted(Set(wanted).count, "version"))")
  }
}
