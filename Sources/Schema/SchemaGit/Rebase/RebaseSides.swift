internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// The three states that a rebase of versions joins: ours, theirs, and what both come from.
struct RebaseSides {
  /// What git is in the middle of.
  enum Operation {
    case none, merge, rebase
  }

  /// A folder of manifests at one commit.
  struct Side {
    let reference: GitRepository.Reference
    let tree: GitTree
    let manifests: [VersionNumber: SourceFile]
    let versions: [VersionNumber: SchemaVersion]
    /// Ascending.
    let numbers: [VersionNumber]
    let configuration: SourceFile?
    /// Nothing where there is none.
    let lock: SchemaLock
    /// Nil where the manifests have errors.
    let evolution: Evolution?
    /// What keeps the manifests or the lock from being read.
    let trouble: Diagnostic?

    init(_ reference: GitRepository.Reference, _ repository: GitRepository, _ path: String) {
      self.reference = reference
      tree = GitTree(repository, commit: reference.commit)
      let folder = tree.isFolder(path) ? SchemaFolder.read(path, fileSystem: tree) : nil
      let files = folder?.manifests.files ?? []
      versions = Dictionary(folder?.versions ?? [], keyedBy: \.number)
      manifests = versions.compactMapValues { version in
        files.first { $0.path == version.location?.file }
      }
      numbers = versions.keys.sorted()
      configuration = files.first { ConfigurationReader.isConfiguration($0) }
      lock = folder?.lock ?? SchemaLock()
      evolution = folder?.evolution
      let problems =
        (folder?.isMalformed == true ? folder?.diagnostics ?? [] : [])
        + SchemaFolder.lockProblems(in: path, fileSystem: tree)
      trouble = problems.first { $0.severity == .error }
    }
  }

  let operation: Operation
  let repository: GitRepository
  let ours: Side
  let theirs: Side
  let base: Side

  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - onto: The reference whose versions stay; nil for what git is merging, or where the branch came from.
  init(_ path: String, onto: String?) throws(GitFailure) {
    let repository = try GitRepository(containing: path)
    guard let head = try repository.head() else {
      throw GitFailure("the repository has no commit yet: there is nothing to rebase")
    }
    self.repository = repository
    var our = head
    let their: GitRepository.Reference
    let common: String
    if let merged = try repository.pseudoReference("MERGE_HEAD") {
      operation = .merge
      if let onto, try repository.reference(onto).commit != merged.commit {
        throw GitFailure(
          "git is merging another commit than '\(onto)'",
          help: ["go on with that: schemagen rebase", "or end it first: git merge --abort"])
      }
      their = try repository.named(merged)
      common = try repository.mergeBase(head, merged)
    } else if let folder = try repository.rebaseFolder(),
      let replayed = try repository.pseudoReference("REBASE_HEAD")
    {
      // The commit that git replays, on what it has replayed so far.
      operation = .rebase
      our = replayed
      // What is replayed so far is called as the branch that it is replayed onto.
      their = GitRepository.Reference(
        name: try repository.rebasedOnto(folder) ?? head.shortCommit, commit: head.commit,
        isTag: false)
      guard let parent = try repository.pseudoReference("REBASE_HEAD^") else {
        throw GitFailure("the commit that git replays has no commit before it")
      }
      common = parent.commit
    } else {
      operation = .none
      try Self.refuseOtherOperations(repository, path, at: head)
      let found =
        if let onto { try repository.reference(onto) } else { try repository.origin() }
      their = try repository.named(found)
      common = try repository.mergeBase(head, their)
    }
    ours = Side(our, repository, path)
    theirs = Side(their, repository, path)
    base = Side(
      GitRepository.Reference(name: String(common.prefix(7)), commit: common, isTag: false),
      repository, path)
  }

  /// Of a cherry-pick, a revert and a stash, git has no branch whose versions could be put after one another: the
  /// manifests stay as HEAD has them, and the change is made again.
  private static func refuseOtherOperations(
    _ repository: GitRepository, _ path: String, at head: GitRepository.Reference
  ) throws(GitFailure) {
    let unmerged = try repository.unmerged()
    guard !unmerged.isEmpty else { return }
    let found: String? =
      if try repository.pseudoReference("CHERRY_PICK_HEAD") != nil {
        "cherry-pick"
      } else {
        try repository.pseudoReference("REVERT_HEAD") == nil ? nil : "revert"
      }
    let side = Side(head, repository, path)
    let configuration =
      side.configuration.map { ConfigurationReader().read($0).configuration } ?? Configuration()
    let places = OutputLocations(folder: path, configuration: configuration).places
    guard
      let first = unmerged.sorted().first(where: { file in
        places.contains { repository.path(of: $0).map { file.isInside($0) } ?? false }
      })
    else { return }
    let made = found.map { "a \($0)" } ?? "a stash, or something like it,"
    let owned = Path.join(path, configuration.owned)
    let restored =
      places.filter { $0 != owned } + (owned.isInside(path) ? [":(exclude)" + owned] : [])
    let torn = unmerged.sorted().map(repository.shown)
    let added = places + torn.filter { file in !places.contains { file.isInside($0) } }
    let source =
      found == nil ? "'stash@{0}'" : found == "revert" ? "HEAD" : "CHERRY_PICK_HEAD"
    throw GitFailure(
      "\(made) left a conflict in '\(repository.shown(first))': there is no other branch to put versions after",
      help: [
        "take manifests, lock and generated files as this branch has them: git restore --source=HEAD --staged --worktree -- "
          + restored.map(ShellWord.quoted).joined(separator: " "),
        "answers that were written there by hand are in: git show \(source) -- "
          + ShellWord.quoted(path),
        configuration.classes == nil
          ? "then make the change in the newest manifest again, and run: schemagen generate"
          : "then resolve the conflicts in the classes, and run: schemagen snapshot",
        "last: git add --all -- " + added.map(ShellWord.quoted).joined(separator: " ")
          + (found.map { " && git \($0) --continue" } ?? ""),
      ])
  }
}

extension GitRepository {
  /// The folder of git's in which it keeps a rebase of commits; nil where there is none.
  fileprivate func rebaseFolder() throws(GitFailure) -> String? {
    for name in ["rebase-merge", "rebase-apply"] {
      if let path = try git.answer(["rev-parse", "--git-path", name]).lines.first {
        let folder = path.hasPrefix("/") ? path : Path.join(top, path)
        if Disk().isFolder(folder) { return folder }
      }
    }
    return nil
  }

  /// The name of the branch onto which git replays commits, or its commit.
  fileprivate func rebasedOnto(_ folder: String) throws(GitFailure) -> String? {
    guard let bytes = try? Disk().read(Path.join(folder, "onto"), limit: 100),
      let commit = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first
    else { return nil }
    return try named(Reference(name: "HEAD", commit: String(commit), isTag: false)).name
  }

  /// A commit under a branch's name where it has one, rather than `MERGE_HEAD`.
  fileprivate func named(_ reference: Reference) throws(GitFailure) -> Reference {
    guard reference.name.hasSuffix("HEAD") else { return reference }
    var named = reference
    let names = try git.answer([
      "for-each-ref", "--points-at", reference.commit, "--format=%(refname:short)", "refs/heads",
      "refs/remotes",
    ]).lines
    named.name = names.first { !$0.hasSuffix("HEAD") } ?? reference.shortCommit
    return named
  }

  /// Where the branch is to go: the remote's own default branch, or what the branch follows.
  fileprivate func origin() throws(GitFailure) -> Reference {
    for name in ["origin/HEAD", "origin/main", "origin/master", "@{upstream}"] {
      if var found = try pseudoReference(name) {
        if let known = try git.run(["rev-parse", "--abbrev-ref", name]).lines.first {
          found.name = known
        }
        return found
      }
    }
    throw GitFailure(
      "there is no 'origin/HEAD' and the branch follows none",
      help: ["name the branch to rebase onto: schemagen rebase --onto main"])
  }

  /// Files below folders that differ from HEAD, staged or not, or that git does not know.
  func modified(below paths: [String]) throws(GitFailure) -> [String] {
    let inside = paths.compactMap(path).map { $0.isEmpty ? "." : $0 }
    let status = try git.answer(
      ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--"] + inside)
    return status.output.split(separator: 0).map {
      String(decoding: $0.dropFirst(3), as: UTF8.self)
    }
    .sorted()
  }

  /// Paths that were edited on disk since a merge settled them, sorted.
  func editedSinceMerge(below paths: [String]) throws(GitFailure) -> [String] {
    let inside = paths.compactMap(path).map { $0.isEmpty ? "." : $0 }
    let changed = try git.answer(["diff", "--name-only", "-z", "--no-renames", "--"] + inside)
    let open = try unmerged()
    return changed.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { !open.contains($0) }.sorted()
  }

  /// Paths below the top of which a merge left several sides.
  func unmerged() throws(GitFailure) -> Set<String> {
    let listing = try git.answer(["ls-files", "--unmerged", "-z"]).output
    return Set(
      listing.split(separator: 0).compactMap { line in
        line.firstIndex(of: UInt8(ascii: "\t")).map {
          String(decoding: line[line.index(after: $0)...], as: UTF8.self)
        }
      })
  }
}
