package import SchemaManifest
internal import SchemaModel

/// The mapping models near a Core Data model.
package struct CoreDataMappings: Sendable {
  package private(set) var mappings: [CoreDataMapping] = []
  package private(set) var unread: [String] = []

  /// How many levels of folders below the model's own are searched.
  private static let depth = 3

  /// Searches the folder of the model at `path`, and the folders below it.
  package init(
    beside path: String, fileSystem: some FileSystem
  ) throws(FileSystemError) {
    try search(Path.folder(of: path), Self.depth, fileSystem)
    let name = path.split(separator: "/").last.map(String.init)
    mappings = mappings.filter { $0.model == name }.sorted { $0.path < $1.path }
  }

  private mutating func search(
    _ folder: String, _ depth: Int, _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    for name in try fileSystem.list(folder) ?? [] where !name.hasPrefix(".") {
      let path = Path.join(folder, name)
      if name.hasSuffix(".xcmappingmodel") {
        let file = Path.join(path, "xcmapping.xml")
        let bytes = try fileSystem.read(file, limit: 64 << 20)
        let mapping = bytes.flatMap {
          CoreDataMapping.read(SourceFile(path: file, bytes: $0), path: path)
        }
        if let mapping { mappings.append(mapping) } else { unread.append(path) }
      } else if depth > 0, !name.contains(".xcdatamodel"), fileSystem.isFolder(path) {
        // Folders that cannot be listed are skipped.
        try? search(path, depth - 1, fileSystem)
      }
    }
  }
}
