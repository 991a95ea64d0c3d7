internal import SchemaLint
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

  /// The folder of manifests, and the folders outside of it where files of its stand.
  package var places: [String] {
    let others = (folders + [configuration.owned]).map { Path.join(folder, $0) }
      .filter { !$0.isInside(folder) }
    return [folder]
      + Set(others).sorted().filter { place in
        !others.contains { place != $0 && place.isInside($0) }
      }
  }

  /// What generated files tell of a lock that is not there; nil where there are none.
  func lostLock(_ fileSystem: some FileSystem) throws(FileSystemError) -> LostLock? {
    let found = try Self.marked(
      in: [configuration.output], documentation: [], below: folder, fileSystem
    ) { _ in true }
    return found.isEmpty
      ? nil : LostLock(path: Path.join(folder, SchemaLock.fileName), output: output)
  }

  /// The files that bear the mark, in folders that schemagen writes to.
  ///
  /// - Parameter make: What is kept of a file's bytes.
  static func marked<Content: Sendable>(
    in folders: [String], documentation: [String?], below root: String,
    _ fileSystem: some FileSystem, _ make: @Sendable ([UInt8]) -> Content
  ) throws(FileSystemError) -> [(path: String, content: Content)] {
    var paths: [String] = []
    for folder in folders {
      let folder = Path.join(root, folder)
      paths +=
        try fileSystem.list(folder)?.filter { $0.hasSuffix(".swift") }
        .map { Path.join(folder, $0) } ?? []
    }
    paths += Set(documentation.compactMap { $0 }).sorted().map { Path.join(root, $0) }
    var found: [(path: String, content: Content)] = []
    for path in paths {
      guard let bytes = try fileSystem.read(path, limit: readLimit), GeneratedFile.isMarked(bytes)
      else { continue }
      found.append((path, make(bytes)))
    }
    return found
  }
}

extension String {
  /// Whether a path is a folder, or lies below it.
  package func isInside(_ folder: String) -> Bool {
    folder == "." ? !hasPrefix("../") && !hasPrefix("/") : self == folder || hasPrefix(folder + "/")
  }
}
