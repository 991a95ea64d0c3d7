internal import Foundation
package import SchemaEvolution
package import SchemaModel
package import StoreFormat
internal import StoreModel

/// Which of a history's versions a store is of.
package struct StoreMatch: Sendable {
  /// A version of a folder of manifests, or a bridge between two.
  package struct Candidate: Sendable {
    /// As the user names it.
    package var folder: String
    /// `V3`, or the name of a bridge's enum.
    package var name: String
    package var isBridge: Bool
    package var model: VersionModel
    /// The hashes that the version has shipped with, base64 by entity; nil where nobody knows.
    package var frozen: [String: String]?

    package init(
      folder: String, name: String, isBridge: Bool, model: VersionModel,
      frozen: [String: String]? = nil
    ) {
      self.folder = folder
      self.name = name
      self.isBridge = isBridge
      self.model = model
      self.frozen = frozen
    }

    /// Every version that the framework sees, bridges included.
    ///
    /// - Parameter frozen: The hashes that versions have shipped with, as their lock says.
    package static func all(
      of evolution: Evolution, folder: String,
      frozen: [VersionNumber: [String: String]] = [:]
    ) -> [Candidate] {
      zip(evolution.chain, VersionModel.chain(of: evolution)).map { version, model in
        Candidate(
          folder: folder, name: version.isBridge ? version.name : version.identifier.name,
          isBridge: version.isBridge, model: model,
          frozen: version.isBridge ? nil : frozen[version.identifier])
      }
    }
  }

  /// A version and what of it is otherwise in the store.
  package struct Comparison: Sendable {
    package var candidate: Candidate
    /// Whether the store is of this version, as far as can be told.
    package var isMatch: Bool
    /// By models; empty where the store has no model to compare.
    package var differences: [ModelComparison.Difference]
    /// By tables, columns and unique indexes; only where the store has no model.
    package var tables: [String]
    /// Entities whose hash is not the one that the version has shipped with; nil where there is nothing to compare.
    package var foreignHashes: [String]?
    var distance: Int
  }

  /// The versions that the store is of: more than one where they differ in nothing that the store keeps.
  package var matches: [Comparison]
  /// Where none matches, the version with the fewest differences, the newest of several.
  package var nearest: Comparison?
  /// How many versions it was held against.
  package var candidateCount: Int

  package init(_ facts: StoreFacts, candidates: [Candidate]) {
    let comparisons = candidates.map { Self.compare(facts, $0) }
    let matching = comparisons.filter(\.isMatch)
    // Hashes are the framework's own word: they decide between versions that look alike.
    let proven = matching.filter { $0.foreignHashes?.isEmpty == true }
    matches = proven.isEmpty ? matching : proven
    candidateCount = candidates.count
    guard matches.isEmpty else { return }
    for comparison in comparisons where comparison.distance <= nearest?.distance ?? .max {
      // A bridge is a step of a migration: nobody looks for it unless it is what the store is of.
      if comparison.candidate.isBridge { continue }
      nearest = comparison
    }
  }

  private static func compare(_ facts: StoreFacts, _ candidate: Candidate) -> Comparison {
    let foreign = foreignHashes(facts, candidate)
    let hasForeign = foreign?.isEmpty == false
    if let model = facts.model {
      let comparison = ModelComparison(model, candidate.model)
      return Comparison(
        candidate: candidate, isMatch: comparison.isSame && !hasForeign,
        differences: comparison.differences, tables: [], foreignHashes: foreign,
        distance: comparison.distance)
    }
    let tables = facts.tableDifferences(from: candidate.model.model)
    return Comparison(
      candidate: candidate, isMatch: tables.isEmpty && !hasForeign, differences: [],
      tables: tables, foreignHashes: foreign, distance: tables.count)
  }

  private static func foreignHashes(_ facts: StoreFacts, _ candidate: Candidate) -> [String]? {
    guard let frozen = candidate.frozen, !facts.hashes.isEmpty else { return nil }
    let own = facts.hashes.mapValues { $0.base64EncodedString() }
    return Set(own.keys).union(frozen.keys).filter { own[$0] != frozen[$0] }.sorted()
  }
}
