package import Foundation
package import ManagedModels

/// What a store reveals about its version.
package struct StoreEvidence: Sendable {
  package var structure: StoreStructure
  /// Numbers of versions that its metadata name: a hint, for apps forget to change them.
  package var identifiers: [String]
  /// Core Data's hash of each entity; none in a store of ours.
  package var hashes: [String: Data]
  /// The store's own model, if there is one that can be read.
  package var model: ManagedModel?

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
