package import Foundation
package import ManagedModels

/// What a store tells of its version.
package struct StoreEvidence: Sendable {
  /// Its tables, unique indexes and entities.
  package var structure: StoreStructure
  /// Numbers of versions that its metadata name: a hint, for apps forget to change them.
  package var identifiers: [String]
  /// Core Data's hash of each entity; none in a store of ours.
  package var hashes: [String: Data]
  /// The model that the store has of itself, where there is one that can be read.
  package var model: ManagedModel?

  /// What was read of a store.
  package init(
    structure: StoreStructure, identifiers: [String], hashes: [String: Data],
    model: ManagedModel? = nil
  ) {
    self.structure = structure
    self.identifiers = identifiers
    self.hashes = hashes
    self.model = model
  }
}
