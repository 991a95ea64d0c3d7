internal import ManagedModels
package import StoreFormat

extension StoreFile {
  /// Finds the store's version among candidates, oldest first. A portable store is recognised by its model, and a store
  /// written by Apple by its tables.
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

  /// Reads and writes rows with the store's own model from now on. This has no effect on a store that schemagen did not
  /// write.
  package func adoptOwnModel() throws {
    if case .portable(let model) = contents { try adopt(model) }
  }
}
