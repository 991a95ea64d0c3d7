internal import Foundation
package import ManagedModels

/// Recognises a store's version, for the launch library, inspection, the runtime and rehearsals alike.
///
/// If a version's hashes are known, they are compared with the store's, as in Core Data. If they are not, the store's
/// own model decides. A store without a model is recognised by its tables, columns and unique indexes, which do not
/// show optionality. The identifier in the metadata only decides between versions that fit, and proves nothing on its
/// own.
package struct VersionRecognizer: Sendable {
  /// The evidence by which a version was recognised.
  package enum Basis: Hashable, Sendable {
    /// The store's hashes equal those with which the version has shipped.
    case hashes
    case model
    case tables
  }

  /// The candidates, by index, that match the store.
  package enum Verdict: Hashable, Sendable {
    case exact(Int, by: Basis)
    /// Only this candidate fits, but the metadata names a different one.
    case disputed(Int, by: Basis)
    /// All of these candidates fit, and the metadata does not name exactly one of them. If they fit by models, Core
    /// Data cannot distinguish them.
    case ambiguous([Int], by: Basis)
    /// No candidate fits. The metadata names a number above the last candidate's, and no number of a candidate.
    case newer(identifier: String)
    /// No candidate fits. The metadata names these candidates.
    case unknown(named: [Int])
  }

  /// One candidate, compared with the store.
  package struct Comparison: Sendable {
    /// The comparison of the models; nil if the store has no model, or the candidate's model is not complete.
    package var model: ModelComparison?
    /// Differences in tables, columns and unique indexes, if there are no models to compare; a sorted line for each.
    /// They are computed on each access, since for most versions the hashes decide.
    package var tables: [String] { differencesOfTables?() ?? [] }
    /// Entities whose hash certainly differs from the version's, sorted; nil if there is nothing to compare, or if all
    /// differences are in doubt.
    package var foreignHashes: [String]?
    /// Why other entities' hashes are undecided, by entity.
    package var doubts: [String: [HashDoubt]] = [:]
    /// Entities whose hash equals the version's, sorted. Equal hashes prove that the entities are equal.
    package var equalHashes: [String] = []
    /// Whether the equal and foreign hashes are computed from the candidate's model. If so, a difference only counts
    /// without doubts.
    package var isComputed = false
    fileprivate var differencesOfTables: (@Sendable () -> [String])?

    package var fits: Bool { model?.isSame ?? tables.isEmpty }
    package var distance: Int { model?.distance ?? tables.count }
  }

  package let candidates: [VersionCandidate]
  package let comparisons: [Comparison]
  package let verdict: Verdict
  package let named: [Int]
  /// The candidates that the metadata names and that have an entity of the store. A number from a different app's
  /// schema means nothing.
  private let claimed: Set<Int>

  /// Compares a store with candidates, oldest first.
  package init(_ evidence: StoreEvidence, candidates: [VersionCandidate]) {
    self.candidates = candidates
    let own = evidence.model?.versionHashes
    // Most entities are the same as in the previous version, so their hashes are computed once.
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

  /// The version that matches the store; nil if no version matches, or several may be meant.
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

  /// Every version that Core Data would recognise in the store, since Core Data ignores the number. If hashes prove one
  /// version, these are all versions with the same hashes. If not, these are all versions that fit.
  package var equal: [Int] {
    guard case .exact(let version, by: .hashes) = verdict else { return fitting }
    return candidates.indices.filter { index in
      let comparison = comparisons[index]
      return index == version
        || comparison.foreignHashes == [] && comparison.fits && !candidates[index].gaps.isLayoutOnly
          && (comparison.isComputed || candidates[index].hasAllHashes)
    }
  }

  /// The version to compare an unrecognised store with. Bridges are left out unless the metadata names them.
  ///
  /// A version named in the metadata has most likely been edited since it shipped, so it is the one to correct, however
  /// many hashes another version shares. If the metadata names none, this is `closest`.
  package var nearest: Int? {
    best(claimed.isEmpty ? versions : claimed.sorted())
  }

  /// The version with the most equal hashes, then the fewest differences; the newest of several.
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
      // A complete version may have been edited since it shipped, and then does not match the store. A layout is
      // trusted, since Core Data only compares the hashes, and no user must be locked out.
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
    // Versions may have been renumbered, so a number alone does not make a store newer.
    if fitting.isEmpty, named.isEmpty, let newer = newer(evidence, candidates) {
      return .newer(identifier: newer)
    }
    guard let first = fitting.first else { return .unknown(named: named) }
    let basis: Basis =
      !proven.isEmpty ? .hashes : comparisons[first].model != nil ? .model : .tables
    // Core Data cannot distinguish versions with equal models, whatever their numbers.
    let chosen = basis == .model ? [] : fitting.filter(named.contains)
    if chosen.count == 1 { return .exact(chosen[0], by: basis) }
    guard fitting.count == 1 else { return .ambiguous(fitting, by: basis) }
    // A model contains everything that Core Data compares; tables do not.
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
  ///   - own: The hashes of the store's own model; nil if the store has no model.
  ///   - made: The hashes of the candidate's model; nil if the model is only a layout.
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
    // A hash that no store has confirmed must not lock a user out: equal hashes prove the version, but different ones
    // do not exclude it.
    guard let made = hashes?.entities else {
      comparison.foreignHashes = own == candidate.computedHashes ? [] : nil
      return
    }
    let foreign = Set(own.keys).union(made.keys).filter { evidence.hashes[$0] != made[$0] }
    // Equal hashes are a proof. Different hashes prove nothing about uncertain entities, unless only one side has the
    // entity.
    comparison.doubts = candidate.model.hashDoubts.filter { name, _ in
      foreign.contains(name) && own[name] != nil
    }
    let certain = foreign.filter { comparison.doubts[$0] == nil }.sorted()
    comparison.foreignHashes = certain.isEmpty && !comparison.doubts.isEmpty ? nil : certain
  }

  /// A version's number: "3", "3.0" and "3.0.0" are equal.
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
