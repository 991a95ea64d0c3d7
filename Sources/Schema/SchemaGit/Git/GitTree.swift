internal import Foundation
internal import SchemaModel
internal import SchemaProcesses
package import SchemaWorkspace

/// The files of a worktree in git, at a commit or staged, under the same paths as on disk.
///
/// These are the files of the next commit or of an old one, regardless of the files on disk, also in a sparse checkout.
/// Contents are as git stores them, without the conversions of `.gitattributes`. The tree is read-only.
package struct GitTree: FileSystem {
  private enum Mode: String {
    case file = "100644"
    case program = "100755"
    case link = "120000"
    case submodule = "160000"
  }

  private struct Entry {
    var mode: Mode
    var id: String
  }

  private enum Source {
    case commit(String)
    case index
  }

  private let repository: GitRepository
  private let git: GitProcess
  private let source: Source
  private let listed = Locked<Listing?>(nil)
  private let contents = Locked<[String: [UInt8]]>([:])

  package init(_ repository: GitRepository, commit: String) {
    self.repository = repository
    git = repository.git
    source = .commit(commit)
  }

  package static func staged(for folder: String) throws(GitFailure) -> GitTree {
    let repository = try GitRepository(containing: folder)
    var git = repository.git
    git.index = try hookIndex(of: repository)
    return GitTree(repository, git)
  }

  private init(_ repository: GitRepository, _ git: GitProcess) {
    self.repository = repository
    self.git = git
    source = .index
  }

  /// The path of the index for a commit in progress.
  ///
  /// `git commit -a` and `git commit FILE` commit a temporary index, and pass its path to their hooks in a variable.
  /// Only that index has what is about to be committed, so this variable is used although all others are unset. The
  /// variable applies only to the hook's repository, not to another repository such as a submodule.
  static func hookIndex(of repository: GitRepository) throws(GitFailure) -> String? {
    let variables = ProcessInfo.processInfo.environment
    guard let index = variables["GIT_INDEX_FILE"], !index.isEmpty else { return nil }
    let own: String
    if let directory = variables["GIT_DIR"] {
      own = GitRepository.absolute(directory)
    } else {
      own = try GitRepository(containing: ".").gitDirectory
    }
    guard GitRepository.real(own) == GitRepository.real(repository.gitDirectory) else { return nil }
    // A relative path starts at the worktree's top, where git also runs hooks.
    return Path.join(repository.top, index)
  }

  // MARK: Listing

  private struct Listing {
    var entries: [String: Entry] = [:]
    /// Staged paths with unresolved merge conflicts.
    var unmerged: Set<String> = []
    var names: [String: Set<String>] = [:]
  }

  private func listing() throws(GitFailure) -> Listing {
    if let known = listed.withLock({ $0 }) { return known }
    let output: [UInt8]
    switch source {
    case .commit(let commit):
      output = try git.answer(["ls-tree", "-r", "-z", "--full-tree", commit]).output
    case .index: output = try git.answer(["ls-files", "--stage", "-z"]).output
    }
    var listing = Listing()
    for line in output.split(separator: 0) {
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      // `mode id stage` of the index, `mode type id` of a tree.
      let fields = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      let path = String(decoding: line[line.index(after: tab)...], as: UTF8.self)
      guard fields.count == 3, let mode = Mode(rawValue: String(fields[0])) else { continue }
      switch source {
      case .commit: listing.entries[path] = Entry(mode: mode, id: String(fields[2]))
      case .index where fields[2] == "0":
        listing.entries[path] = Entry(mode: mode, id: String(fields[1]))
      case .index: listing.unmerged.insert(path)
      }
    }
    // `git add --intent-to-add` lists a file as empty. A commit leaves the file out.
    if case .index = source,
      listing.entries.values.contains(where: { Self.emptyIDs.contains($0.id) })
    {
      let added = try git.answer(["diff-files", "--name-only", "--diff-filter=A", "-z"]).output
      for path in added.split(separator: 0) {
        listing.entries[String(decoding: path, as: UTF8.self)] = nil
      }
    }
    for path in Array(listing.entries.keys) + listing.unmerged {
      var parts = path.split(separator: "/")
      while let name = parts.popLast(),
        listing.names[parts.joined(separator: "/"), default: []].insert(String(name)).inserted
      {}
    }
    listed.withLock { [listing] in $0 = listing }
    return listing
  }

  /// The ids of an empty file, by SHA-1 and by SHA-256.
  private static let emptyIDs: Set<String> = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
  ]

  /// The folders that contain a file of this name, relative to the working directory; sorted.
  func folders(with file: String) throws(GitFailure) -> [String] {
    let working = repository.path(of: ".").map { $0.isEmpty ? "" : $0 + "/" }
    let folders = try listing().names.filter { !$0.key.isEmpty && $0.value.contains(file) }
    return folders.keys.sorted().map { folder in
      guard let working, folder.hasPrefix(working) else {
        return Path.join(repository.top, folder)
      }
      return String(folder.dropFirst(working.count))
    }
  }

  // MARK: Reading

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    try answer(folder) { () throws(GitFailure) in
      let listing = try listing()
      let path = try followed(folder, listing)
      return listing.names[path]?.sorted()
    }
  }

  package func isFolder(_ path: String) -> Bool { (try? list(path)) != nil }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    let found = try answer(path) { () throws(GitFailure) in try submodule(above: path) }
    if let found { return try found.tree.read(found.path, limit: limit) }
    return try answer(path) { () throws(GitFailure) in
      let listing = try listing()
      let file = try followed(path, listing)
      guard !listing.unmerged.contains(file) else {
        throw GitFailure("the file has conflicts of a merge: resolve them and 'git add' the file")
      }
      guard let entry = listing.entries[file] else { return nil }
      return Array(try bytes(of: entry, at: file, listing).prefix(limit))
    }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be written")
  }

  package func remove(_ path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be removed")
  }

  private func answer<Result>(
    _ path: String, _ work: () throws(GitFailure) -> Result
  ) throws(FileSystemError) -> Result {
    do throws(GitFailure) {
      return try work()
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
  }

  /// For a path inside a submodule: the submodule at the commit that this tree records, and the path on disk. Nil for
  /// any other path, and if the submodule is not checked out.
  private func submodule(above path: String) throws(GitFailure) -> (tree: GitTree, path: String)? {
    guard let inside = repository.path(of: path) else { return nil }
    let parts = inside.split(separator: "/")
    let listing = try listing()
    for count in parts.indices.dropFirst() {
      let place = parts[..<count].joined(separator: "/")
      guard let entry = listing.entries[place], entry.mode == .submodule else { continue }
      let folder = Path.join(repository.top, place)
      let found = try GitRepository(containing: folder)
      // A submodule that is not checked out is an empty folder of the enclosing repository.
      guard GitRepository.real(found.top) == GitRepository.real(folder) else { return nil }
      let rest = parts[count...].joined(separator: "/")
      return (GitTree(found, commit: entry.id), Path.join(found.top, rest))
    }
    return nil
  }

  /// The path below the top, with git's own symbolic links followed.
  private func followed(_ path: String, _ listing: Listing) throws(GitFailure) -> String {
    guard let inside = repository.path(of: path) else {
      throw GitFailure("the path is outside the repository")
    }
    var rest = inside.split(separator: "/").map(String.init)[...]
    var done: [String] = []
    var links = 0
    while let part = rest.popFirst() {
      if part == "." { continue }
      if part == ".." {
        guard done.popLast() != nil else { throw Self.leadsOut }
        continue
      }
      done.append(part)
      let place = done.joined(separator: "/")
      guard let entry = listing.entries[place] else { continue }
      switch entry.mode {
      case .file, .program: break
      case .submodule: throw GitFailure("the path is in the submodule '\(place)'")
      case .link:
        links += 1
        guard links <= 40 else { throw GitFailure("symbolic links in the path lead in a circle") }
        done.removeLast()
        let bytes = try bytes(of: entry, at: place, listing)
        guard bytes.first != UInt8(ascii: "/") else { throw Self.leadsOut }
        let target = String(decoding: bytes, as: UTF8.self).split(separator: "/").map(String.init)
        rest = (target + rest)[...]
      }
    }
    return done.joined(separator: "/")
  }

  private static let leadsOut = GitFailure("a symbolic link leads out of the repository")

  // MARK: Contents

  /// The endings of files that workflows read. Other files may be large, and are read individually if needed.
  private static let suffixes = [".yaml", ".yml", ".lock", ".swift", ".mustache", ".md"]

  /// Reads all of a folder's files in one process, rather than one process for each.
  private func bytes(
    of entry: Entry, at path: String, _ listing: Listing
  ) throws(GitFailure) -> [UInt8] {
    if let bytes = contents.withLock({ $0[entry.id] }) { return bytes }
    let folder = Path.folder(of: path)
    let names = listing.names[folder == "." ? "" : folder] ?? []
    let siblings = names.filter { name in Self.suffixes.contains { name.hasSuffix($0) } }
      .compactMap { listing.entries[folder == "." ? $0 : "\(folder)/\($0)"] }
      .filter { $0.mode != .submodule }.map(\.id)
    let found = try git.contents(of: [entry.id] + siblings)
    contents.withLock { $0.merge(found) { first, _ in first } }
    guard let bytes = found[entry.id] else {
      throw GitFailure("git does not have the file's content: 'git fetch' may fetch it")
    }
    return bytes
  }
}
