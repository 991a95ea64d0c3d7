import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct StoresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores",
    abstract: "Keep stores that shipped; 'lint' checks each against the list.",
    subcommands: [Add.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a copy of a released build's store to the kept stores.",
      discussion: """
        The store is only read, with its log. Its hashes, not its name, decide its version; a version that has \
        not shipped is refused. Exit status: 0 it is kept; 1 it proves no version that has shipped; 2 wrong usage, no \
        store, or one that is damaged or cannot be read.
        """)

    @Argument(
      help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
    var store: String

    @OptionGroup var folders: FolderOptions

    @Option(
      help: ArgumentHelp(
        "The release or build that wrote it, such as '1.4.2 TestFlight'; it becomes part of the file's name.",
        valueName: "build"))
    var build: String?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      let disk = Disk()
      let paths = try folders.resolve(disk)
      try folders.checkOwner(of: store, among: paths.count)
      let name = folders.resolve(store)
      do {
        let intake = try KeptStoreIntake(
          storeAt: URL(filePath: name), named: name,
          into: SchemaFolder.read(paths[0], fileSystem: disk),
          build: build, disk)
        tell(intake)
      } catch let failure as FileSystemError {
        throw failure
      } catch {
        Output.report(error, ofStoreAt: name, refused: "is not kept")
        throw ExitCode(error is StoreRefusal ? 1 : 2)
      }
    }

    private func tell(_ intake: KeptStoreIntake) {
      let entry = intake.entry
      for note in intake.notes { Output.write(note + "\n") }
      if intake.size > Self.largeSize {
        Output.write(
          "the store has \(intake.size >> 20) MiB: consider Git LFS, so that clones need not download every version of the file\n"
        )
      }
      Output.summary(
        "\(intake.path): \(intake.isKnown ? "kept before" : "kept"), \(entry.version.name), "
          + counted(entry.rows, "row"))
    }

    /// The size in bytes above which Git LFS is suggested.
    private static let largeSize = 5 << 20
  }
}
