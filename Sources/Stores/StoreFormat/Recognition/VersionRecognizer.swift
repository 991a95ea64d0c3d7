internal import Foundation
package import ManagedModels

/// Which version a store is of: one answer for the launch library, inspection, the runtime and rehearsals.
///
/// Core Data goes by hashes of entities. Where those of a version are known, so does this. Else the store's own model
/// decides where it has one, and otherwise its tables, columns and unique indexes do, which do not tell whether a
/// value is optional. The identifier in the metadata only decides between versions that fit, and alone proves nothing.
package struct VersionRecognizer: Sendable {
  /// What a version was recognised by.
  package enum Basis: Hashable, Sendable {
    /// Its entities' hashes are those that the version has shipped with.
    case hashes
    /// The model that the store has of itself.
    case model
    /// Tables, columns and unique indexes.
    case tables
  }

  /// Which of the candidates, by their places, the store is of.
  package enum Verdict: Hashable, Sendable {
    /// It is this candidate.
    case exact(Int, by: Basis)
    /// Only this one fits, but the metadata name another of the candidates.
    case disputed(Int, by: Basis)
    /// All of these fit, and the metadata do not name exactly one of them. By models they are one to Core Data.
    case ambiguous([Int], by: Basis)
    /// It is none; its metadata name a number beyond the last candidate's, and none of theirs.
    case newer(identifier: String)
    /// It is none; its metadata name these.
    case unknown(named: [Int])
  }

  /// One candidate, compared with the store.
  package struct Comparison: Sendable {
    /// The comparison of models, if the store has one and the candidate's is whole.
    package var model: ModelComparison?
    /// Differences in tables, columns and unique indexes, if there are no models to compare; a line for each, sorted.
    /// Worked out each time it is asked for: of most versions hashes tell enough.
    package var tables: [String] { differencesOfTables?() ?? [] }
    /// Entities whose hash is certain not to be the one that the version has, sorted; nil where there is nothing to
    /// compare, or all that differs is in doubt.
    package var foreignHashes: [String]?
    /// Why it is unknown whether other entities' hashes are the version's, by entity.
    package var doubts: [String: [HashDoubt]] = [:]
    /// Entities whose hash is the version's, sorted: proven to be the same.
    package var equalHashes: [String] = []
    /// Whether those hashes are made of the candidate's model: then a difference decides only where none is in doubt.
    package var isComputed = false
    fileprivate var differencesOfTables: (@Sendable () -> [String])?

    /// Whether the model, or else the tables, are those of the candidate.
    package var fits: Bool { model?.isSame ?? tables.isEmpty }
    /// The number of differences from the candidate.
    package var distance: Int { model?.distance ?? tables.count }
  }

  package let candidates: [VersionCandidate]
  /// One for each candidate.
  package let comparisons: [Comparison]
  package let verdict: Verdict
  /// The candidates that the store's metadata name.
  package let named: [Int]
  /// Those of them that have an entity of the store's: of other stores' versions the number says nothing.
  private let claimed: Set<Int>

  /// Compares a store with candidates, the oldest first.
  package init(_ evidence: StoreEvidence, candidates: [VersionCandidate]) {
    self.candidates = candidates
    let own = evidence.model?.versionHashes
    // Most entities are as they were a version before: their hashes are made once.
    var known: (ManagedModel, VersionHashes)? = evidence.model.flatMap { model in
      own.map { (model, $0) }
    }
    let comparisons = candidates.map { candidate in
      guard !candidate.gaps.isLayoutOnly else {
        return Self.compare(evidence, own, candidate, nil)
      }
      let made = VersionHashes(of: candidate.model, knowing: known)
      known = (candidate.model, made)
      return Self.compare(evidence, own, candidate, made)
    }
    self.comparisons = comparisons
    let numbers = evidence.identifiers.compactMap(Number.init)
    let named = candidates.indices.filter { index in
      Number(candidates[index].model.versionIdentifier).map(numbers.contains) ?? false
    }
    self.named = named
    let entities = Set(evidence.structure.entities.map(\.name)).union(evidence.hashes.keys)
    claimed = Set(
      named.filter { index in
        candidates[index].model.entities.contains { entities.contains($0.name) }
      })
    verdict = Self.verdict(evidence, candidates, comparisons, named)
  }

  /// The version that the store is of; nil where several may be meant, or none.
  package var version: Int? {
    if case .exact(let version, _) = verdict { return version }
    return nil
  }

  package var fitting: [Int] {
    switch verdict {
    case .exact(let version, _), .disputed(let version, _): [version]
    case .ambiguous(let versions, _): versions
    case .newer, .unknown: []
    }
  }

  /// Every version that the store is of to Core Data, which does not look at the number: those that it may be of, and
  /// where one is proven by all of its hashes, all others that have the same.
  package var equal: [Int] {
    guard case .exact(let version, by: .hashes) = verdict else { return fitting }
    return candidates.indices.filter { index in
      let comparison = comparisons[index]
      return index == version
        || comparison.foreignHashes == [] && comparison.fits && !candidates[index].gaps.isLayoutOnly
          && (comparison.isComputed || candidates[index].hasAllHashes)
    }
  }

  /// The version to compare the store with if it is of none; a bridge is a step that nobody looks for, unless the
  /// metadata name it.
  ///
  /// One that the metadata name has most likely been edited since: what would bring the store back belongs there, however
  /// many hashes another shares. Else `closest`.
  package var nearest: Int? {
    best(claimed.isEmpty ? versions : claimed.sorted())
  }

  /// The version with the most of the store's hashes, then with the fewest differences, the newest of several.
  package var closest: Int? { best(versions) }

  private var versions: [Int] { candidates.indices.filter { !candidates[$0].isBridge } }

  private func best(_ places: [Int]) -> Int? {
    let ranks = places.reversed().map { place in
      let comparison = comparisons[place]
      return (
        place: place,
        rank: (
          -comparison.equalHashes.count, comparison.distance, claimed.contains(place) ? 0 : 1
        )
      )
    }
    return ranks.min { $0.rank < $1.rank }?.place
  }

  // MARK: The rule

  private static func verdict(
    _ evidence: StoreEvidence, _ candidates: [VersionCandidate], _ comparisons: [Comparison],
    _ named: [Int]
  ) -> Verdict {
    let proven = candidates.indices.filter { index in
      // A whole version that has been edited since is not what is in the store. An outline is believed: Core Data
      // goes by the hashes alone, and nobody must be locked out.
      comparisons[index].foreignHashes == []
        && (candidates[index].gaps.isLayoutOnly || comparisons[index].fits)
    }
    func hasAllHashes(_ index: Int) -> Bool {
      comparisons[index].isComputed || candidates[index].hasAllHashes
    }
    if proven.count == 1, hasAllHashes(proven[0]) { return .exact(proven[0], by: .hashes) }
    let open = candidates.indices.filter { index in
      !(hasAllHashes(index) && comparisons[index].foreignHashes?.isEmpty == false)
    }
    let fitting = proven.isEmpty ? open.filter { comparisons[$0].fits } : proven
    // Versions may have been numbered anew since: a number alone makes no store newer.
    if fitting.isEmpty, named.isEmpty, let newer = newer(evidence, candidates) {
      return .newer(identifier: newer)
    }
    guard let first = fitting.first else { return .unknown(named: named) }
    let basis: Basis =
      !proven.isEmpty ? .hashes : comparisons[first].model != nil ? .model : .tables
    // Versions with equal models are one to Core Data, whatever they are called.
    let chosen = basis == .model ? [] : fitting.filter(named.contains)
    if chosen.count == 1 { return .exact(chosen[0], by: basis) }
    guard fitting.count == 1 else { return .ambiguous(fitting, by: basis) }
    // A model says all that Core Data goes by; tables do not.
    return named.isEmpty || basis == .model
      ? .exact(first, by: basis) : .disputed(first, by: basis)
  }

  private static func newer(
    _ evidence: StoreEvidence, _ candidates: [VersionCandidate]
  ) -> String? {
    guard let newest = candidates.last.flatMap({ Number($0.model.versionIdentifier) }) else {
      return nil
    }
    return evidence.identifiers.first { identifier in
      Number(identifier).map { newest < $0 } ?? false
    }
  }

  /// - Parameters:
  ///   - own: The hashes of the store's own model.
  ///   - made: The hashes of the candidate's; none where its model is only a layout.
  private static func compare(
    _ evidence: StoreEvidence, _ own: VersionHashes?, _ candidate: VersionCandidate,
    _ made: VersionHashes?
  ) -> Comparison {
    var comparison = Comparison(
      equalHashes: equalHashes(evidence, candidate, made),
      isComputed: candidate.knownHashes.isEmpty)
    if !evidence.hashes.isEmpty { compareHashes(evidence, candidate, made, &comparison) }
    if let model = evidence.model, let own, let made {
      comparison.model = ModelComparison(
        model, candidate.model, unspecified: candidate.gaps.attributes, hashes: (own, made))
    } else {
      let (structure, hashed) = (evidence.structure, Set(evidence.hashes.keys))
      comparison.differencesOfTables = {
        StoredVersion(candidate, in: structure).differences(hashed: hashed)
      }
    }
    return comparison
  }

  private static func equalHashes(
    _ evidence: StoreEvidence, _ candidate: VersionCandidate, _ hashes: VersionHashes?
  ) -> [String] {
    evidence.hashes.filter { name, hash in
      let text = hash.base64EncodedString()
      return hashes?.entities[name] == hash || candidate.knownHashes[name] == text
        || candidate.computedHashes[name] == text
    }.keys.sorted()
  }

  private static func compareHashes(
    _ evidence: StoreEvidence, _ candidate: VersionCandidate, _ hashes: VersionHashes?,
    _ comparison: inout Comparison
  ) {
    let known = candidate.knownHashes
    let own = evidence.hashes.mapValues { $0.base64EncodedString() }
    guard known.isEmpty else {
      comparison.foreignHashes =
        Set(own.keys).union(known.keys).filter { own[$0] != known[$0] }.sorted()
      return
    }
    // Nobody is to be locked out by a hash that no store has shown: such hashes prove, and exclude nothing.
    guard let made = hashes?.entities else {
      comparison.foreignHashes = own == candidate.computedHashes ? [] : nil
      return
    }
    let foreign = Set(own.keys).union(made.keys).filter { evidence.hashes[$0] != made[$0] }
    // Equal hashes prove themselves. Other ones prove nothing of what is not certain, unless only one side has it.
    comparison.doubts = candidate.model.hashDoubts.filter { name, _ in
      foreign.contains(name) && own[name] != nil
    }
    let certain = foreign.filter { comparison.doubts[$0] == nil }.sorted()
    comparison.foreignHashes = certain.isEmpty && !comparison.doubts.isEmpty ? nil : certain
  }

  /// A version's number: "3", "3.0" and "3.0.0" are one.
  private struct Number: Comparable {
    private let parts: [Int]

    init?(_ text: String) {
      let texts = text.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = texts.compactMap { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
      }
      guard (1...3).contains(texts.count), numbers.count == texts.count else { return nil }
      parts = numbers + Array(repeating: 0, count: 3 - numbers.count)
    }

    static func < (one: Number, other: Number) -> Bool {
      one.parts.lexicographicallyPrecedes(other.parts)
    }
  }
}
