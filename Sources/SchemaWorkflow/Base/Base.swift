internal import Foundation
package import SchemaDiagnostics
internal import SchemaLint
internal import SchemaModel

/// What a folder of manifests is compared with: its state at a commit, or another folder.
package struct Base: Sendable {
  /// As messages call it: `origin/main (merge base 1a2b3c4)`, `v2.3.0 (tag, 1a2b3c4)`, `../before`.
  package let name: String
  /// Nil where the folder, or a manifest in it, is not there yet.
  package let folder: SchemaFolder?
  /// Empty where there is none, or none that can be read.
  package let lock: SchemaLock
  /// Whether every version that stands in it has shipped: a tag proves that.
  package let isRelease: Bool
  /// The commit; nil for a folder.
  package let commit: String?
  /// What keeps the comparison from being whole: warnings and notes, never errors.
  package let diagnostics: [Diagnostic]

  /// Finds and reads what `--against` names.
  ///
  /// A branch or a commit is compared by its merge base with HEAD: what others did since is not this branch's doing.
  /// A tag is taken as it stands, since that is what shipped. What begins with `/`, `./` or `../`, and what is a
  /// folder and no reference, is a folder: as it is.
  ///
  /// - Parameters:
  ///   - argument: A git reference or a folder.
  ///   - directory: The argument as a path, where relative paths do not start from the working directory.
  ///   - path: The folder of manifests.
  /// - Throws: `GitFailure` where it is neither, or where git does not have what is needed.
  package init(
    against argument: String, directory: String? = nil, for path: String
  ) throws(GitFailure) {
    switch try Source(argument, directory ?? argument, near: path) {
    case .commit(let reference, let repository): try self.init(reference, in: repository, for: path)
    case .folder(let directory): try self.init(folder: directory, for: path)
    case .nothing:
      try self.init(
        name: "\(argument) (no commit yet)", path: path, isRelease: false,
        fileSystem: MemoryFiles())
    }
  }

  /// Where a base comes from.
  private enum Source {
    case commit(GitRepository.Reference, GitRepository)
    case folder(String)
    /// HEAD before the first commit: a hook of that commit asks for it.
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
        guard !argument.hasPrefix("-"), Disk().isFolder(directory) else { throw error }
        self = .folder(directory)
      }
    }
  }

  /// The folders of manifests that the base has at a path, or in the folders there.
  ///
  /// A folder that is gone since is not found by looking at what is there now.
  ///
  /// - Throws: `GitFailure`, as `init(against:directory:for:)`.
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

  /// The state of a folder in what was released with a tag.
  ///
  /// - Throws: `GitFailure` where there is no such tag.
  package init(tag: String, for path: String) throws(GitFailure) {
    let repository = try GitRepository(containing: path)
    let reference = try repository.reference(tag)
    guard reference.isTag else {
      throw GitFailure(
        "'\(tag)' is no tag",
        help: ["tag what was released: git tag v2.3.0 \(reference.shortCommit)"])
    }
    try self.init(reference, in: repository, for: path)
  }

  private init(
    _ reference: GitRepository.Reference, in repository: GitRepository, for path: String
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
    try self.init(
      name: name, path: path, isRelease: reference.isTag, commit: commit,
      fileSystem: GitTree(repository, commit: commit))
  }

  /// A folder that holds what the compared one holds, or that lies where the checkout's root lies.
  private init(folder directory: String, for path: String) throws(GitFailure) {
    let below = Path.join(directory, path)
    // Where it cannot be read, the folder itself is tried, and told.
    let isRoot = Self.isBelow(path) && (try? Self.hasManifests(below, Disk())) ?? false
    try self.init(
      name: directory, path: isRoot ? below : directory, isRelease: false, commit: nil,
      fileSystem: Disk())
  }

  /// Whether a path may stand below another folder: one that leads up would lead back to where it came from.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/") && !path.hasPrefix("..")
  }

  /// - Parameter path: The folder of manifests, in `fileSystem`.
  /// - Throws: `GitFailure` where a file of it cannot be read: nothing may pass because of that.
  package init(
    name: String, path: String, isRelease: Bool, commit: String? = nil,
    fileSystem: some FileSystem
  ) throws(GitFailure) {
    self.name = name
    self.isRelease = isRelease
    self.commit = commit
    var diagnostics: [Diagnostic] = []
    do throws(FileSystemError) {
      folder =
        try Self.hasManifests(path, fileSystem) ? SchemaFolder(path, fileSystem: fileSystem) : nil
      lock = try Self.lock(of: path, in: name, fileSystem, &diagnostics)
    } catch {
      throw GitFailure("'\(error.path)' cannot be read in \(name): \(error.reason)")
    }
    if folder == nil {
      diagnostics.append(
        Diagnostic(
          .newFolder, "'\(path)' has no manifests in \(name): everything is new", at: nil))
    }
    if let folder, folder.isMalformed,
      let broken = folder.diagnostics.first(where: { $0.severity == .error })
    {
      let place = broken.location.map { "\($0.file):\($0.line): " } ?? ""
      diagnostics.append(
        Diagnostic(
          .brokenBase,
          "the manifests in \(name) have errors, so that only its lock is compared: "
            + place + broken.message,
          at: nil, help: ["what has shipped is held by the lock all the same"]))
    }
    self.diagnostics = diagnostics
  }

  private static func lock(
    of path: String, in name: String, _ fileSystem: some FileSystem,
    _ diagnostics: inout [Diagnostic]
  ) throws(FileSystemError) -> SchemaLock {
    let path = Path.join(path, SchemaLock.fileName)
    guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else {
      return SchemaLock()
    }
    let read = SchemaLock.read(SourceFile(path: path, bytes: bytes))
    guard let broken = read.diagnostics.first else { return read.lock }
    diagnostics.append(
      Diagnostic(
        .brokenBase,
        "the lock in \(name) is broken, so that it does not tell what has shipped: "
          + broken.message,
        at: nil, help: ["repair it there: the rule is '\(broken.rule.id)'"]))
    return SchemaLock()
  }

  private static func hasManifests(
    _ path: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Bool {
    let names = try fileSystem.list(path) ?? []
    return names.contains { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
  }

  /// Its versions; empty where there are none that can be trusted.
  var versions: [SchemaVersion] {
    guard let folder, !folder.isMalformed else { return [] }
    return folder.versions
  }
}
