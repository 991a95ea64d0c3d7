internal import ArgumentParser
package import SchemaGit
internal import SchemaReporting
package import SchemaWorkspace

extension FolderOptions {
  /// The folders, each with the file system to read: the disk, or git's index.
  package func resolve(isStaged: Bool) throws -> [(path: String, files: any FileSystem)] {
    guard isStaged else { return try resolve(Disk()).map { ($0, Disk()) } }
    // If no folder is named, the index of the repository that contains the standard folder is used.
    let standard = try staged(resolve(schemas.first ?? "Schemas"))
    return try resolve(standard).map { ($0, try staged($0)) }
  }

  /// The folders of the base that no longer exist; empty if the user named folders.
  package func removed(against name: String, isStaged: Bool) throws -> [(
    path: String, files: any FileSystem
  )] {
    guard schemas.isEmpty else { return [] }
    let present = Set(try resolve(isStaged: isStaged).map(\.path))
    let known = try ComparisonBase.folders(
      against: name, directory: resolve(name), in: resolve("Schemas"))
    var found: [(path: String, files: any FileSystem)] = []
    for path in known where !present.contains(path) {
      found.append((path, isStaged ? try GitTree.staged(for: path) : Disk()))
    }
    return found
  }

  /// - Throws: `GitFailure` if the base cannot be found.
  package func base(
    _ name: String, for path: String, current files: any FileSystem
  ) throws -> ComparisonBase {
    return try ComparisonBase(
      against: name, directory: resolve(name), for: path, current: files)
  }

  private func staged(_ path: String) throws -> GitTree {
    return try GitTree.staged(for: path)
  }
}

extension Output {
  package static func report(_ failure: GitFailure) {
    error("schemagen: \(failure.reason.visibleInOneLine)")
    for help in failure.help { error("  help: \(help.visibleInOneLine)") }
  }
}
