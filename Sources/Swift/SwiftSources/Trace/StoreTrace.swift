internal import SchemaEvolution
package import SchemaGit
internal import SchemaModel
package import SchemaWorkspace
package import StoreFormat
package import StoreTools

/// Which commits of a repository could have written a store; as JSON it is what machines are told.
package struct StoreTrace: Sendable, Encodable {
  /// What was read of a history, for one store.
  package struct Reading: Sendable {
    /// For each commit, the numbers of its parts.
    package var partsOfCommit: [[Int]]
    /// For each part, what its versions are to the store.
    package var judgements: [[TraceJudgement]] = []
    /// For each part, why some of its versions cannot be read.
    package var troubles: [[String]] = []
    /// Files that were not read.
    package var unreadFiles: [String] = []

    package init(partsOfCommit: [[Int]] = []) { self.partsOfCommit = partsOfCommit }
  }

  /// A commit, as people find it.
  package struct Commit: Sendable, Encodable {
    package var id: String
    package var day: String
    package var subject: String
  }

  /// Commits that belong together, and what they have of the store.
  package struct Sighting: Sendable, Encodable {
    /// Those without a parent, and without a child, among them.
    package var first: [Commit]
    package var last: [Commit]
    package var commits: Int
    /// The tags on them, and the nearest ones before and behind them.
    package var tags: [String]
    package var tagsBefore: [String]
    package var tagsAfter: [String]
    /// What the version is called in them, sorted.
    package var names: [String]
    /// Whether a lock in them says that it has shipped.
    package var released: Bool
    /// Why it cannot be told, where it cannot; sorted.
    package var reasons: [String] = []
    /// Of a version that is not the store's: how many of the store's models it has, and what differs.
    package var sameModels: Int?
    package var differences: [String]?
  }

  /// Why commits could not be read.
  package struct Unread: Sendable, Encodable {
    package var reason: String
    package var commits: Int
  }

  /// As the user named it.
  package let store: String
  package let damage: [String]
  package let commits: Int
  package let tags: Int
  /// Whether the clone lacks older commits.
  package let shallow: Bool
  /// Commits whose app writes such stores, the newest first.
  package let writers: [Sighting]
  /// Commits that know the version, while their app writes another.
  package let knowers: [Sighting]
  /// Commits of which it cannot be told.
  package let unclear: [Sighting]
  /// Where no commit could have written it: the versions that have most in common with it.
  package let nearest: [Sighting]
  /// The version of today's manifests that the store is of.
  package let match: String?
  /// The manifest that today's folder lacks; nil where it lacks none, or it is not known.
  package let missing: MissingManifest?
  /// Why commits could not be read, the most frequent first, and how many commits that concerns.
  package let unread: [Unread]
  package let unreadCommits: Int
  package let unreadFiles: [String]
  package let links: [String]
  package let submodules: [String]
  package let coreDataModels: [String]

  /// - Parameters:
  ///   - folders: The manifests of today.
  ///   - part: Reads the versions of a part again.
  package init(
    path: String, facts: StoreFacts, subject: TraceSubject, history: CommitHistory,
    reading: Reading, folders: [ManifestFolder], fileSystem: some FileSystem,
    part: (Int) -> [CommitVersion]
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
    func version(_ place: SightingFinder.Place) -> CommitVersion? {
      let judgement = reading.judgements[place.part][place.version]
      let versions = part(place.part)
      return versions.first { subject.judge($0) == judgement }
        ?? versions.first { $0.name == judgement.name }
    }
    nearest =
      !writers.isEmpty
      ? []
      : finder.nearest.compactMap { place in
        guard let version = version(place) else { return nil }
        let commits = Set(finder.commitsOfPart[place.part])
        var sighting = finder.sighting(history.ranges(of: commits)[0]) { $0.name == version.name }
        sighting.sameModels = reading.judgements[place.part][place.version].equalCount
        sighting.differences = subject.differences(from: version.model)
        return sighting
      }
    let found = StoreMatch(facts, candidates: folders.flatMap(\.candidates)).matches.first
    match = found.map { "\($0.candidate.name) of \($0.candidate.folder)" }
    let source =
      finder.last(where: { $0.kind == .same && $0.role == .current })
      ?? finder.last(where: { $0.kind == .same })
    if found == nil, let source, let version = version(source) {
      missing = MissingManifest(
        version, from: history.shortID(source.commit), of: path, subject, folders, fileSystem)
    } else {
      missing = nil
    }
  }

  /// 0 where a commit could have written the store, 1 where none is known, 2 where the store is damaged.
  package var exitStatus: Int32 { !damage.isEmpty ? 2 : writers.isEmpty ? 1 : 0 }
}

/// Finds commits by what their versions are to a store.
private struct SightingFinder {
  let history: CommitHistory
  let reading: StoreTrace.Reading
  let commitsOfPart: [[Int]]

  /// A version of a commit.
  struct Place {
    var commit: Int
    var part: Int
    var version: Int
  }

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

  /// The newest commit with such a version.
  func last(where isWanted: (TraceJudgement) -> Bool) -> Place? {
    reading.judgements.enumerated().compactMap { part, judgements in
      guard let commit = commitsOfPart[part].last,
        let version = judgements.firstIndex(where: isWanted)
      else { return nil }
      return Place(commit: commit, part: part, version: version)
    }.max { ($0.commit, $0.part) < ($1.commit, $1.part) }
  }

  /// The versions that have most in common with the store, three at most, the newest first.
  var nearest: [Place] {
    var all: [(place: Place, rank: (Int, Int))] = []
    for (part, judgements) in reading.judgements.enumerated() {
      guard let commit = commitsOfPart[part].last else { continue }
      for (version, judgement) in judgements.enumerated()
      where judgement.kind == .other && judgement.equalCount > 0 {
        let place = Place(commit: commit, part: part, version: version)
        all.append((place, (judgement.equalCount, -judgement.differentCount)))
      }
    }
    let best = all.map(\.rank).max { $0 < $1 } ?? (0, 0)
    return all.filter { $0.rank == best }.map(\.place)
      .sorted { ($0.commit, $0.part) > ($1.commit, $1.part) }.prefix(3).map(\.self)
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
