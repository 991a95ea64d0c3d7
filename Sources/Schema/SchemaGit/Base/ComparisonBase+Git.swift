internal import Foundation
internal import SchemaModel
package import SchemaWorkspace

extension ComparisonBase {
  /// Finds and reads the base that `--against` names.
  ///
  /// A branch or a commit is compared at its merge base with HEAD, since its later changes do not belong to this
  /// branch. A tag is compared directly, since a tag is what shipped. An argument that begins with `/`, `./` or `../`,
  /// or that is no reference, is a folder.
  ///
  /// - Parameters:
  ///   - directory: The argument as a path, if relative paths do not start from the working directory.
  ///   - current: The file system with the folder's present files, by which a moved folder is found.
  /// - Throws: `GitFailure` if the argument is neither a reference nor a folder, or if git lacks what is needed.
  package init(
    against argument: String, directory: String? = nil, for path: String,
    current: any FileSystem = Disk()
  ) throws(GitFailure) {
    switch try Source(argument, directory ?? argument, near: path) {
    case .commit(let reference, let repository):
      try self.init(reference, in: repository, for: path, current)
    case .folder(let directory): try self.init(folder: directory, for: path)
    case .nothing:
      try self.init(
        reading: path, name: "\(argument) (no commit yet)", isRelease: false,
        fileSystem: MemoryFiles())
    }
  }

  /// Where the base comes from.
  private enum Source {
    case commit(GitRepository.Reference, GitRepository)
    case folder(String)
    /// HEAD before the first commit, for a hook.
    case nothing

    init(_ argument: String, _ directory: String, near path: String) throws(GitFailure) {
      let isPath = ["/", "./", "../"].contains { argument.hasPrefix($0) } || argument == ".."
      if isPath {
        guard Disk().isFolder(directory) else {
          throw GitFailure("there is no folder '\(directory)'")
        }
        self = .folder(directory)
        return
      }
      do throws(GitFailure) {
        let repository = try GitRepository(containing: path)
        if argument == "HEAD", try repository.head() == nil {
          self = .nothing
        } else {
          self = .commit(try repository.reference(argument), repository)
        }
      } catch {
        guard !argument.hasPrefix("-"), Disk().isFolder(directory) else {
          var failure = error
          if failure.kind != .other {
            failure.help.append("or compare with a folder: --against ../before")
          }
          throw failure
        }
        self = .folder(directory)
      }
    }
  }

  /// The base's folders of manifests at a path or below it, including folders that have been removed since.
  package static func folders(
    against argument: String, directory: String? = nil, in path: String
  ) throws(GitFailure) -> [String] {
    switch try Source(argument, directory ?? argument, near: path) {
    case .commit(let reference, let repository):
      let commit = reference.isTag ? reference.commit : try repository.mergeBase(with: reference)
      return try folders(at: path, in: GitTree(repository, commit: commit)) { $0 }
    case .folder(let directory):
      guard isBelow(path) else { return [] }
      return try folders(at: path, in: Disk()) { Path.join(directory, $0) }
    case .nothing: return []
    }
  }

  private static func folders(
    at path: String, in fileSystem: some FileSystem, named place: (String) -> String
  ) throws(GitFailure) -> [String] {
    do throws(FileSystemError) {
      if try hasManifests(place(path), fileSystem) { return [path] }
      var found: [String] = []
      for name in try fileSystem.list(place(path)) ?? [] {
        let folder = Path.join(path, name)
        if try hasManifests(place(folder), fileSystem) { found.append(folder) }
      }
      return found
    } catch {
      throw GitFailure("'\(error.path)' cannot be read: \(error.reason)")
    }
  }

  /// The parents of the next commit: HEAD, and in a merge the commits that are merged.
  ///
  /// The parents do not decide which approvals count, since the target branch does.
  package static func parents(
    of path: String, current: any FileSystem = Disk()
  ) throws(GitFailure) -> [ComparisonBase] {
    let repository = try GitRepository(containing: path)
    var bases: [ComparisonBase] = []
    for parent in try [repository.head()].compactMap(\.self) + repository.merged() {
      let tree = GitTree(repository, commit: parent.commit)
      let found = try place(of: path, current, in: tree)
      try bases.append(
        ComparisonBase(
          reading: path, name: "\(parent.name) (\(parent.shortCommit))", isRelease: false,
          commit: parent.commit, movedFrom: found.from, movedTo: found.to, fileSystem: tree))
    }
    return bases
  }

  /// The state of a folder at a release's tag.
  ///
  /// - Throws: `GitFailure` if there is no such tag.
  package init(tag: String, for path: String) throws(GitFailure) {
    let repository = try GitRepository(containing: path)
    let reference = try repository.reference(tag, asTag: true)
    guard reference.isTag else {
      throw GitFailure(
        "'\(tag)' is not a tag",
        help: ["tag the released commit: git tag v2.3.0 \(reference.shortCommit)"])
    }
    try self.init(reference, in: repository, for: path, Disk())
  }

  /// The branch whose approvals count for losses in a folder, if the folder's configuration requires approvals.
  ///
  /// - Returns: Nil if the configuration requires none, or if there is no commit yet.
  package static func approving(_ folder: SchemaFolder) throws(GitFailure) -> ComparisonBase? {
    guard folder.configuration.approvals == .base else { return nil }
    let repository = try GitRepository(containing: folder.path)
    guard try repository.head() != nil else { return nil }
    guard let name = try repository.mainBranch() else {
      throw GitFailure(
        "no branch is called 'main' or 'master', so schemagen cannot tell which approvals count",
        help: ["name the main branch: git config init.defaultBranch NAME"])
    }
    return try ComparisonBase(against: name, for: folder.path)
  }

  private init(
    _ reference: GitRepository.Reference, in repository: GitRepository, for path: String,
    _ current: any FileSystem
  ) throws(GitFailure) {
    let commit: String
    let name: String
    if reference.isTag {
      commit = reference.commit
      name = "\(reference.name) (tag, \(reference.shortCommit))"
    } else {
      commit = try repository.mergeBase(with: reference)
      name = "\(reference.name) (merge base \(commit.prefix(7)))"
    }
    let tree = GitTree(repository, commit: commit)
    let (movedFrom, movedTo) = try Self.place(of: path, current, in: tree)
    // Approvals may have been added to the target since the branch began, so the target's present state counts.
    let tip = commit == reference.commit ? tree : GitTree(repository, commit: reference.commit)
    let authority = try Self.authority(
      reference.name, movedFrom ?? path,
      root: repository.path(of: path).map { (repository.top, $0) }, tip)
    try self.init(
      reading: path, name: name, isRelease: reference.isTag, commit: commit, movedFrom: movedFrom,
      movedTo: movedTo, tag: reference.isBesideTag ? reference.name : nil, authority: authority,
      fileSystem: tree)
  }

  /// `from` is the folder's path in `tree` if the folder has moved since. `to` is the path of the folder that has its
  /// versions now if the folder no longer exists.
  private static func place(
    of path: String, _ current: any FileSystem, in tree: GitTree
  ) throws(GitFailure) -> (from: String?, to: String?) {
    // Unreadable files are reported by their reader.
    switch (
      (try? hasManifests(path, tree)) ?? true, (try? hasManifests(path, current)) ?? true
    ) {
    case (false, true): (try other(than: path, current, in: tree), nil)
    case (true, false): (nil, try other(than: path, tree, in: GitTree.staged(for: path)))
    default: (nil, nil)
    }
  }

  private static func authority(
    _ name: String, _ path: String, root: (path: String, folder: String)?,
    _ fileSystem: some FileSystem
  ) throws(GitFailure) -> ApprovalAuthority {
    do throws(FileSystemError) {
      return try ApprovalAuthority(name: name, path: path, root: root, fileSystem: fileSystem)
    } catch {
      throw GitFailure("'\(error.path)' cannot be read in \(name): \(error.reason)")
    }
  }

  /// The folder in `tree` that shares locked versions with this one and has no manifests in `files`.
  private static func other(
    than path: String, _ files: any FileSystem, in tree: GitTree
  ) throws(GitFailure) -> String? {
    let known = lockedVersions(in: path, files)
    guard !known.isEmpty else { return nil }
    return try tree.folders(with: SchemaLock.fileName).first { folder in
      Path.normalized(folder) != Path.normalized(path)
        && (try? hasManifests(folder, files)) == false
        && !lockedVersions(in: folder, tree).isDisjoint(with: known)
    }
  }

  /// Reads the folder at the same path below the directory if that folder has manifests, or else the directory itself.
  private init(folder directory: String, for path: String) throws(GitFailure) {
    let below = Path.join(directory, path)
    // If the folder below cannot be read, the directory itself is tried, which reports the problem.
    let isRoot = Self.isBelow(path) && (try? Self.hasManifests(below, Disk())) ?? false
    let folder = isRoot ? below : directory
    let authority = try Self.authority(
      directory, folder, root: isRoot ? (directory, Path.normalized(path)) : nil, Disk())
    try self.init(
      reading: folder, name: directory, isRelease: false, authority: authority, fileSystem: Disk())
  }

  private init(
    reading path: String, name: String, isRelease: Bool, commit: String? = nil,
    movedFrom: String? = nil, movedTo: String? = nil, tag: String? = nil,
    authority: ApprovalAuthority? = nil, fileSystem: some FileSystem
  ) throws(GitFailure) {
    do throws(FileSystemError) {
      try self.init(
        name: name, path: path, isRelease: isRelease, commit: commit, movedFrom: movedFrom,
        movedTo: movedTo, tag: tag, authority: authority, fileSystem: fileSystem)
    } catch {
      throw GitFailure("'\(error.path)' cannot be read in \(name): \(error.reason)")
    }
  }

  /// Whether a path stays below its folder. A path that leads up would return to the original folder.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/") && !path.hasPrefix("..")
  }
}
