package import ManagedModels
package import SchemaEvolution
package import SchemaModel
package import StoreFormat

/// The versions of a history that match a store.
package struct StoreMatch: Encodable, Sendable {
  /// A version, and how the store differs from it.
  package struct Comparison: Encodable, Sendable {
    package var candidate: VersionCandidate
    /// Differences between the models; empty if the store has no model.
    package var differences: [ModelComparison.Difference]
    /// Differences in tables, columns and unique indexes; only if the store has no model.
    package var tables: [String]
    /// Entities whose hash differs from the version's; nil if there is nothing to compare, or if all differences are in
    /// doubt.
    package var foreignHashes: [String]?
    /// By entity, why it is undecided whether the hash differs.
    package var doubts: [String: [HashDoubt]]
    /// Whether the version's hashes are computed from its manifest. If not, they are the hashes with which the version
    /// has shipped.
    package var isComputed: Bool
  }

  /// The versions that match the store; several if the store shows no difference between them.
  package var matches: [Comparison]
  /// The matches that most likely wrote the rows: of several with the same hashes, only the one with the store's
  /// number.
  package var likeliest: [Comparison]
  /// If no version matches, the version that the store's metadata names, or else the most similar version.
  package var nearest: Comparison?
  /// The most similar version, if it is not `nearest`.
  package var closest: Comparison?
  package var candidateCount: Int

  private enum CodingKeys: CodingKey { case matches, nearest, closest, candidateCount }

  package init(_ facts: StoreFacts, candidates: [VersionCandidate]) {
    let found = VersionRecognizer(facts.evidence, candidates: candidates)
    func comparison(_ place: Int) -> Comparison {
      let compared = found.comparisons[place]
      return Comparison(
        candidate: candidates[place], differences: compared.model?.differences ?? [],
        tables: compared.tables, foreignHashes: compared.foreignHashes, doubts: compared.doubts,
        isComputed: compared.isComputed)
    }
    matches = found.equal.map(comparison)
    likeliest = found.fitting.map(comparison)
    nearest = matches.isEmpty ? found.nearest.map(comparison) : nil
    closest =
      matches.isEmpty && found.closest != found.nearest ? found.closest.map(comparison) : nil
    candidateCount = candidates.count { !$0.isBridge }
  }
}

extension VersionCandidate {
  /// Every version that the engine sees, bridges included.
  ///
  /// - Parameter proven: By version, the hashes in the lock that a store has proven.
  package static func all(
    of evolution: Evolution, folder: String, proven: [VersionNumber: [String: String]] = [:]
  ) -> [VersionCandidate] {
    zip(evolution.chain, VersionModel.chain(of: evolution)).map { version, read in
      var gaps = Gaps()
      gaps.attributes = read.unspecified
      return VersionCandidate(
        folder: folder, name: version.isBridge ? version.name : version.identifier.name,
        model: read.model, isBridge: version.isBridge,
        knownHashes: version.isBridge ? [:] : proven[version.identifier] ?? [:], gaps: gaps)
    }
  }
}

extension ModelComparison {
  package init(_ store: ManagedModel, _ version: VersionModel) {
    self.init(store, version.model, unspecified: version.unspecified)
  }
}
