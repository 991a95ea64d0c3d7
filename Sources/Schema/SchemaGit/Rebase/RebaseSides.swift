internal import Foundation
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaProcesses
internal import SchemaWorkspace

/// The three states that a rebase merges: ours, theirs, and their common base.
struct RebaseSides {
  enum Operation {
    case none, merge, rebase
  }

  /// A folder of manifests at one commit.
  struct Side {
    let reference: GitRepository.Reference
    let tree: GitTree
    let manifests: [VersionNumber: SourceFile]
    let versions: [VersionNumber: SchemaVersion]
    let numbers: [VersionNumber]
    let configuration: SourceFile?
    /// Empty if there is no lock.
    let lock: SchemaLock
    let evolution: Evolution?
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

    func bytes(_ file: String) throws(GitFailure) -> [UInt8]? {
      try RebaseSides.reading { () throws(FileSystemError) in
        try tree.read(file, limit: OutputLocations.readLimit)
      }
    }

    func swiftFiles(in folder: String) throws(GitFailure) -> Set<String> {
      let names = try RebaseSides.reading { () throws(FileSystemError) in try tree.list(folder) }
      return Set((names ?? []).filter { $0.hasSuffix(".swift") })
    }
  }

  static func reading<Result>(
    _ work: () throws(FileSystemError) -> Result
  ) throws(GitFailure) -> Result {
    do throws(FileSystemError) {
      return try work()
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  let operation: Operation
  let repository: GitRepository
  /// Paths below the top with unresolved merge conflicts.
  let unmerged: Set<String>
  let ours: Side
  let theirs: Side
  let base: Side

  /// - Parameter onto: The reference whose versions stay. Nil for what git is merging, or for the branch's origin.
  init(_ path: String, onto: String?) throws(GitFailure) {
    let repository = try GitRepository(containing: path)
    guard let head = try repository.head() else {
      throw GitFailure("the repository has no commit yet: there is nothing to rebase")
    }
    self.repository = repository
    unmerged = try repository.unmergedPaths()
    var our = head
    let their: GitRepository.Reference
    let common: String
    if let merged = try repository.pseudoReference("MERGE_HEAD") {
      operation = .merge
      if let onto, try repository.reference(onto).commit != merged.commit {
        throw GitFailure(
          "git is merging a different commit, not '\(onto)'",
          help: ["continue with: schemagen rebase", "or end the merge first: git merge --abort"])
      }
      their = try repository.named(merged)
      common = try repository.mergeBase(head, merged)
    } else if let folder = try repository.rebaseFolder(),
      let replayed = try repository.pseudoReference("REBASE_HEAD")
    {
      // This is the commit that git replays, on top of the commits that it has replayed already.
      operation = .rebase
      our = replayed
      // The replayed commits are named after the branch onto which they are replayed.
      their = GitRepository.Reference(
        name: try repository.rebasedOnto(folder) ?? head.shortCommit, commit: head.commit,
        isTag: false)
      guard let parent = try repository.pseudoReference("REBASE_HEAD^") else {
        throw GitFailure("the commit that git replays has no commit before it")
      }
      common = parent.commit
    } else {
      operation = .none
      if let first = unmerged.min() {
        // In this operation there is no other branch whose versions ours could follow.
        throw GitFailure(
          "a cherry-pick, a revert or a stash left a conflict in '\(repository.shown(first))': there is no other branch to "
            + "put versions after",
          help: [
            "take manifests, lock and generated files as this branch has them, but not user files: "
              + "git restore --source=HEAD --staged --worktree -- \(ShellWord.quoted(path)) ':(exclude)\(path)/Migrations'",
            "then make the change again: in the newest manifest, with 'schemagen generate', or in the classes, with "
              + "'schemagen snapshot'",
            "last: git add --all, and git cherry-pick --continue or git revert --continue",
          ])
      }
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

  /// A file below folders that will be replaced although git does not have the file's current state: the file is
  /// uncommitted, or was edited after a merge resolved it. Nil if there is no such file.
  func edited(below paths: [String]) throws(GitFailure) -> String? {
    let inside = paths.compactMap(repository.path).map { $0.isEmpty ? "." : $0 }
    let status = try repository.git.answer(
      ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--"] + inside)
    return status.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { entry in
        let isOnDisk = entry.dropFirst().first.map { "MDT".contains($0) } ?? false
        return operation == .none || isOnDisk && !unmerged.contains(String(entry.dropFirst(3)))
      }.map { String($0.dropFirst(3)) }.min()
  }

  /// Merges our text, the common base and their text with `git merge-file`.
  ///
  /// - Parameter takesBoth: Whether lines that both sides changed are kept in sequence, theirs first, instead of
  ///   between marks.
  func merged(
    _ texts: [String], takesBoth: Bool
  ) throws(GitFailure) -> (text: String, hasConflicts: Bool) {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let paths = ["ours", "base", "theirs"].map { place.appending(path: $0) }
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for (path, text) in zip(paths, texts) {
        let whole = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        try Data(whole.utf8).write(to: path)
      }
    } catch {
      throw GitFailure("files cannot be merged: \(error.localizedDescription)")
    }
    let names = ["this branch", "both", theirs.reference.name].flatMap { ["-L", $0] }
    // In git's default style, lines that both sides have appear once, so two new models would share their properties.
    let outcome = try GitProcess(folder: place.path).run(
      ["merge-file", "--stdout", "--quiet"] + (takesBoth ? ["--diff3", "--union"] : []) + names
        + (takesBoth ? paths.reversed() : paths).map(\.path))
    // The status is the number of conflicts, or 255 for an error.
    guard (0..<128).contains(outcome.status) else {
      throw GitFailure("git merge-file failed: \(outcome.complaint)")
    }
    return (outcome.text, outcome.status > 0)
  }
}

extension GitRepository {
  fileprivate func rebaseFolder() throws(GitFailure) -> String? {
    for name in ["rebase-merge", "rebase-apply"] {
      if let path = try git.answer(["rev-parse", "--git-path", name]).lines.first {
        let folder = path.hasPrefix("/") ? path : Path.join(top, path)
        if Disk().isFolder(folder) { return folder }
      }
    }
    return nil
  }

  /// The name or the commit of the branch onto which git replays commits.
  fileprivate func rebasedOnto(_ folder: String) throws(GitFailure) -> String? {
    guard let bytes = try? Disk().read(Path.join(folder, "onto"), limit: 100),
      let commit = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first
    else { return nil }
    return try named(Reference(name: "HEAD", commit: String(commit), isTag: false)).name
  }

  /// A commit under the name of its branch if there is one, rather than `MERGE_HEAD`.
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

  /// The reference that the branch will be merged into: the remote's default branch, or the upstream.
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
      "there is no 'origin/HEAD', and this branch has no upstream",
      help: ["name the branch to rebase onto: schemagen rebase --onto main"])
  }

  fileprivate func unmergedPaths() throws(GitFailure) -> Set<String> {
    let listing = try git.answer(["ls-files", "--unmerged", "-z"]).output
    return Set(
      listing.split(separator: 0).compactMap { line in
        line.firstIndex(of: UInt8(ascii: "\t")).map {
          String(decoding: line[line.index(after: $0)...], as: UTF8.self)
        }
      })
  }
}
