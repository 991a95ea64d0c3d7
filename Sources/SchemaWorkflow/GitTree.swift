internal import Foundation

/// What git has of a worktree's files, at a commit or staged, under the same paths as on disk.
///
/// It is what the next commit or the old one holds, whatever lies on disk: also in a sparse checkout. Contents are as
/// git stores them, without what `.gitattributes` would make of them. Nothing can be written.
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

  private let repository: GitRepository
  /// By the path below the worktree's top.
  private let entries: [String: Entry]
  private let paths: [String]
  /// Staged paths of which a merge left several.
  private let unmerged: Set<String>
  private let contents = Contents()

  /// The files of a commit.
  package init(
    _ repository: GitRepository, commit: String
  ) throws(GitFailure) {
    // The whole tree at once: links and outputs lead anywhere in it, and one answer is quicker than many questions.
    let listing = try repository.git.answer(["ls-tree", "-r", "-z", "--full-tree", commit])
    self.init(repository, listing: listing.output, hasStages: false)
  }

  /// What is staged in the repository in which a folder lies.
  package static func staged(for folder: String) throws(GitFailure) -> GitTree {
    let repository = try GitRepository(containing: folder)
    var git = repository.git
    git.index = try hookIndex(of: repository)
    let listing = try git.answer(["ls-files", "--stage", "-z"])
    var tree = GitTree(repository, listing: listing.output, hasStages: true)
    try tree.leaveOutIntents(git)
    return tree
  }

  /// The index that a commit under way has made for itself.
  ///
  /// `git commit -a` and `git commit FILE` commit a temporary index, and tell their hooks where it is. That one
  /// variable says what is about to be committed, so it must be honoured while all others are unset. It is the
  /// hook's repository's, though: of another one, such as a submodule, it says nothing.
  private static func hookIndex(of repository: GitRepository) throws(GitFailure) -> String? {
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

  private init(_ repository: GitRepository, listing: [UInt8], hasStages: Bool) {
    self.repository = repository
    var entries: [String: Entry] = [:]
    var unmerged: Set<String> = []
    for line in listing.split(separator: 0) {
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      // `mode id stage` of the index, `mode type id` of a tree.
      let fields = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      let path = String(decoding: line[line.index(after: tab)...], as: UTF8.self)
      guard fields.count == 3, let mode = Mode(rawValue: String(fields[0])) else { continue }
      if hasStages, fields[2] != "0" {
        unmerged.insert(path)
      } else {
        entries[path] = Entry(mode: mode, id: String(fields[hasStages ? 1 : 2]))
      }
    }
    self.entries = entries
    self.unmerged = unmerged
    paths = (Array(entries.keys) + unmerged).sorted()
  }

  private init(_ tree: GitTree, without gone: Set<String>) {
    repository = tree.repository
    entries = tree.entries.filter { !gone.contains($0.key) }
    unmerged = tree.unmerged
    paths = tree.paths.filter { !gone.contains($0) }
  }

  /// `git add --intent-to-add` lists a file as empty; a commit leaves it out.
  private mutating func leaveOutIntents(_ git: GitProcess) throws(GitFailure) {
    let empty = [
      "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda11854",
    ]
    guard entries.values.contains(where: { entry in empty.contains { entry.id.hasPrefix($0) } })
    else { return }
    let added = try git.answer(["diff-files", "--name-only", "--diff-filter=A", "-z"])
    let gone = added.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    if !gone.isEmpty { self = GitTree(self, without: Set(gone)) }
  }

  // MARK: Reading

  package func list(_ folder: String) throws(FileSystemError) -> [String]? {
    guard let path = try followed(folder, as: folder), entries[path] == nil else { return nil }
    let prefix = path.isEmpty ? "" : path + "/"
    let names = Set(
      paths.lazy.filter { $0.hasPrefix(prefix) }.compactMap {
        $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
      })
    return names.isEmpty ? nil : names.sorted()
  }

  package func isFolder(_ path: String) -> Bool { (try? list(path)) != nil }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    guard let file = try followed(path, as: path) else { return nil }
    if unmerged.contains(file) {
      throw FileSystemError(
        path: path, reason: "it has conflicts of a merge: resolve them and 'git add' it")
    }
    guard let entry = entries[file] else { return nil }
    do throws(GitFailure) {
      return Array(try bytes(of: entry, at: file).prefix(limit))
    } catch {
      throw FileSystemError(path: path, reason: error.reason)
    }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "what git has cannot be written to")
  }

  package func remove(_ path: String) throws(FileSystemError) {
    throw FileSystemError(path: path, reason: "what git has cannot be removed")
  }

  /// The path below the top, with git's own symbolic links followed.
  private func followed(_ path: String, as told: String) throws(FileSystemError) -> String? {
    guard let inside = repository.path(of: path) else {
      throw FileSystemError(path: told, reason: "it lies outside of the repository")
    }
    var rest = inside.split(separator: "/").map(String.init)
    var done: [String] = []
    var links = 0
    while let part = rest.first {
      rest.removeFirst()
      if part == "." { continue }
      if part == ".." {
        guard done.popLast() != nil else { throw leadsOut(told) }
        continue
      }
      done.append(part)
      guard let entry = entries[done.joined(separator: "/")] else { continue }
      switch entry.mode {
      case .file, .program: break
      case .submodule:
        throw FileSystemError(
          path: told, reason: "it lies in the submodule '\(done.joined(separator: "/"))'")
      case .link:
        links += 1
        guard links <= 40 else {
          throw FileSystemError(path: told, reason: "its symbolic links lead in a circle")
        }
        do throws(GitFailure) {
          let target = try bytes(of: entry, at: done.joined(separator: "/"))
          done.removeLast()
          guard target.first != UInt8(ascii: "/") else { throw GitFailure("") }
          rest =
            String(decoding: target, as: UTF8.self).split(separator: "/").map(String.init) + rest
        } catch {
          throw error.reason.isEmpty
            ? leadsOut(told) : FileSystemError(path: told, reason: error.reason)
        }
      }
    }
    return done.joined(separator: "/")
  }

  private func leadsOut(_ path: String) -> FileSystemError {
    FileSystemError(path: path, reason: "a symbolic link leads out of the repository")
  }

  // MARK: Contents

  /// Contents by their ids. `Synchronization.Mutex` needs macOS 15; this package runs on 14.
  private final class Contents: @unchecked Sendable {
    private let lock = NSLock()
    private var known: [String: [UInt8]] = [:]

    subscript(id: String) -> [UInt8]? {
      lock.lock()
      defer { lock.unlock() }
      return known[id]
    }

    func add(_ more: [String: [UInt8]]) {
      lock.lock()
      defer { lock.unlock() }
      known.merge(more) { first, _ in first }
    }
  }

  /// What workflows read. A folder's other files may be large, and are read one by one if at all.
  private static let suffixes = [".yaml", ".yml", ".lock", ".swift", ".mustache", ".md"]

  /// One process for a folder, not one for a file.
  private func bytes(of entry: Entry, at path: String) throws(GitFailure) -> [UInt8] {
    if let known = contents[entry.id] { return known }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    var ids = [entry.id]
    for other in paths where other.hasPrefix(folder) {
      guard !other.dropFirst(folder.count).contains("/"), let sibling = entries[other],
        sibling.mode != .submodule, Self.suffixes.contains(where: { other.hasSuffix($0) })
      else { continue }
      ids.append(sibling.id)
    }
    contents.add(try read(ids))
    guard let bytes = contents[entry.id] else {
      throw GitFailure("git does not have its content: 'git fetch' may bring it")
    }
    return bytes
  }

  private func read(_ ids: [String]) throws(GitFailure) -> [String: [UInt8]] {
    let input = Array(Set(ids).sorted().map { $0 + "\n" }.joined().utf8)
    let answer = try repository.git.answer(["cat-file", "--batch"], input: input).output
    var found: [String: [UInt8]] = [:]
    var position = answer.startIndex
    // `id type size`, the bytes, a line break; or `id missing`.
    while let end = answer[position...].firstIndex(of: UInt8(ascii: "\n")) {
      let fields = String(decoding: answer[position..<end], as: UTF8.self).split(separator: " ")
      position = end + 1
      guard fields.count == 3, let size = Int(fields[2]), position + size <= answer.endIndex else {
        continue
      }
      found[String(fields[0])] = Array(answer[position..<position + size])
      position += size + 1
      if position >= answer.endIndex { break }
    }
    return found
  }
}
