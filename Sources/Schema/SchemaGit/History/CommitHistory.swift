internal import Foundation
internal import SchemaProcesses

/// A repository's commits, with the changes of each to files that may concern a schema, and its tags.
package struct CommitHistory: Sendable {
  package struct Commit: Sendable {
    /// The full hash.
    package var id: String
    /// The places of its parents, which come before it; its changes are relative to the first.
    package var parents: [Int]
    /// The day on which it was committed, by the committer's clock: `2024-05-01`.
    package var day: String
    /// The first line of its message.
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
    /// The contents before it, by their places in `blobs`; nil if there was no such file.
    package var old: Int?
    /// The contents after it, by their places in `blobs`; nil if the file is gone.
    package var new: Int?
  }

  /// The commits, parents before their children.
  package private(set) var commits: [Commit]
  /// Each commit's changes to Swift files, manifests and locks.
  package private(set) var changes: [[Change]] = []
  /// The object ids of all contents.
  package private(set) var blobs: [String] = []
  /// The sorted names of the tags on a commit, by its place.
  package private(set) var tags: [Int: [String]]
  /// Tags that look like no release's, sorted.
  package private(set) var otherTags: [String] = []
  package private(set) var head: Int?
  /// Whether the clone lacks older commits.
  package private(set) var isShallow = false
  /// Paths that were or are submodules, whose files belong to other repositories; sorted.
  package private(set) var submodules: [String] = []
  /// Paths of Core Data's models, sorted.
  package private(set) var coreDataModels: [String] = []
  /// Symbolic links named like Swift files or manifests, which are not followed; sorted.
  package private(set) var links: [String] = []

  package init(_ commits: [Commit], tags: [Int: [String]] = [:]) {
    self.commits = commits
    self.tags = tags
  }

  /// Which commits are read.
  package enum Scope: Sendable {
    /// All that a branch, a tag, HEAD or a remote's branch leads to.
    case all
    /// Those with a release's tag, each compared with the one before it.
    case releases
    /// HEAD and its first parents: what each merge left.
    case mainLine
  }

  /// Reads a repository's commits.
  ///
  /// - Parameter named: The full hash of a commit that counts as a release, whatever its tag is called.
  /// - Throws: `GitFailure` if there is none, or git fails.
  package init(
    of repository: GitRepository, _ scope: Scope = .all, with named: String? = nil
  ) throws(GitFailure) {
    let git = repository.git
    let tagged = try Self.tags(git)
    let wanted =
      switch scope {
      // Notes are no state of the files.
      case .all: ["--exclude=refs/notes/*", "--all", "--topo-order"]
      case .releases: ["--tags", "--date-order"] + (named.map { [$0] } ?? [])
      case .mainLine: ["--first-parent", "HEAD"]
      }
    let log = try git.answer(
      ["log"] + wanted + [
        "--reverse", "--no-show-signature", "--no-patch", "--encoding=UTF-8", "-z",
        "--format=tformat:%H%x00%P%x00%cs%x00%s",
      ]
    ).output
    let fields = log.split(separator: 0, omittingEmptySubsequences: false)
    var places: [String: Int] = [:]
    commits = []
    for start in stride(from: 0, to: fields.count - 4, by: 4) {
      let text = fields[start..<start + 4].map { String(decoding: $0, as: UTF8.self) }
      if case .releases = scope, text[0] != named,
        !(tagged[text[0]]?.contains(where: Self.isRelease) ?? false)
      {
        continue
      }
      places[text[0]] = commits.count
      let parents: [Int]
      if case .all = scope {
        // A shallow clone's oldest commits have parents that are not there.
        parents = text[1].split(separator: " ").compactMap { places[String($0)] }
      } else {
        parents = commits.isEmpty ? [] : [commits.count - 1]
      }
      commits.append(Commit(id: text[0], parents: parents, day: text[2], subject: text[3]))
    }
    tags = [:]
    otherTags = tagged.values.joined().filter { !Self.isRelease($0) }.sorted()
    for (id, names) in tagged { if let place = places[id] { tags[place] = names } }
    if case .all = scope, commits.isEmpty { throw GitFailure("the repository has no commit yet") }
    head = try repository.head().flatMap { places[$0.commit] }
    isShallow = repository.isShallow
    try readChanges(git, isWhole: scope == .all)
  }

  /// The sorted names of tags, by the full hash of their commit.
  private static func tags(_ git: GitProcess) throws(GitFailure) -> [String: [String]] {
    var tags: [String: [String]] = [:]
    for line in try git.answer([
      "for-each-ref", "--format=%(refname:strip=2)%00%(objectname)%00%(*objectname)", "refs/tags",
    ]).output.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 3 else { continue }
      tags[parts[2].isEmpty ? parts[1] : parts[2], default: []].append(parts[0])
    }
    return tags
  }

  /// Whether a tag looks like a release's or a build's: `1.2`, `v2`, `release/3.0.1`, `build-412`.
  package static func isRelease(_ tag: String) -> Bool { tag.contains(where: \.isNumber) }

  package func shortID(_ place: Int) -> String { String(commits[place].id.prefix(9)) }

  // MARK: What commits changed

  /// - Parameter isWhole: Whether the first commit is the repository's, and not one with commits before it.
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
    // A commit and its first parent: what a merge brought is a difference from that.
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
  /// A commit's state is released once its children have it, so a line of history keeps one.
  ///
  /// - Parameters:
  ///   - none: The state without any file.
  ///   - apply: Adds a change to the state.
  ///   - visit: Called with each commit, the place of its first parent, and the state.
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

  /// Notes the model that a file belongs to: all its versions are in one folder.
  private mutating func note(_ path: String) {
    let parts = path.split(separator: "/")
    let last = parts.firstIndex { $0.hasSuffix(".xcdatamodeld") } ?? parts.count - 2
    coreDataModels.insert(parts[...last].joined(separator: "/"))
  }

  /// Nil for a file that does not concern a schema.
  mutating func change(
    _ header: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>
  ) -> CommitHistory.Change? {
    let isModule =
      header.starts(with: ":160000".utf8) || header.dropFirst(8).starts(with: "160000".utf8)
    if path.hasEnding(Self.modelEnding) { note(String(decoding: path, as: UTF8.self)) }
    guard isModule || Self.endings.contains(where: { path.hasEnding($0) }) else { return nil }
    // Paths need not be UTF-8: the byte stands for itself then, behind a mark that no such path has.
    let name =
      String(bytes: path, encoding: .utf8)
      ?? "\u{FFFD}" + String(String.UnicodeScalarView(path.map { Unicode.Scalar($0) }))
    let fields = String(decoding: header.dropFirst(), as: UTF8.self).split(separator: " ")
    guard fields.count == 5 else { return nil }
    if isModule { submodules.insert(name) }
    if fields[1] == "120000" { links.insert(name) }
    let old = place(mode: fields[0], fields[2])
    let new = place(mode: fields[1], fields[3])
    return old == nil && new == nil ? nil : CommitHistory.Change(path: name, old: old, new: new)
  }

  /// Nil for what is not a file.
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
