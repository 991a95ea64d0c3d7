package import ArgumentParser
internal import Foundation
package import SchemaWorkspace

/// The options that choose the folders of manifests.
package struct FolderOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A folder of manifests; may be given several times.",
      discussion: "Default: Schemas, and every folder in it, if they have manifests.",
      valueName: "folder"), completion: .directory)
  package var schemas: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"),
    completion: .directory)
  package var root: String?

  package init() {}

  /// The folders, as the user would name them.
  ///
  /// This first finishes writes in them that a killed run left unfinished, so that no command reads half-written files.
  package func resolve(_ fileSystem: some FileSystem) throws -> [String] {
    // An adoption of several stores has its journal above their folders.
    if fileSystem is Disk, schemas.isEmpty { try Self.finishInterrupted(in: resolve("Schemas")) }
    let folders = try found(fileSystem)
    if fileSystem is Disk { for folder in folders { try Self.finishInterrupted(in: folder) } }
    return folders
  }

  /// Finishes the writes that a killed run left unfinished, and reports how many files it wrote.
  package static func finishInterrupted(in folder: String) throws {
    let count = try WriteJournal.finish(in: folder, Disk())
    guard count > 0 else { return }
    Output.error("\(folder): finished what an interrupted run had begun to write: \(count) files")
  }

  /// The folders. Unlike `resolve(_:)`, this writes nothing.
  func found(_ fileSystem: some FileSystem) throws -> [String] {
    if !schemas.isEmpty {
      var seen: Set<String> = []
      return schemas.map(resolve).filter { seen.insert($0).inserted }
    }
    return try Self.folders(in: resolve("Schemas"), fileSystem)
  }

  /// The given folder if it has manifests, and its subfolders that have some; only the given folder if none has any.
  package static func folders(
    in standard: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [String] {
    // The caller reports a missing folder when it reads it.
    guard let names = try fileSystem.list(standard) else { return [standard] }
    // Manifests next to folders of manifests must not hide those folders.
    var found: [String] = names.contains(where: isManifest) ? [standard] : []
    for name in names {
      let folder = Path.join(standard, name)
      if try fileSystem.list(folder)?.contains(where: isManifest) ?? false { found.append(folder) }
    }
    return found.isEmpty ? [standard] : found
  }

  package func resolve(_ path: String) -> String { Self.path(path, below: root) }

  /// A path as the user would write it from the working folder. The plugin gives an absolute root, which would make
  /// every shown path long.
  package static func path(_ path: String, below root: String?) -> String {
    guard let root else { return path }
    let working = real(FileManager.default.currentDirectoryPath)
    let real = real(root)
    // Xcode's messages need absolute paths, and Xcode starts tools at `/`.
    guard working != "/", (real + "/").hasPrefix(working + "/") else {
      return Path.join(root, path)
    }
    return Path.join(String(real.dropFirst(working.count + 1)), path)
  }

  /// A path without symbolic links, if it exists.
  private static func real(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  static func isManifest(_ name: String) -> Bool {
    // A folder of kept stores is next to the manifests, and its list is YAML too.
    (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && name != KeptStores.fileName
  }
}
