internal import SchemaLint
package import SchemaModel
package import SchemaRendering

/// The paths of generated files by kind.
package struct OutputLocations {
  /// More bytes than any file that schemagen generates.
  package static let readLimit = 256 * 1024 * 1024

  let folder: String
  let configuration: Configuration

  package init(folder: String, configuration: Configuration) {
    self.folder = folder
    self.configuration = configuration
  }

  package var output: String { Path.join(folder, configuration.output) }

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

  /// The folders of generated files, relative to the folder of manifests.
  package var folders: [String] {
    Set([configuration.output] + [configuration.tests].compactMap { $0 }).sorted()
  }

  /// The folder of manifests, and the folders outside it that hold its files.
  package var places: [String] {
    let others = (folders + [configuration.owned]).map { Path.join(folder, $0) }
      .filter { !$0.isInside(folder) }
    return [folder]
      + Set(others).sorted().filter { place in
        !others.contains { place != $0 && place.isInside($0) }
      }
  }

  /// For a folder without a lock: the lock that must have been lost, since there are generated files. Nil if there are
  /// none.
  func lostLock(_ fileSystem: some FileSystem) throws(FileSystemError) -> LostLock? {
    let found = try Self.marked(
      in: [configuration.output], documentation: [], below: folder, fileSystem
    ) { _ in true }
    return found.isEmpty
      ? nil : LostLock(path: Path.join(folder, SchemaLock.fileName), output: output)
  }

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
  package func isInside(_ folder: String) -> Bool {
    folder == "." ? !hasPrefix("../") && !hasPrefix("/") : self == folder || hasPrefix(folder + "/")
  }
}
