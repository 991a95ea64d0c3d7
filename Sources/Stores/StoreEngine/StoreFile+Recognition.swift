internal import ManagedModels
package import StoreFormat

extension StoreFile {
  /// The store's version among several, oldest first: by its model for a portable store, by its tables for one written
  /// by Apple.
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

  /// From now on, rows are read and written with the store's own model, if this code wrote the store.
  package func adoptOwnModel() throws {
    if case .portable(let model) = contents { try adopt(model) }
  }
}
