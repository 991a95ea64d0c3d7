internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// The structure of a store's database, and the evidence for its version.
struct StoreReading {
  let structure: StoreStructure
  let evidence: StoreEvidence

  /// The reason why a database cannot be examined.
  enum Failure: Error {
    /// The database has no tables. Core Data will create them.
    case empty
    case notAStore(String)
    case damaged(String)
  }

  init(of database: SQLite) throws {
    let all = try database.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    guard !all.isEmpty else { throw Failure.empty }
    guard all.contains("Z_METADATA"), all.contains("Z_PRIMARYKEY") else {
      throw Failure.notAStore(
        "it is an SQLite database, but not a Core Data store: it has no metadata")
    }
    let metadata: StoreMetadata
    do {
      metadata = try StoreMetadata(of: database)
    } catch let error as StoreError where error.failure == nil {
      throw Failure.damaged(error.reason)
    }
    structure = try StoreStructure(of: database, metadata)
    evidence = StoreEvidence(
      structure: structure, identifiers: metadata.versionIdentifiers, hashes: metadata.hashes)
  }
}
