package import ManagedModels
package import SchemaEvolution
package import SchemaModel
package import StoreFormat

/// Which of a history's versions a store is of.
package struct StoreMatch: Encodable, Sendable {
  /// A version and how the store differs from it.
  package struct Comparison: Encodable, Sendable {
    package var candidate: VersionCandidate
    /// Differences of the models; empty if the store has no model to compare.
    package var differences: [ModelComparison.Difference]
    /// Differences of tables, columns and unique indexes; only if the store has no model.
    package var tables: [String]
    /// Entities whose hash is not the version's; nil where there is nothing to compare, or all that differs is in doubt.
    package var foreignHashes: [String]?
    /// Why other entities' hashes are undecided, by entity.
    package var doubts: [String: [HashDoubt]]
    /// Whether the version's hashes are made of its manifest; else they are those that it has shipped with.
    package var isComputed: Bool
  }

  /// The versions that the store is of: more than one where they differ in nothing that the store keeps.
  package var matches: [Comparison]
  /// Of these, the one whose number the store has, if its hashes prove it: that most likely wrote its rows.
  package var likeliest: [Comparison]
  /// Where none matches, the version that the store's metadata name, or else the one that has most in common with it.
  package var nearest: Comparison?
  /// The version that has most in common with the store whatever its metadata name, if not `nearest`.
  package var closest: Comparison?
  /// How many versions it was compared with, without the bridges between them.
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
  /// Every version that the framework sees, bridges included.
  ///
  /// - Parameter proven: The hashes that stores have proven, by version, as the lock has them.
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
  /// What differs between the model of a store and that of a version.
  package init(_ store: ManagedModel, _ version: VersionModel) {
    self.init(store, version.model, unspecified: version.unspecified)
  }
}
