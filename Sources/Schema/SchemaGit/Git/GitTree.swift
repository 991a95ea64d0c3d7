internal import Foundation
internal import SchemaModel
internal import SchemaProcesses
package import SchemaWorkspace

/// What git has of a worktree's files, at a commit or staged, under the same paths as on disk.
///
/// It is what the next commit or the old one holds, whatever lies on disk: also in a sparse checkout. Contents are as
/// git stores them, without what `.gitattributes` would make of them. Nothing can be written. A folder is asked for as
/// a whole: what is in it and below, and then what its files contain.
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
  private let known = Locked(Known())

  /// The files of a commit.
  package init(_ repository: GitRepository, commit: String) {
    self.repository = repository
    git = repository.git
    source = .commit(commit)
  }

  /// What is staged in the repository in which a folder lies.
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

  /// The index that a commit under way has made for itself.
  ///
  /// `git commit -a` and `git commit FILE` commit a temporary index, and tell their hooks where it is. That one
  /// variable says what is about to be committed, so it must be honoured while all others are unset. It is the
  /// hook's repository's, though: of another one, such as a submodule, it says nothing.
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
    // Git reads a relative one from the worktree's top, where it also runs hooks.
    return Path.join(repository.top, index)
  }

  // MARK: Listing

  /// What was asked for and answered.
  private struct Known {
    /// Paths below the top that were listed, with all that is below them.
    var listed: Set<String> = []
    /// By the path below the top.
    var entries: [String: Entry] = [:]
    /// Staged paths of which a merge left several sides.
    var unmerged: Set<String> = []
    /// By their ids.
    var contents: [String: [UInt8]] = [:]

    func covers(_ path: String) -> Bool {
      listed.contains("")
        || listed.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    var paths: [String] { Array(entries.keys) + unmerged }
  }

  /// Makes sure that a path is known, with all that is below it, in one process for a folder.
  private func know(_ path: String) throws(GitFailure) {
    guard !known.withLock({ $0.covers(path) }) else { return }
    // Nothing there may mean that a part of the path is a link: what is above it tells.
    guard try !listing(of: path), let first = path.split(separator: "/").first.map(String.init)
    else { return }
    if first != path { _ = try listing(of: first) }
  }

  /// Lists what is at a path and below; whether there is anything.
  private func listing(of path: String) throws(GitFailure) -> Bool {
    let paths = path.isEmpty ? [] : ["--", path]
    let output: [UInt8]
    switch source {
    case .commit(let commit):
      output = try git.answer(["ls-tree", "-r", "-z", "--full-tree", commit] + paths).output
    case .index: output = try git.answer(["ls-files", "--stage", "-z"] + paths).output
    }
    var entries: [String: Entry] = [:]
    var unmerged: Set<String> = []
    for line in output.split(separator: 0) {
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      // `mode id stage` of the index, `mode type id` of a tree.
      let fields = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      let path = String(decoding: line[line.index(after: tab)...], as: UTF8.self)
      guard fields.count == 3, let mode = Mode(rawValue: String(fields[0])) else { continue }
      switch source {
      case .commit: entries[path] = Entry(mode: mode, id: String(fields[2]))
      case .index where fields[2] == "0":
        entries[path] = Entry(mode: mode, id: String(fields[1]))
      case .index: unmerged.insert(path)
      }
    }
    if case .index = source { try leaveOutIntents(&entries, paths) }
    known.withLock { state in
      state.listed.insert(path)
      state.entries.merge(entries) { first, _ in first }
      state.unmerged.formUnion(unmerged)
    }
    return !entries.isEmpty || !unmerged.isEmpty
  }

  /// The ids of an empty file, by SHA-1 and by SHA-256.
  private static let emptyIDs: Set<String> = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
  ]

  /// `git add --intent-to-add` lists a file as empty; a commit leaves it out.
  private func leaveOutIntents(
    _ entries: inout [String: Entry], _ paths: [String]
  ) throws(GitFailure) {
    guard entries.values.contains(where: { Self.emptyIDs.contains($0.id) }) else { return }
    let added = try git.answer(["diff-files", "--name-only", "--diff-filter=A", "-z"] + paths)
    for path in added.output.split(separator: 0) {
      entries[String(decoding: path, as: UTF8.self)] = nil
    }
  }

  /// The folders that hold a file of a name, as somebody in the working directory would call them; sorted.
  func folders(with file: String) throws(GitFailure) -> [String] {
    _ = try listing(of: "")
    let working = repository.path(of: ".").map { $0.isEmpty ? "" : $0 + "/" }
    let paths = known.withLock { $0.paths }.filter { $0.hasSuffix("/" + file) }.sorted()
    return paths.map { path in
      let folder = String(path.dropLast(file.count + 1))
      guard let working, folder.hasPrefix(working) else {
        return Path.join(repository.top, folder)
      }
      return String(folder.dropFirst(working.count))
    }
  }

  // MARK: Reading

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    let path = try followed(folder)
    let prefix = path.isEmpty ? "" : path + "/"
    let paths = known.withLock { $0.entries[path] == nil ? $0.paths : [] }
    let names = Set(
      paths.lazy.filter { $0.hasPrefix(prefix) }.compactMap {
        $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
      })
    return names.isEmpty ? nil : names.sorted()
  }

  package func isFolder(_ path: String) -> Bool { (try? list(path)) != nil }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    if let found = try submodule(above: path) {
      return try found.tree.read(found.path, limit: limit)
    }
    let file = try followed(path)
    let (entry, isUnmerged) = known.withLock { ($0.entries[file], $0.unmerged.contains(file)) }
    if isUnmerged {
      throw FileSystemError(
        path: path, reason: "it has conflicts of a merge: resolve them and 'git add' it")
    }
    guard let entry else { return nil }
    do throws(GitFailure) {
      return Array(try bytes(of: entry, at: file).prefix(limit))
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be written")
  }

  package func remove(_ path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "files in git's database cannot be removed")
  }

  /// Where a path leads into a submodule: the commit of it that belongs here, and the path on disk.
  private func submodule(
    above path: String
  ) throws(FileSystemError) -> (tree: GitTree, path: String)? {
    guard let inside = repository.path(of: path) else { return nil }
    do throws(GitFailure) {
      try know(inside)
      let parts = inside.split(separator: "/")
      let places = parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
      for place in places {
        guard let entry = known.withLock({ $0.entries[place] }), entry.mode == .submodule else {
          continue
        }
        let folder = Path.join(repository.top, place)
        let found = try GitRepository(containing: folder)
        // One that is not checked out is an empty folder of the repository around it.
        guard GitRepository.real(found.top) == GitRepository.real(folder) else { return nil }
        let rest = parts[place.split(separator: "/").count...].joined(separator: "/")
        return (GitTree(found, commit: entry.id), Path.join(found.top, rest))
      }
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
    return nil
  }

  /// The path below the top, with git's own symbolic links followed, listed with all that is below it.
  private func followed(_ path: String) throws(FileSystemError) -> String {
    guard let inside = repository.path(of: path) else {
      throw FileSystemError(path: path, reason: "it is outside the repository")
    }
    do throws(GitFailure) {
      try know(inside)
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
    var rest = inside.split(separator: "/").map(String.init)
    var done: [String] = []
    var links = 0
    while let part = rest.first {
      rest.removeFirst()
      if part == "." { continue }
      if part == ".." {
        guard done.popLast() != nil else { throw leadsOut(path) }
        continue
      }
      done.append(part)
      let place = done.joined(separator: "/")
      guard let entry = known.withLock({ $0.entries[place] }) else { continue }
      switch entry.mode {
      case .file, .program: break
      case .submodule:
        throw FileSystemError(path: path, reason: "it is in the submodule '\(place)'")
      case .link:
        links += 1
        guard links <= 40 else {
          throw FileSystemError(path: path, reason: "its symbolic links lead in a circle")
        }
        done.removeLast()
        let target: [UInt8]
        do throws(GitFailure) {
          target = try bytes(of: entry, at: place)
        } catch {
          throw FileSystemError(path: path, reason: error.reason)
        }
        guard target.first != UInt8(ascii: "/") else { throw leadsOut(path) }
        rest = String(decoding: target, as: UTF8.self).split(separator: "/").map(String.init) + rest
        let next = Path.normalized((done + rest).joined(separator: "/"))
        do throws(GitFailure) {
          if !next.hasPrefix("..") { try know(next) }
        } catch {
          throw FileSystemError(path: path, reason: error.reason)
        }
      }
    }
    return done.joined(separator: "/")
  }

  private func leadsOut(_ path: String) -> FileSystemError {
    FileSystemError(path: path, reason: "a symbolic link leads out of the repository")
  }

  // MARK: Contents

  /// What workflows read. A folder's other files may be large, and are read one by one if at all.
  private static let suffixes = [".yaml", ".yml", ".lock", ".swift", ".mustache", ".md"]

  /// One process for a folder, not one for a file.
  private func bytes(of entry: Entry, at path: String) throws(GitFailure) -> [UInt8] {
    if let bytes = known.withLock({ $0.contents[entry.id] }) { return bytes }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let siblings = known.withLock { state in
      state.entries.filter { other, sibling in
        other.hasPrefix(folder) && !other.dropFirst(folder.count).contains("/")
          && sibling.mode != .submodule && Self.suffixes.contains { other.hasSuffix($0) }
      }.map(\.value.id)
    }
    let found = try git.contents(of: [entry.id] + siblings)
    known.withLock { $0.contents.merge(found) { first, _ in first } }
    guard let bytes = found[entry.id] else {
      throw GitFailure("git does not have its content: 'git fetch' may bring it")
    }
    return bytes
  }
}
