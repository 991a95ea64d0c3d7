internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaGit
internal import SchemaModel
package import SchemaWorkspace
package import StoreFormat
package import StoreTools

/// Which commits of a repository could have written a store.
package struct StoreTrace: Sendable {
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

  /// Commits that belong together, and what they have of the store.
  package struct Sighting: Sendable {
    package var range: CommitRange
    /// What the version is called in them, sorted.
    package var names: [String]
    /// Whether a lock in them says that it has shipped.
    package var isReleased: Bool
    /// Why it cannot be told, where it cannot; sorted.
    package var reasons: [String]
  }

  /// A version that is like the store, and not the store's.
  package struct Nearest: Sendable {
    package var name: String
    package var range: CommitRange
    package var equalCount: Int
    package var differences: [String]
  }

  /// The version to compare the store with.
  package struct Today: Sendable {
    package var name: String
    /// What differs, a line for each.
    package var differences: [String]
  }

  /// As the user named the store.
  package let path: String
  package let facts: StoreFacts
  package let history: CommitHistory
  /// Commits whose app writes such stores, the newest first.
  package let writers: [Sighting]
  /// Commits that know the version, while their app writes another.
  package let knowers: [Sighting]
  /// Commits of which it cannot be told.
  package let unclear: [Sighting]
  /// Where no commit could have written it: the versions that have most in common with it.
  package private(set) var nearest: [Nearest] = []
  /// Why commits could not be read, with the number of commits, the most frequent first.
  package let unread: [(reason: String, commits: Int)]
  /// How many commits that concerns.
  package let unreadCount: Int
  package let unreadFiles: [String]
  /// How the store differs from what the app stores today; nil where there is nothing to compare.
  package private(set) var today: Today?
  /// The version of today's manifests that the store is of, with the steps to the newest.
  package let match: (name: String, folder: String, steps: [String])?
  /// The manifest that today's folder lacks; nil where it lacks none, or it is not known.
  package private(set) var missing: MissingManifest?

  /// - Parameters:
  ///   - folders: The manifests of today.
  ///   - part: Reads the versions of a part again.
  package init(
    path: String, facts: StoreFacts, subject: TraceSubject, history: CommitHistory,
    reading: Reading, folders: [ManifestFolder], fileSystem: some FileSystem,
    part: (Int) -> [CommitVersion]
  ) {
    self.path = path
    self.facts = facts
    self.history = history
    unreadFiles = reading.unreadFiles
    let finder = SightingFinder(history: history, reading: reading)
    writers = finder.sightings { $0.kind == .same && $0.role == .current }
    let written = finder.commits { $0.kind == .same && $0.role == .current }
    knowers = finder.sightings(without: written) { $0.kind == .same }
    let known = written.union(finder.commits { $0.kind == .same })
    unclear = finder.sightings(without: known) { $0.kind == .unclear && $0.role == .current }
    (unread, unreadCount) = finder.unread
    let found = StoreMatch(facts, candidates: folders.flatMap(\.candidates)).matches
    match = found.first.map { first in
      let folder = folders.first { $0.path == first.candidate.folder }
      return (
        first.candidate.name, first.candidate.folder,
        folder?.steps(from: first.candidate.name) ?? []
      )
    }
    let source =
      finder.last(where: { $0.kind == .same && $0.role == .current })
      ?? finder.last(where: { $0.kind == .same })
    func version(_ place: SightingFinder.Place) -> CommitVersion? {
      let judgement = reading.judgements[place.part][place.version]
      let versions = part(place.part)
      return versions.first { subject.judge($0) == judgement }
        ?? versions.first { $0.name == judgement.name }
    }
    if let source, found.isEmpty, let version = version(source) {
      missing = MissingManifest(
        version, from: history.shortID(source.commit), subject, folders, fileSystem)
    }
    if writers.isEmpty {
      nearest = finder.nearest.compactMap { place in
        guard let version = version(place) else { return nil }
        let commits = Set(
          history.commits.indices.filter { reading.partsOfCommit[$0].contains(place.part) })
        return Nearest(
          name: version.name, range: history.ranges(of: commits)[0],
          equalCount: reading.judgements[place.part][place.version].equalCount,
          differences: subject.differences(from: version.model))
      }
    }
    today = Self.today(subject, folders, finder, version)
  }

  private static func today(
    _ subject: TraceSubject, _ folders: [ManifestFolder], _ finder: SightingFinder,
    _ version: (SightingFinder.Place) -> CommitVersion?
  ) -> Today? {
    // The app's folder is the one whose newest version has most of the store's models.
    func common(_ folder: ManifestFolder) -> Int {
      folder.candidates.last?.model.model.entities.count { subject.names.contains($0.name) } ?? 0
    }
    let best = folders.max { common($0) < common($1) }
    if let best, common(best) > 0, let newest = best.candidates.last {
      return Today(
        name: "\(newest.name) of \(best.path)", differences: subject.differences(from: newest.model)
      )
    }
    guard let version = finder.head.flatMap(version) else { return nil }
    return Today(name: version.name, differences: subject.differences(from: version.model))
  }

  /// 0 where a commit could have written the store, 1 where none is known, 2 where the store is damaged.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return writers.isEmpty ? 1 : 0
  }
}

/// Finds commits by what their versions are to a store.
private struct SightingFinder {
  let history: CommitHistory
  let reading: StoreTrace.Reading
  /// For each part, the commits that have it.
  private let commitsOfPart: [[Int]]

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
    var found: Set<Int> = []
    for (part, judgements) in reading.judgements.enumerated()
    where judgements.contains(where: isWanted) {
      found.formUnion(commitsOfPart[part])
    }
    return found
  }

  func sightings(
    without left: Set<Int> = [], where isWanted: (TraceJudgement) -> Bool
  ) -> [StoreTrace.Sighting] {
    let members = commits(where: isWanted).subtracting(left)
    return history.ranges(of: members).map { range in
      let found = commits(of: range, members).flatMap { commit in
        Set(reading.partsOfCommit[commit]).flatMap { reading.judgements[$0] }.filter(isWanted)
      }
      return StoreTrace.Sighting(
        range: range, names: Set(found.map(\.name)).sorted(),
        isReleased: found.contains(where: \.isReleased),
        reasons: Set(found.flatMap(\.reasons)).sorted())
    }
  }

  /// The commits of a range, by the members that it was made of.
  private func commits(of range: CommitRange, _ members: Set<Int>) -> Set<Int> {
    var found: Set<Int> = []
    var open = range.last
    while let commit = open.popLast() {
      guard found.insert(commit).inserted else { continue }
      open += history.commits[commit].parents.filter(members.contains)
    }
    return found
  }

  /// The newest commit with such a version.
  func last(where isWanted: (TraceJudgement) -> Bool) -> Place? {
    var best: Place?
    for (part, judgements) in reading.judgements.enumerated() {
      guard let commit = commitsOfPart[part].last, commit >= best?.commit ?? 0,
        let version = judgements.firstIndex(where: isWanted)
      else { continue }
      best = Place(commit: commit, part: part, version: version)
    }
    return best
  }

  /// The versions that have most in common with the store, three at most, the newest first.
  var nearest: [Place] {
    var rank = (equal: 1, different: Int.max)
    var found: [Place] = []
    for (part, judgements) in reading.judgements.enumerated() {
      guard let commit = commitsOfPart[part].last else { continue }
      for (version, judgement) in judgements.enumerated() where judgement.kind == .other {
        let own = (equal: judgement.equalCount, different: judgement.differentCount)
        guard own.equal > rank.equal || own.equal == rank.equal && own.different <= rank.different
        else { continue }
        if own != rank { found = [] }
        rank = own
        found.append(Place(commit: commit, part: part, version: version))
      }
    }
    return Array(found.sorted { ($0.commit, $0.part) > ($1.commit, $1.part) }.prefix(3))
  }

  /// What the app stores at HEAD: the version that has most in common with the store.
  var head: Place? {
    guard let head = history.head else { return nil }
    var best: (place: Place, rank: (Int, Int))?
    for part in reading.partsOfCommit[head] {
      for (version, judgement) in reading.judgements[part].enumerated()
      where judgement.role == .current {
        let rank = (judgement.equalCount, -judgement.differentCount)
        if let known = best?.rank, rank <= known { continue }
        best = (Place(commit: head, part: part, version: version), rank)
      }
    }
    return best?.place
  }

  /// Why commits could not be read.
  var unread: ([(reason: String, commits: Int)], Int) {
    var counts: [String: Int] = [:]
    var all: Set<Int> = []
    for (part, troubles) in reading.troubles.enumerated() where !troubles.isEmpty {
      all.formUnion(commitsOfPart[part])
      for trouble in Set(troubles) { counts[trouble, default: 0] += commitsOfPart[part].count }
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return (sorted.map { (reason: $0.key, commits: $0.value) }, all.count)
  }
}
