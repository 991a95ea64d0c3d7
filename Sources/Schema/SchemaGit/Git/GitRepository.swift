internal import Foundation
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// The repository, or the worktree of one, that contains a folder.
package struct GitRepository: Sendable {
  /// The worktree's folder, without symbolic links.
  package let top: String
  let gitDirectory: String
  let isShallow: Bool

  /// A commit that the user or git named.
  package struct Reference: Sendable, Equatable {
    package var name: String
    package var commit: String
    package var isTag: Bool
    /// Whether the reference is a branch, and a tag has the same name.
    package var isBesideTag = false

    package var shortCommit: String { String(commit.prefix(7)) }
  }

  /// - Parameter path: A folder or file. It need not exist on disk, as in a sparse checkout.
  /// - Throws: `GitFailure` if there is no git, no repository, or no worktree.
  package init(containing path: String) throws(GitFailure) {
    let start = Self.deepestFolder(Self.absolute(path))
    let outcome = try GitProcess(folder: start).run([
      "rev-parse", "--show-toplevel", "--absolute-git-dir", "--is-shallow-repository",
    ])
    guard outcome.status == 0, outcome.lines.count == 3 else {
      if outcome.errors.contains("not a git repository") {
        throw GitFailure(
          "'\(path)' is not in a git repository",
          help: ["run 'git init'"], kind: .noRepository)
      }
      if outcome.errors.contains("must be run in a work tree") {
        let folder = try GitProcess(folder: start).run(["rev-parse", "--absolute-git-dir"]).lines
        throw GitFailure(
          "the repository of '\(path)' has no work tree: it is bare",
          help: [
            "clone the repository, and go to the clone: git clone \(ShellWord.quoted(folder.first ?? start)) checkout"
          ])
      }
      // Git's message names the repository's folder: "… in repository at '/home/ada/app'".
      let parts = outcome.errors.split(separator: "'", omittingEmptySubsequences: false)
      let refused = outcome.errors.contains("repository at '") ? String(parts[1]) : start
      throw GitFailure(
        "git refuses to open the repository of '\(path)': \(outcome.complaint)",
        help: outcome.errors.contains("safe.directory")
          ? [
            "if you trust it: git config --global --add safe.directory \(ShellWord.quoted(refused))"
          ] : [])
    }
    top = outcome.lines[0]
    gitDirectory = outcome.lines[1]
    isShallow = outcome.lines[2] == "true"
  }

  var git: GitProcess { GitProcess(folder: top) }

  // MARK: References

  /// The commit that a reference names. If a branch and a tag share the name, this uses the branch. Git would use the
  /// tag, which anyone can push.
  ///
  /// - Parameter isTag: Whether the name is a tag's.
  /// - Throws: `GitFailure` if there is no such commit, with help on how to fetch it.
  package func reference(
    _ name: String, asTag isTag: Bool = false
  ) throws(GitFailure) -> Reference {
    // An argument that begins with a hyphen would be an option.
    guard !name.isEmpty, !name.hasPrefix("-") else {
      throw GitFailure(
        "'\(name)' is not a git reference",
        help: ["name a branch, a tag or a commit, such as origin/main"])
    }
    let places = ["refs/heads/", "refs/remotes/", "refs/tags/"].map { $0 + name }
    let there = Set(try git.run(["for-each-ref", "--format=%(refname)"] + places).lines)
    // A full hash means the commit with the hash, even if a branch or tag has the same name.
    let isHash = name.utf8.count == 40 && name.allSatisfy(\.isHexDigit)
    let branch = isTag || isHash ? nil : places.prefix(2).first(where: there.contains)
    let whole = branch ?? (isTag && there.contains(places[2]) ? places[2] : name)
    let found = try git.run(["rev-parse", "--verify", "--quiet", whole + "^{commit}"])
    guard found.status == 0, let commit = found.lines.first else { throw try unknown(name) }
    let tag = try git.run(["rev-parse", "--symbolic-full-name", whole])
    return Reference(
      name: name, commit: commit, isTag: tag.lines.first?.hasPrefix("refs/tags/") ?? false,
      isBesideTag: branch != nil && there.contains(places[2]))
  }

  package func head() throws(GitFailure) -> Reference? { try pseudoReference("HEAD") }

  /// The commits that a merge in progress brings in; empty if there is no merge.
  func merged() throws(GitFailure) -> [Reference] {
    do throws(FileSystemError) {
      let file = Path.join(gitDirectory, "MERGE_HEAD")
      guard let bytes = try Disk().read(file, limit: 1 << 16) else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
        Reference(name: "the merged branch", commit: String($0), isTag: false)
      }
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  /// The commit of `HEAD`, `MERGE_HEAD` and the like; nil if there is none.
  func pseudoReference(_ name: String) throws(GitFailure) -> Reference? {
    let found = try git.run(["rev-parse", "--verify", "--quiet", name + "^{commit}"])
    guard found.status == 0, let commit = found.lines.first else { return nil }
    return Reference(name: name, commit: commit, isTag: false)
  }

  /// The remote's default branch, or else a branch with a usual or the configured name, or else the only branch. `HEAD`
  /// if there is no branch, nil if none of several branches has such a name.
  func mainBranch() throws(GitFailure) -> String? {
    let remote = try git.run(["rev-parse", "--abbrev-ref", "origin/HEAD"])
    let configured = try git.run(["config", "init.defaultBranch"])
    let names =
      (remote.status == 0 ? remote.lines : []) + ["origin/main", "origin/master"]
      + (configured.status == 0 ? configured.lines : []) + ["main", "master"]
    for name in names where try pseudoReference(name) != nil { return name }
    let branches = try git.answer(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).lines
    return branches.isEmpty ? "HEAD" : branches.count == 1 ? branches[0] : nil
  }

  package func mergeBase(with reference: Reference) throws(GitFailure) -> String {
    guard let head = try head() else {
      throw GitFailure("the repository has no commit yet: there is nothing to compare with")
    }
    return try mergeBase(head, reference)
  }

  func mergeBase(_ ours: Reference, _ theirs: Reference) throws(GitFailure) -> String {
    let outcome = try git.run(["merge-base", ours.commit, theirs.commit])
    if outcome.status == 0, let commit = outcome.lines.first { return commit }
    if isShallow {
      throw GitFailure(
        "this clone is shallow: it lacks the merge base of \(ours.name) and '\(theirs.name)'",
        help: Self.deepening)
    }
    throw GitFailure("\(ours.name) and '\(theirs.name)' have no commit in common")
  }

  package static let deepening = [
    "fetch the missing commits: git fetch --unshallow",
    "in a GitHub workflow: actions/checkout with 'fetch-depth: 0'; in GitLab: GIT_DEPTH: 0",
  ]

  private func unknown(_ name: String) throws(GitFailure) -> GitFailure {
    let names = try git.answer(["for-each-ref", "--format=%(refname:short)"]).lines
    var help = Suggestion.help(for: name, among: names)
    let remotes = try git.answer(["remote"]).lines
    if let remote = remotes.first(where: { name.hasPrefix($0 + "/") }) {
      help.append("fetch it: git fetch \(remote) \(name.dropFirst(remote.count + 1))")
    } else if let remote = remotes.first {
      help.append("fetch it: git fetch \(remote) \(name)")
    }
    if isShallow { help += Self.deepening }
    return GitFailure("there is no commit '\(name)' in this repository", help: help)
  }

  // MARK: Paths

  /// The path as git writes it, relative to the worktree's top. Empty for the top, nil for a path outside the worktree.
  package func path(of path: String) -> String? {
    let path = Self.absolute(path)
    // If several folders of the path equal the top, the outermost counts, because symbolic links below the top are the
    // repository's own.
    let parts = path.split(separator: "/")
    for count in 0...parts.count {
      let folder = "/" + parts.prefix(count).joined(separator: "/")
      if Self.real(folder) == top { return parts.dropFirst(count).joined(separator: "/") }
    }
    // A symbolic link outside the worktree may lead into it.
    let folder = Self.deepestFolder(path)
    let whole = Path.normalized((Self.real(folder) ?? folder) + path.dropFirst(folder.count))
    guard whole.hasPrefix(top + "/") else { return nil }
    return String(whole.dropFirst(top.count + 1))
  }

  /// A path below the top, relative to the working directory.
  func shown(_ inside: String) -> String {
    let folder = Self.real(FileManager.default.currentDirectoryPath) ?? top
    let depth =
      folder.hasPrefix(top + "/") ? folder.dropFirst(top.count + 1).split(separator: "/") : []
    let target = inside.split(separator: "/")
    var common = 0
    while common < min(depth.count, target.count), depth[common] == target[common] { common += 1 }
    return (Array(repeating: "..", count: depth.count - common) + target.dropFirst(common))
      .joined(separator: "/")
  }

  static func absolute(_ path: String) -> String {
    Path.join(FileManager.default.currentDirectoryPath, path)
  }

  static func real(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  private static func deepestFolder(_ path: String) -> String {
    var folder = path
    while !Disk().isFolder(folder), folder != "/" {
      folder = Path.normalized(folder + "/..")
    }
    return folder
  }
}
