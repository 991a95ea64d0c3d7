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

  package var hasOwnModel: Bool {
    if case .portable = contents { return true }
    let rows = try? database.value("SELECT COUNT(*) FROM Z_MODELCACHE")
    return rows.map { $0 != .integer(0) } ?? false
  }

  /// From here on rows are read and written by the model that the store has of itself, where this code wrote it.
  package func adoptOwnModel() throws {
    if case .portable(let model) = contents { try adopt(model) }
  }
}
