internal import Foundation
package import ManagedModels
package import StoreFormat

/// Core Data's hashes in a store, compared with each other and with the store's own model
/// (docs/facts/identity.md#the-hash-of-an-entity).
package struct StoreHashes: Encodable, Sendable {
  /// How a value compares with what is made of the entities' hashes.
  package enum Verdict: String, Encodable, Sendable {
    case agrees, differs, absent
  }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes in the order of the entities' names.
  package var checksum: Verdict
  /// `NSStoreModelVersionHashesDigest`: SHA-512 of each name and its hash in that order.
  package var digest: Verdict
  /// Entities of the store without a hash, and hashes without an entity; sorted.
  package var unlisted: [String]
  /// Entities whose hash was made again from the store's own model, to the byte; sorted.
  package private(set) var confirmed: [String] = []
  /// Entities whose hash differs from the model's, each with why that may be; an empty list if nothing is in doubt.
  package private(set) var unconfirmed: [String: [HashDoubt]] = [:]
  /// The checksum of the entities' hashes, in base64; nil where there are none.
  package var madeChecksum: String?

  package init(_ facts: StoreFacts) {
    guard !facts.hashes.isEmpty else {
      checksum = facts.checksum == nil ? .absent : .differs
      digest = facts.digest == nil ? .absent : .differs
      unlisted = []
      return
    }
    let listed = VersionHashes(entities: facts.hashes)
    madeChecksum = listed.checksum
    checksum = Self.compare(facts.checksum, listed.checksum)
    digest = Self.compare(facts.digest, listed.digest)
    if let model = facts.model {
      let made = model.versionHashes.entities
      let doubts = model.hashDoubts
      for (name, hash) in facts.hashes {
        if made[name] == hash {
          confirmed.append(name)
        } else {
          unconfirmed[name] = doubts[name] ?? []
        }
      }
      confirmed.sort()
    }
    unlisted = Set(facts.hashes.keys).symmetricDifference(facts.entities.map(\.name)).sorted()
  }

  private static func compare(_ text: String?, _ value: String) -> Verdict {
    guard let text else { return .absent }
    return text == value ? .agrees : .differs
  }

  /// Entities whose hash certainly differs from what the store says; sorted.
  package var wrong: [String] { unconfirmed.filter(\.value.isEmpty).keys.sorted() }

  /// Whether all that can be verified holds.
  package var isSound: Bool {
    checksum != .differs && digest != .differs && unlisted.isEmpty && wrong.isEmpty
  }
}
