internal import SchemaManifest
internal import SchemaModel
internal import SchemaProcesses
package import SchemaWorkspace

package struct StagedChanges: Sendable {
  let repository: GitRepository
  /// Git with the index of the commit in progress.
  let git: GitProcess
  /// Paths below the worktree's top.
  let paths: [String]

  /// - Parameter path: A folder in the worktree. It need not exist on disk.
  package init(near path: String) throws(GitFailure) {
    repository = try GitRepository(containing: path)
    var git = repository.git
    git.index = try GitTree.hookIndex(of: repository)
    self.git = git
    // A moved file is missing at its old path, so both paths count.
    let output = try git.answer([
      "diff", "--cached", "--name-only", "--no-renames", "--no-relative", "--no-ext-diff", "-z",
    ]).output
    paths = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  package var isEmpty: Bool { paths.isEmpty }

  /// Whether a changed file has the path, or is below it.
  package func touch(_ path: String) -> Bool {
    guard let place = repository.path(of: path) else { return false }
    return paths.contains { place.isEmpty || $0 == place || $0.hasPrefix(place + "/") }
  }

  /// Whether a changed file is a submodule that contains the path.
  private func touch(aroundOf path: String) -> Bool {
    guard let place = repository.path(of: path) else { return false }
    return paths.contains { place.hasPrefix($0 + "/") }
  }

  /// Whether a changed file is in a folder of manifests, or in a folder that the configuration names.
  package func concern(
    _ folder: String, fileSystem: some FileSystem
  ) throws(FileSystemError) -> Bool {
    if touch(folder) { return true }
    // An extended configuration may be elsewhere. If it is in a submodule, git reports the submodule.
    let bases = ManifestFiles(folder, fileSystem: fileSystem).bases.contents.keys
    if bases.contains(where: { touch($0) || touch(aroundOf: $0) }) { return true }
    // The paths below are read from the folder's own configuration, since a configuration that it extends cannot set
    // them.
    var configuration = Configuration()
    for name in ["schemagen.yaml", "schemagen.yml"] {
      let path = Path.join(folder, name)
      guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else { continue }
      configuration = ConfigurationReader().read(SourceFile(path: path, bytes: bytes)).configuration
    }
    let elsewhere = [
      configuration.output, configuration.owned, configuration.tests, configuration.documentation,
      configuration.stores, configuration.templates,
    ]
    return elsewhere.contains { $0.map { touch(Path.join(folder, $0)) } ?? false }
  }
}
