internal import SchemaProcesses

extension GitRepository {
  /// The files that git could not restore: not in HEAD, or changed since.
  package func filesNotKept(among paths: [String]) throws(GitFailure) -> [String] {
    var lost: [String] = []
    var names: [(name: String, path: String)] = []
    for path in paths {
      if let name = self.path(of: path), !name.isEmpty {
        names.append((name, path))
      } else {
        lost.append(path)
      }
    }
    guard !names.isEmpty else { return lost }
    guard try head() != nil else { return paths }
    let kept = try Set(lines(["ls-tree", "-r", "-z", "--name-only", "HEAD", "--"], names))
    let changed = try Set(
      lines(["diff", "--name-only", "--no-renames", "-z", "HEAD", "--"], names))
    lost += names.filter { !kept.contains($0.name) || changed.contains($0.name) }.map(\.path)
    return lost.sorted()
  }

  /// The names that git prints, all relative to the worktree's top.
  private func lines(
    _ arguments: [String], _ names: [(name: String, path: String)]
  ) throws(GitFailure) -> [String] {
    try git.answer(arguments + names.map(\.name)).output.split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
