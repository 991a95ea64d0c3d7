internal import Foundation
internal import SchemaProcesses

/// A repository's commits, each with its changes to files that may concern a schema, and its tags.
package struct CommitHistory: Sendable {
  package struct Commit: Sendable {
    package var id: String
    /// The indices of the commit's parents, which are lower. Its changes are relative to the first parent.
    package var parents: [Int]
    /// The day of the commit, by the committer's clock: `2024-05-01`.
    package var day: String
    package var subject: String

    package init(id: String, parents: [Int], day: String = "", subject: String = "") {
      self.id = id
      self.parents = parents
      self.day = day
      self.subject = subject
    }
  }

  package struct Change: Sendable {
    /// The path from the worktree's top.
    package var path: String
    /// The index in `blobs` of the contents before the change. Nil if there was no such file.
    package var old: Int?
    /// The index in `blobs` of the contents after the change. Nil if the file was removed.
    package var new: Int?
    /// Whether the path is a submodule after the change; nil if no submodule is involved.
    package var isSubmodule: Bool?
  }

  /// The commits, parents before their children.
  package private(set) var commits: [Commit]
  /// Each commit's changes to Swift files, manifests and locks.
  package private(set) var changes: [[Change]] = []
  /// The object ids of all contents.
  package private(set) var blobs: [String] = []
  /// The sorted names of the tags on a commit, by its index.
  package private(set) var tags: [Int: [String]]
  /// Tags that do not look like a release's, or that are on no commit; sorted.
  package private(set) var otherTags: [String] = []
  /// Tags that look like a release's but whose commit git lacks; sorted.
  package private(set) var lostTags: [String] = []
  /// Tags that look like a release's, on commits that come after HEAD, the oldest first. Only `releases` fills this.
  package private(set) var laterTags: [String] = []
  /// The indices of commits that are not ancestors of HEAD, for example on another branch. Only `releases` fills this.
  package private(set) var beside: Set<Int> = []
  package private(set) var head: Int?
  package private(set) var isShallow = false
  /// Paths that were or are submodules, whose files belong to other repositories; sorted.
  package private(set) var submodules: [String] = []
  package private(set) var coreDataModels: [String] = []
  /// Symbolic links named like Swift files or manifests, which are not followed; sorted.
  package private(set) var links: [String] = []

  package init(_ commits: [Commit], tags: [Int: [String]] = [:]) {
    self.commits = commits
    self.tags = tags
  }

  package enum Scope: Sendable {
    /// All commits that can be reached from branches, tags, HEAD or remote branches.
    case all
    /// Commits with a release's tag, each compared with the release before it.
    case releases
    /// HEAD and its first parents: the result of each merge.
    case mainLine
  }

  /// - Parameter named: The full hash of a commit that counts as a release, whatever its tag.
  /// - Throws: `GitFailure` if there is no commit, or if git fails.
  package init(
    of repository: GitRepository, _ scope: Scope = .all, with named: String? = nil
  ) throws(GitFailure) {
    let git = repository.git
    let tagged = try Tags(git)
    let current = try repository.head()?.commit
    var starts: [String] = []
    let wanted: [String]
    switch scope {
    // Commits of notes do not have the repository's files.
    case .all: wanted = ["--exclude=refs/notes/*", "--all", "--topo-order"]
    case .releases:
      wanted = ["--stdin", "--date-order"]
      starts =
        tagged.byCommit.filter { $0.value.contains(where: Self.isRelease) }.map(\.key)
        + (named.map { [$0] } ?? [])
    case .mainLine: wanted = ["--first-parent", "HEAD"]
    }
    if scope == .mainLine, current == nil { throw GitFailure("the branch has no commit yet") }
    commits = []
    tags = [:]
    otherTags = (tagged.byCommit.values.joined().filter { !Self.isRelease($0) } + tagged.ofOthers)
      .sorted()
    lostTags = tagged.lost.filter(Self.isRelease).sorted()
    isShallow = repository.isShallow
    guard scope != .releases || !starts.isEmpty else { return }
    let log = try Self.log(git, wanted, from: Set(starts + (current.map { [$0] } ?? [])).sorted())
    let relation = scope == .releases ? current.map { HeadRelation($0, log) } : nil
    var places: [String: Int] = [:]
    for entry in log {
      let names = (tagged.byCommit[entry.id] ?? []).filter(Self.isRelease)
      if scope == .releases, entry.id != named {
        if names.isEmpty { continue }
        if relation?.after.contains(entry.id) ?? false {
          laterTags += names
          continue
        }
      }
      // A shallow clone may lack the commits between this one and HEAD.
      if let relation, !isShallow, !relation.before.contains(entry.id) {
        beside.insert(commits.count)
      }
      places[entry.id] = commits.count
      // The oldest commits of a shallow clone have parents that are missing.
      let parents =
        scope == .all
        ? entry.parents.compactMap { places[$0] } : commits.isEmpty ? [] : [commits.count - 1]
      commits.append(
        Commit(id: entry.id, parents: parents, day: entry.day, subject: entry.subject))
    }
    for (id, names) in tagged.byCommit { if let place = places[id] { tags[place] = names } }
    if scope == .all, commits.isEmpty { throw GitFailure("the repository has no commit yet") }
    head = current.flatMap { places[$0] }
    try readChanges(git, isWhole: scope == .all)
  }

  private struct LogEntry {
    var id: String
    var parents: [String]
    var day: String
    var subject: String
  }

  private static func log(
    _ git: GitProcess, _ wanted: [String], from starts: [String]
  ) throws(GitFailure) -> [LogEntry] {
    let output = try git.answer(
      ["log"] + wanted + [
        "--reverse", "--no-show-signature", "--no-patch", "--encoding=UTF-8", "-z",
        "--format=tformat:%H%x00%P%x00%cs%x00%s",
      ], input: wanted.contains("--stdin") ? Array(starts.map { $0 + "\n" }.joined().utf8) : []
    ).output
    let fields = output.split(separator: 0, omittingEmptySubsequences: false)
    return stride(from: 0, to: fields.count - 4, by: 4).map { start in
      let text = fields[start..<start + 4].map { String(decoding: $0, as: UTF8.self) }
      return LogEntry(
        id: text[0], parents: text[1].split(separator: " ").map(String.init), day: text[2],
        subject: text[3])
    }
  }

  private struct HeadRelation {
    /// HEAD and its ancestors.
    var before: Set<String>
    var after: Set<String> = []

    init(_ head: String, _ log: [LogEntry]) {
      before = [head]
      for entry in log {
        if entry.parents.contains(where: { $0 == head || after.contains($0) }) {
          after.insert(entry.id)
        }
      }
      for entry in log.reversed() where before.contains(entry.id) {
        before.formUnion(entry.parents)
      }
    }
  }

  private struct Tags {
    var byCommit: [String: [String]] = [:]
    /// The names of tags on trees and files.
    var ofOthers: [String] = []
    /// The names of tags whose commit git lacks.
    var lost: [String] = []

    init(_ git: GitProcess) throws(GitFailure) {
      let tags = try git.answer([
        "for-each-ref", "--format=%(objectname) %(refname:strip=2)", "refs/tags",
      ]).lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        .filter { $0.count == 2 }
      // `for-each-ref` would follow an annotated tag for only one step: it would end at a tag of a tag. It would also
      // fail if an object is missing.
      let commits = try git.types(of: tags.map { $0[0] + "^{commit}" })
      let others = try git.types(of: tags.map { $0[0] + "^{}" })
      for (place, tag) in tags.enumerated() {
        if let commit = commits[place] {
          byCommit[commit.id, default: []].append(tag[1])
        } else if others[place] != nil {
          ofOthers.append(tag[1])
        } else {
          lost.append(tag[1])
        }
      }
    }
  }

  /// Whether a tag looks like a release's or a build's: `1.2`, `v2`, `release/3.0.1`, `build-412`.
  package static func isRelease(_ tag: String) -> Bool { tag.contains(where: \.isNumber) }

  package func shortID(_ place: Int) -> String { String(commits[place].id.prefix(9)) }

  // MARK: What commits changed

  /// - Parameter isWhole: Whether the first of `commits` is the repository's first, without any commit before it.
  private mutating func readChanges(
    _ git: GitProcess, isWhole: Bool
  ) throws(GitFailure) {
    var reading = ChangeReading()
    var first: [Change] = []
    if !isWhole, let commit = commits.first {
      for entry in try git.answer(["ls-tree", "-r", "-z", "--full-tree", commit.id]).output
        .split(separator: 0)
      {
        guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
        let parts = entry[..<tab].split(separator: UInt8(ascii: " "))
        guard parts.count == 3 else { continue }
        let header =
          Array(":000000 ".utf8) + parts[0] + Array(" 0 ".utf8) + parts[2] + Array(" A".utf8)
        if let change = reading.change(header[...], entry[(tab + 1)...]) { first.append(change) }
      }
    }
    // Each commit is compared with its first parent, so that a merge commit shows everything that the merge brought.
    let input = commits.dropFirst(isWhole ? 0 : 1).map { commit in
      commit.id + (commit.parents.first.map { " " + commits[$0].id } ?? "") + "\n"
    }
    let output = try git.answer(
      [
        "diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-renames", "--no-abbrev",
        "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
      ], input: Array(input.joined().utf8)
    ).output
    let places = Dictionary(
      commits.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first
      })
    changes = Array(repeating: [], count: commits.count)
    if !isWhole, !commits.isEmpty { changes[0] = first }
    var place = 0
    var start = output.startIndex
    // Tokens end with a zero: a commit's id, or `:mode mode id id status` and then a path.
    var header: ArraySlice<UInt8>?
    while let end = output[start...].firstIndex(of: 0) {
      let token = output[start..<end]
      start = end + 1
      if let known = header {
        header = nil
        if let change = reading.change(known, token) { changes[place].append(change) }
      } else if token.first == UInt8(ascii: ":") {
        header = token
      } else {
        place = places[String(decoding: token, as: UTF8.self)] ?? place
      }
    }
    blobs = reading.blobs
    submodules = reading.submodules.sorted()
    coreDataModels = reading.coreDataModels.sorted()
    links = reading.links.sorted()
  }

  // MARK: The files of commits

  /// Visits commits parents first and passes each the state of its files.
  ///
  /// A commit's state is released once its children have it, so only one state of a linear history is kept.
  ///
  /// - Parameters:
  ///   - none: The state without any file.
  ///   - apply: Adds a change to the state.
  ///   - visit: Called with each commit, the index of its first parent, and the state.
  package func walk<State>(
    from none: State, _ apply: (inout State, Change) -> Void,
    _ visit: (_ commit: Int, _ parent: Int?, State) throws(GitFailure) -> Void
  ) throws(GitFailure) {
    var children = Array(repeating: 0, count: commits.count)
    for commit in commits { if let parent = commit.parents.first { children[parent] += 1 } }
    var states: [Int: State] = [:]
    for place in commits.indices {
      let parent = commits[place].parents.first
      var state = none
      if let parent {
        children[parent] -= 1
        state =
          (children[parent] == 0 ? states.removeValue(forKey: parent) : states[parent]) ?? none
      }
      for change in changes[place] { apply(&state, change) }
      try visit(place, parent, state)
      if children[place] > 0 { states[place] = state }
    }
  }
}

/// Reads the output of `git diff-tree --raw`.
private struct ChangeReading {
  var blobs: [String] = []
  var submodules: Set<String> = []
  var links: Set<String> = []
  var coreDataModels: Set<String> = []
  private var places: [String: Int] = [:]

  private static let endings = [".swift", ".yaml", ".yml", "schema.lock"].map { Array($0.utf8) }

  private static let modelEnding = Array(".xcdatamodel/contents".utf8)

  /// Records the Core Data model that a file belongs to. All versions of a model are in one folder.
  private mutating func note(_ path: String) {
    let parts = path.split(separator: "/")
    let last = parts.firstIndex { $0.hasSuffix(".xcdatamodeld") } ?? parts.count - 2
    coreDataModels.insert(parts[...last].joined(separator: "/"))
  }

  /// The change that a line shows. Nil for a file that does not concern a schema.
  mutating func change(
    _ header: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>
  ) -> CommitHistory.Change? {
    let isModule =
      header.starts(with: ":160000".utf8) || header.dropFirst(8).starts(with: "160000".utf8)
    if path.hasEnding(Self.modelEnding) { note(String(decoding: path, as: UTF8.self)) }
    guard isModule || Self.endings.contains(where: { path.hasEnding($0) }) else { return nil }
    // A path need not be UTF-8. Then each byte becomes one character, after a mark that no UTF-8 path has.
    let name =
      String(bytes: path, encoding: .utf8)
      ?? "\u{FFFD}" + String(String.UnicodeScalarView(path.map { Unicode.Scalar($0) }))
    let fields = String(decoding: header.dropFirst(), as: UTF8.self).split(separator: " ")
    guard fields.count == 5 else { return nil }
    if isModule { submodules.insert(name) }
    if fields[1] == "120000" { links.insert(name) }
    let old = place(mode: fields[0], fields[2])
    let new = place(mode: fields[1], fields[3])
    guard isModule || old != nil || new != nil else { return nil }
    return CommitHistory.Change(
      path: name, old: old, new: new, isSubmodule: isModule ? fields[1] == "160000" : nil)
  }

  /// The index of a file's contents in `blobs`. Nil for anything but a regular file.
  private mutating func place(mode: Substring, _ id: Substring) -> Int? {
    guard mode == "100644" || mode == "100755" else { return nil }
    let id = String(id)
    if let known = places[id] { return known }
    places[id] = blobs.count
    blobs.append(id)
    return blobs.count - 1
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasEnding(_ bytes: [UInt8]) -> Bool {
    count >= bytes.count && suffix(bytes.count).elementsEqual(bytes)
  }
}
