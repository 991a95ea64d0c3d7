import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaWorkspace

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first manifest and a configuration.")

  @Argument(help: "The folder to write them to.", completion: .directory)
  var folder = "Schemas"

  @Option(
    help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"),
    completion: .directory)
  var root: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let disk = Disk()
    let folder = FolderOptions.path(self.folder, below: root)
    try FolderOptions.finishInterrupted(in: folder)
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
    let option = ShellWord.schemas(folder)
    Output.write(Tool.skillOffer)
    let written = "\(folder): \(InitialFiles.files.count) files written"
    defer { Output.summary("\(written); edit them, then run: schemagen generate\(option)") }
    if let model = ModelSearch.first(below: root ?? ".") {
      let sources = model.path.contains("/") ? String(model.path.prefix { $0 != "/" }) : "."
      Output.error(
        """
        schemagen: \(model.path):\(model.line) has a '@Model' class, and the manifests written here do not know it
          help: to write the manifests of the app's models instead, remove \(ShellWord.quoted(folder)) and run: \
        schemagen adopt \(ShellWord.quoted(sources))\(option)
        """)
    }
  }
}

/// The text of `schemagen` without arguments if there are no manifests.
enum FirstSteps {
  static var text: String? {
    let disk = Disk()
    guard !disk.isFolder("Schemas") else { return nil }
    if let above = disk.wayUp(to: "Schemas") {
      return """
        there is no folder 'Schemas' here, but above: cd \(above)

        """
    }
    let models = ModelSearch.first(below: ".")
    let sources = models.map { $0.path.contains("/") ? String($0.path.prefix { $0 != "/" }) : "." }
    let adopt = "schemagen adopt \(ShellWord.quoted(sources ?? "Sources"))"
    let found = models.map { "   # \($0.path):\($0.line) has a '@Model' class" } ?? ""
    return """
      schemagen writes versioned SwiftData schemas, converters and migrations. To begin:

        \(adopt)\(found)
            an app that has models: writes manifests of all its versions; then you edit your classes, and run
            'schemagen snapshot' after each change
        schemagen adopt --store FILE
            an app of which you only have a store: writes the manifest of the store's version
        schemagen init
            a new app whose models are generated: writes a first manifest and a configuration; then you edit
            manifests, and run 'schemagen generate' after each change

      Then, whichever it was:

        schemagen check
            before each commit: everything that must hold
        schemagen status
            the newest version, what is open, and what to do next
        schemagen help
            lists all commands

      """
  }
}

/// Searches an app's source files for models without parsing them.
enum ModelSearch {
  /// The largest number of files to search. With this limit, `init` answers quickly even in a large folder.
  private static let most = 20_000

  /// The first line with `@Model`, in the order of paths; nil if there is none.
  static func first(below root: String) -> (path: String, line: Int)? {
    let folder = URL(filePath: root)
    guard
      let found = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    else { return nil }
    let base = folder.standardizedFileURL.path + "/"
    var paths: [String] = []
    for case let url as URL in found.prefix(most) where url.pathExtension == "swift" {
      paths.append(String(url.standardizedFileURL.path.dropFirst(base.count)))
    }
    for path in paths.sorted() {
      guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8),
        text.contains("import SwiftData")
      else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if let line = lines.firstIndex(where: {
        $0.trimmingPrefix(while: \.isWhitespace).prefixMatch(of: /@Model\b/) != nil
      }) {
        return (path, line + 1)
      }
    }
    return nil
  }
}

/// The part of a version's number that `new-version` raises.
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

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let disk = Disk()
    let found = try folders.resolve(disk)
    // In every folder except the one that the user means, the new version would be empty, which is an error.
    guard found.count == 1 || !folders.schemas.isEmpty else {
      Output.error(
        "schemagen: \(found.count) folders have manifests, each with its own versions")
      let commands = found.map { "schemagen new-version --schemas \(ShellWord.quoted($0))" }
      Output.error("  help: name the one that changes: " + commands.joined(separator: ", or: "))
      throw ExitCode(2)
    }
    for path in found { try run(path, disk) }
  }

  private func run(_ path: String, _ disk: Disk) throws {
    let folder = SchemaFolder.read(path, fileSystem: disk)
    guard !folder.isMalformed, let latest = folder.versions.last,
      let source = latest.location?.file
    else {
      Output.report(folder.diagnostics, sources: folder.sources)
      throw ExitCode(2)
    }
    guard folder.configuration.classes == nil else {
      Output.error("schemagen: the models of \(path) are the app's classes")
      Output.error(
        "  help: edit a class, then run: schemagen snapshot\(ShellWord.schemas(path)); it begins the next version if one is needed"
      )
      throw ExitCode(2)
    }
    let number =
      switch part {
      case .major: latest.number.successors[2]
      case .minor: latest.number.successors[1]
      case .patch: latest.number.successors[0]
      }
    var isUnfinished = false
    // The engine takes two equal successive versions for one, and 'generate' would refuse them.
    if let before = folder.versions.dropLast().last, latest.says(whatIsSaidBy: before) {
      throw FileSystemError(
        path: source,
        reason:
          "\(latest.number.name) is still the same as \(before.number.name): make the change in \(latest.number.name)"
      )
    }
    let bytes = try disk.read(source, limit: 1 << 22) ?? []
    let (text, diagnostics) = NewVersion.manifest(
      from: SourceFile(path: source, bytes: bytes), number: number)
    let target = Path.join(path, "\(number.name).yaml")
    guard let text else {
      Output.report(diagnostics, sources: [:])
      throw FileSystemError(path: target, reason: "not written")
    }
    try disk.write(Array(text.utf8), to: target)
    defer { Output.summary("wrote \(target), a copy of \(source)") }
    if diagnostics.hasErrors {
      let copy = SchemaFolder.read(path, fileSystem: disk)
      Output.report(
        copy.diagnostics.filter { $0.severity == .error }.map { finding in
          var finding = finding
          finding.help.append("with 'renamedFrom:', its values are kept")
          return finding
        }, sources: copy.sources)
    }
    isUnfinished = diagnostics.hasErrors
    if !SchemaFolder.lock(in: path, fileSystem: disk).released.contains(latest.number) {
      let option = ShellWord.schemas(path)
      Output.error(
        """
        schemagen: \(latest.number.name) is not marked as shipped
          help: if users have it, run: schemagen release \(latest.number.name)\(option)
          help: if no user has it, make the change in \(source), and remove \(ShellWord.quoted(target))
        """)
    }
    if isUnfinished { throw ExitCode(1) }
  }
}
