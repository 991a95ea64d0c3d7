internal import Foundation
internal import ManagedModels
internal import SchemaDigests
package import StoreFormat

/// What Core Data left of its hashes, held against itself.
///
/// An entity's own hash is not made here yet, so that it is not held against the entity
/// (docs/facts/identity.md#the-hash-of-an-entity); what Core Data makes of all of them is
/// (docs/facts/identity.md#checksum-and-digest).
package struct StoreHashes: Sendable {
  /// How a value compares with what is made of the entities' hashes.
  package enum Verdict: String, Sendable {
    case agrees, differs, absent
  }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes in the order of the entities' names.
  package var checksum: Verdict
  /// `NSStoreModelVersionHashesDigest`: SHA-512 of each name and its hash in that order.
  package var digest: Verdict
  /// Entities of the store without a hash, and hashes without an entity; sorted.
  package var unlisted: [String]
  /// The checksum of the entities' hashes, in base64; nil where there are none.
  package var madeChecksum: String?

  package init(_ facts: StoreFacts) {
    guard !facts.hashes.isEmpty else {
      checksum = facts.checksum == nil ? .absent : .differs
      digest = facts.digest == nil ? .absent : .differs
      unlisted = []
      return
    }
    var sum = SHA256()
    var long = SHA512()
    // By the bytes of the names: not as `Z_ENT` counts, which takes no account of case.
    for (name, hash) in facts.hashes.sorted(by: {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }) {
      sum.update(Array(hash))
      long.update(name)
      long.update(Array(hash))
    }
    let made = Data(sum.finalize())
    madeChecksum = made.base64EncodedString()
    checksum = Self.compare(facts.checksum, made)
    digest = Self.compare(facts.digest, Data(long.finalize()))
    unlisted = Set(facts.hashes.keys).symmetricDifference(facts.entities.map(\.name)).sorted()
  }

  private static func compare(_ text: String?, _ value: Data) -> Verdict {
    guard let text else { return .absent }
    return text == value.base64EncodedString() ? .agrees : .differs
  }

  /// Whether all that can be verified holds.
  package var isSound: Bool { checksum != .differs && digest != .differs && unlisted.isEmpty }
}
