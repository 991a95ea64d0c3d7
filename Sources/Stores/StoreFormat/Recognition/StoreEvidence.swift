package import Foundation
package import ManagedModels

/// The evidence in a store about its version.
package struct StoreEvidence: Sendable {
  package var structure: StoreStructure
  /// The version identifiers in the store's metadata. They are a hint, since apps forget to change them.
  package var identifiers: [String]
  package var hashes: [String: Data]
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
