internal import SchemaEvolution
package import SchemaGit
package import SchemaModel
package import StoreFormat
package import StoreTools
package import SwiftSources

/// The commits of a repository that could have written a store. This struct is encoded as the JSON output.
package struct StoreTrace: Sendable, Encodable {
  package struct Reading: Sendable {
    package private(set) var partsOfCommit: [[Int]] = []
    /// For each part, how its versions match the store.
    package private(set) var judgements: [[TraceJudgement]] = []
    fileprivate var troubles: [[String]] = []
    fileprivate var unreadFiles: [String] = []
    /// The last version that matches the store, and its part. A version that an app writes is preferred to one that it
    /// only knows.
    fileprivate var source: (part: Int, version: CommitVersion)?

    package init(
      _ history: CommitHistory, in repository: GitRepository, of subject: TraceSubject,
      conditions: BuildConditions, progress: WorkObserver? = nil
    ) throws(GitFailure) {
      let models = try HistoryModels(
        history, CommitContents(repository, history), named: subject.names,
        conditions: conditions, progress: progress
      ) { part in
        let judged = part.versions.map(subject.judge)
        for (version, judgement) in zip(part.versions, judged)
        where judgement.kind == .same
          && (judgement.role == .current || source?.version.role != .current)
        {
          source = (judgements.count, version)
        }
        judgements.append(judged)
        troubles.append(part.troubles)
      }
      partsOfCommit = models.partsOfCommit
      unreadFiles = models.unreadFiles
    }
  }

  package struct Commit: Sendable, Encodable {
    package var id: String
    package var day: String
    package var subject: String
  }

  /// A group of connected commits that have the store's version, or may have it.
  package struct Sighting: Sendable, Encodable {
    /// The commits without a parent in the group, and the commits without a child in the group.
    package var first: [Commit]
    package var last: [Commit]
    package var commits: Int
    /// The tags on these commits, and the nearest tags before and after them.
    package var tags: [String]
    package var tagsBefore: [String]
    package var tagsAfter: [String]
    package var names: [String]
    package var released: Bool
    package var reasons: [String] = []
  }

  package struct Unread: Sendable, Encodable {
    package var reason: String
    package var commits: Int
  }

  /// The store's path, as the user gave it.
  package let store: String
  package let damage: [String]
  package let commits: Int
  package let tags: Int
  package let shallow: Bool
  /// Commits whose app writes stores of the store's version, the newest first.
  package let writers: [Sighting]
  /// Commits that have the version, but whose app writes another version.
  package let knowers: [Sighting]
  package let unclear: [Sighting]
  package let match: String?
  /// The manifest of the store's version, if today's folder lacks it and a commit can supply it.
  package let missing: MissingManifest?
  /// The most frequent reason comes first.
  package let unread: [Unread]
  package let unreadCommits: Int
  package let unreadFiles: [String]
  package let links: [String]
  package let submodules: [String]
  package let coreDataModels: [String]

  /// - Parameter folders: Today's manifests.
  package init(
    path: String, facts: StoreFacts, subject: TraceSubject, history: CommitHistory,
    reading: Reading, folders: [ManifestFolder]
  ) {
    store = path
    damage = facts.damage
    commits = history.commits.count
    tags = history.tags.values.reduce(0) { $0 + $1.count }
    shallow = history.isShallow
    (links, submodules) = (history.links, history.submodules)
    coreDataModels = history.coreDataModels
    unreadFiles = reading.unreadFiles
    let finder = SightingFinder(history: history, reading: reading)
    writers = finder.sightings { $0.kind == .same && $0.role == .current }
    let written = finder.commits { $0.kind == .same && $0.role == .current }
    knowers = finder.sightings(without: written) { $0.kind == .same }
    let known = finder.commits { $0.kind == .same }
    unclear = finder.sightings(without: known) { $0.kind == .unclear && $0.role == .current }
    (unread, unreadCommits) = finder.unread
    let found = StoreMatch(facts, candidates: folders.flatMap(\.candidates)).matches.first
    match = found.map { "\($0.candidate.name) of \($0.candidate.folder)" }
    missing =
      found != nil
      ? nil
      : reading.source.flatMap { part, version in
        MissingManifest(
          version, from: history.shortID(finder.commitsOfPart[part].last ?? 0), of: path, subject,
          folders)
      }
  }

  /// The exit status: 0 if a commit could have written the store, 1 if no such commit is known, 2 if the store is
  /// damaged.
  package var exitStatus: Int32 { !damage.isEmpty ? 2 : writers.isEmpty ? 1 : 0 }
}

/// Finds commits by how their versions match a store.
private struct SightingFinder {
  let history: CommitHistory
  let reading: StoreTrace.Reading
  let commitsOfPart: [[Int]]

  init(history: CommitHistory, reading: StoreTrace.Reading) {
    self.history = history
    self.reading = reading
    var commits = Array(repeating: [Int](), count: reading.judgements.count)
    for (commit, parts) in reading.partsOfCommit.enumerated() {
      for part in parts { commits[part].append(commit) }
    }
    commitsOfPart = commits
  }

  func commits(where isWanted: (TraceJudgement) -> Bool) -> Set<Int> {
    Set(
      reading.judgements.indices.filter { reading.judgements[$0].contains(where: isWanted) }
        .flatMap { commitsOfPart[$0] })
  }

  func sightings(
    without left: Set<Int> = [], where isWanted: (TraceJudgement) -> Bool
  ) -> [StoreTrace.Sighting] {
    history.ranges(of: commits(where: isWanted).subtracting(left)).map { sighting($0, isWanted) }
  }

  func sighting(
    _ range: CommitRange, _ isWanted: (TraceJudgement) -> Bool
  ) -> StoreTrace.Sighting {
    func named(_ places: [Int]) -> [StoreTrace.Commit] {
      places.map { place in
        let commit = history.commits[place]
        return StoreTrace.Commit(id: commit.id, day: commit.day, subject: commit.subject)
      }
    }
    let parts = Set(range.places.flatMap { reading.partsOfCommit[$0] })
    let found = parts.flatMap { reading.judgements[$0] }.filter(isWanted)
    return StoreTrace.Sighting(
      first: named(range.first), last: named(range.last), commits: range.places.count,
      tags: range.tags, tagsBefore: range.before, tagsAfter: range.after,
      names: Set(found.map(\.name)).sorted(), released: found.contains(where: \.isReleased),
      reasons: Set(found.flatMap(\.reasons)).sorted())
  }

  var unread: ([StoreTrace.Unread], Int) {
    var counts: [String: Int] = [:]
    var all: Set<Int> = []
    for (part, troubles) in reading.troubles.enumerated() where !troubles.isEmpty {
      all.formUnion(commitsOfPart[part])
      for trouble in Set(troubles) { counts[trouble, default: 0] += commitsOfPart[part].count }
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return (sorted.map { StoreTrace.Unread(reason: $0.key, commits: $0.value) }, all.count)
  }
}
