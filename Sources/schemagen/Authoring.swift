import ArgumentParser
import CommandLineSupport
import SchemaModel
import SchemaWorkspace

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first manifest and a configuration.")

  @Argument(help: "The folder to write them to.")
  var folder = "Schemas"

  @Option(help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"))
  var root: String?

  func run() throws {
    let disk = Disk()
    let folder = FolderOptions.path(self.folder, below: root)
    try FolderOptions.finishInterrupted(in: folder)
    do throws(FileSystemError) {
      if let obstacle = try InitialFiles.obstacle(in: folder, disk) {
        throw FileSystemError(
          path: obstacle,
          reason: "it exists already; for the next version run 'schemagen new-version'")
      }
      let files = InitialFiles.files.map {
        SourceFile(path: Path.join(folder, $0.name), text: $0.text)
      }
      try FileChange.creating(files).write(in: folder, to: disk)
      for file in files { Output.write("wrote \(file.path)\n") }
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
    let option = ShellWord.schemas(folder)
    Output.write("edit them, then run: schemagen generate\(option)\n")
  }
}

/// Which of the three numbers the next version raises.
enum VersionPart: String, CaseIterable, ExpressibleByArgument {
  case major, minor, patch
}

struct NextVersion: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-version",
    abstract: "Copy the latest manifest for the next version, without its step keys.")

  @OptionGroup var folders: FolderOptions

  @Option(help: "Which number to raise: major, minor or patch.")
  var part: VersionPart = .major

  func run() throws {
    let disk = Disk()
    for path in try folders.resolve(disk) { try run(path, disk) }
  }

  private func run(_ path: String, _ disk: Disk) throws {
    let folder = SchemaFolder.read(path, fileSystem: disk)
    guard !folder.isMalformed, let latest = folder.versions.last,
      let source = latest.location?.file
    else {
      Output.report(folder.diagnostics, sources: folder.sources)
      throw ExitCode(2)
    }
    let number =
      switch part {
      case .major: latest.number.successors[2]
      case .minor: latest.number.successors[1]
      case .patch: latest.number.successors[0]
      }
    do throws(FileSystemError) {
      let bytes = try disk.read(source, limit: 1 << 22) ?? []
      let (text, diagnostics) = NewVersion().manifest(
        from: SourceFile(path: source, bytes: bytes), number: number)
      Output.report(diagnostics, sources: [:])
      let target = Path.join(path, "\(number.name).yaml")
      guard let text else { throw FileSystemError(path: target, reason: "not written") }
      try disk.write(Array(text.utf8), to: target)
      Output.write("wrote \(target), a copy of \(source)\n")
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }
}
