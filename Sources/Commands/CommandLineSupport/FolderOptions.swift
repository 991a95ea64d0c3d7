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
  /// If a killed run left writes in a folder unfinished, finishes those first, so that no command reads half-written
  /// files.
  package func resolve(_ fileSystem: some FileSystem) throws -> [String] {
    // The journal of an adoption of several stores is in the folder that contains the stores' folders.
    if fileSystem is Disk, schemas.isEmpty { try Self.finishInterrupted(in: resolve("Schemas")) }
    let folders = try found(fileSystem)
    if fileSystem is Disk { for folder in folders { try Self.finishInterrupted(in: folder) } }
    return folders
  }

  /// Finishes what a killed run left unwritten, and reports the number of files.
  package static func finishInterrupted(in folder: String) throws {
    let count = try WriteJournal.finish(in: folder, Disk())
    guard count > 0 else { return }
    Output.error("\(folder): finished what an interrupted run had begun to write: \(count) files")
  }

  /// The folders. Unlike `resolve(_:)`, this method writes nothing.
  func found(_ fileSystem: some FileSystem) throws -> [String] {
    if !schemas.isEmpty {
      var seen: Set<String> = []
      return schemas.map(resolve).filter { seen.insert($0).inserted }
    }
    return try Self.folders(in: resolve("Schemas"), fileSystem)
  }

  /// The folder and its subfolders that contain manifests; the folder alone if none of them contains any.
  package static func folders(
    in standard: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [String] {
    // If the folder is missing, the caller reports that when reading it.
    guard let names = try fileSystem.list(standard) else { return [standard] }
    // Subfolders count even if the folder itself contains manifests.
    var found: [String] = names.contains(where: isManifest) ? [standard] : []
    for name in names {
      let folder = Path.join(standard, name)
      if try fileSystem.list(folder)?.contains(where: isManifest) ?? false { found.append(folder) }
    }
    return found.isEmpty ? [standard] : found
  }

  package func resolve(_ path: String) -> String { Self.path(path, below: root) }

  /// The path as the user would write it from the working folder. The plugin passes an absolute root, with which
  /// every shown path would be long.
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

  private static func real(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  static func isManifest(_ name: String) -> Bool {
    // The list of kept stores is YAML as well, and its folder is next to the manifests.
    (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && name != KeptStores.fileName
  }
}
