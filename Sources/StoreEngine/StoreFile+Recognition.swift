internal import ManagedModels
package import StoreFormat

extension StoreFile {
  /// Which of several versions, the oldest first, the store is of: by its model for a store of ours, by its tables for
  /// one of Apple's.
  package func recognize(_ candidates: [VersionCandidate]) throws -> VersionRecognizer {
    var model: ManagedModel?
    if case .portable(let own) = contents { model = own }
    let evidence = StoreEvidence(
      structure: try StoreStructure(of: database, metadata),
      identifiers: metadata.versionIdentifiers, hashes: metadata.hashes, model: model)
    return VersionRecognizer(evidence, candidates: candidates)
  }
}
