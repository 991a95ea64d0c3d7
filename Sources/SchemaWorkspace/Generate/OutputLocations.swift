package import SchemaModel
package import SchemaRendering

/// Where files of each kind go.
package struct OutputLocations {
  /// More than any file that schemagen makes.
  package static let readLimit = 256 * 1024 * 1024

  let folder: String
  let configuration: Configuration

  /// - Parameter folder: The folder of manifests.
  package init(folder: String, configuration: Configuration) {
    self.folder = folder
    self.configuration = configuration
  }

  /// The folder of generated files.
  package var output: String { Path.join(folder, configuration.output) }

  /// The path of a file by its kind.
  package func path(of file: GeneratedFile) -> String {
    let root =
      switch file.kind {
      case .generated: output
      case .userFile: Path.join(folder, configuration.owned)
      case .test: Path.join(folder, configuration.tests ?? configuration.output)
      case .documentation: folder
      }
    return Path.join(root, file.path)
  }

  /// The folders of generated files, below the folder of manifests.
  package var folders: [String] {
    Set([configuration.output] + [configuration.tests].compactMap { $0 }).sorted()
  }

  /// The files that bear the mark, in the folders that schemagen writes to.
  package func marked(
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [(path: String, bytes: [UInt8])] {
    try Self.marked(
      in: folders, documentation: [configuration.documentation], below: folder, fileSystem)
  }

  /// The files that bear the mark, where the configuration is not at hand.
  package static func marked(
    in folders: [String], documentation: [String?], below root: String,
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    func look(_ path: String) throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: readLimit), GeneratedFile.isMarked(bytes)
      else {
        return
      }
      found.append((path, bytes))
    }
    for folder in folders {
      let folder = Path.join(root, folder)
      for name in try fileSystem.list(folder) ?? [] where name.hasSuffix(".swift") {
        try look(Path.join(folder, name))
      }
    }
    for name in Set(documentation.compactMap { $0 }).sorted() { try look(Path.join(root, name)) }
    return found
  }
}
