package import ArgumentParser
internal import Foundation
package import SchemaWorkspace

/// Which folders of manifests a command works on.
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
  /// Writes that a killed run has begun in them are finished first, so that nobody sees half of them.
  package func resolve(_ fileSystem: some FileSystem) throws -> [String] {
    // An adoption of several stores has its journal above their folders.
    if fileSystem is Disk, schemas.isEmpty { try Self.finishInterrupted(in: resolve("Schemas")) }
    let folders = try found(fileSystem)
    if fileSystem is Disk { for folder in folders { try Self.finishInterrupted(in: folder) } }
    return folders
  }

  /// Finishes the writes that a killed run has begun, and reports it.
  package static func finishInterrupted(in folder: String) throws {
    let count = try WriteJournal.finish(in: folder, Disk())
    guard count > 0 else { return }
    Output.error("\(folder): finished what an interrupted run had begun to write: \(count) files")
  }

  /// The folders, without writing anything.
  func found(_ fileSystem: some FileSystem) throws -> [String] {
    if !schemas.isEmpty {
      var seen: Set<String> = []
      return schemas.map(resolve).filter { seen.insert($0).inserted }
    }
    return try Self.folders(in: resolve("Schemas"), fileSystem)
  }

  /// A folder with manifests, and the folders in it that have some; itself if there are none.
  package static func folders(
    in standard: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [String] {
    // A missing folder is told by whoever reads it.
    guard let names = try fileSystem.list(standard) else { return [standard] }
    // Manifests beside folders of manifests must not hide them.
    var found: [String] = names.contains(where: isManifest) ? [standard] : []
    for name in names {
      let folder = Path.join(standard, name)
      if try fileSystem.list(folder)?.contains(where: isManifest) ?? false { found.append(folder) }
    }
    return found.isEmpty ? [standard] : found
  }

  package func resolve(_ path: String) -> String { Self.path(path, below: root) }

  /// A path as the user would write it from the working folder: the plugin gives an absolute root, and nobody wants to
  /// read that in front of every file.
  package static func path(_ path: String, below root: String?) -> String {
    guard let root else { return path }
    let working = real(FileManager.default.currentDirectoryPath)
    let real = real(root)
    // Xcode's messages need absolute paths, and it starts tools at `/`, where nobody stands.
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
    // Beside manifests, stores that shipped are kept in a folder with a list in YAML.
    (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && name != KeptStores.fileName
  }
}
