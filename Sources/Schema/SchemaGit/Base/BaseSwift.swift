package import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// Reads the Swift files and the entitlements of the commit that a change is compared with.
package struct BaseSwift: Sendable {
  package let name: String
  private let repository: GitRepository
  private let commit: String
  private let folders: [String]

  /// - Returns: Nil if the argument of `--against` names no commit.
  package init?(against argument: String, below folders: [String]) {
    guard let repository = try? GitRepository(containing: folders.first ?? "."),
      let reference = try? repository.reference(argument),
      let commit = reference.isTag
        ? reference.commit : try? repository.mergeBase(with: reference)
    else { return nil }
    name = reference.name
    self.repository = repository
    self.commit = commit
    self.folders = folders.compactMap(repository.path)
  }

  /// The files that contain one of the strings, by path; empty if git fails.
  ///
  /// - Parameter names: The only file names that git searches; `*` matches any part of a name.
  package func files(
    with texts: [String], named names: [String] = ["*.swift"]
  ) -> [SourceFile] {
    let patterns = texts.flatMap { ["-e", $0] }
    let found = try? repository.git.run(
      ["grep", "-l", "-z", "-I", "-F"] + patterns + [commit, "--"]
        + names.map { "**/\($0)" }, hasPatterns: true)
    let paths = (found?.output ?? []).split(separator: 0).map {
      String(decoding: $0.dropFirst(commit.utf8.count + 1), as: UTF8.self)
    }
    let tree = GitTree(repository, commit: commit)
    return paths.filter(isCounted).sorted().compactMap { path in
      let bytes = try? tree.read(Path.join(repository.top, path), limit: 8 << 20)
      return bytes.flatMap { $0 }.map { SourceFile(path: path, bytes: $0) }
    }
  }

  private func isCounted(_ path: String) -> Bool {
    !path.hasPrefix(".") && !path.contains("/.")
      && folders.contains { $0.isEmpty || $0 == path || path.hasPrefix($0 + "/") }
  }
}
