internal import Foundation
package import ManagedModels
package import StoreFormat

/// Core Data's hashes in a store, compared with each other and with the store's model cache
/// (docs/facts/identity.md#the-hash-of-an-entity).
package struct StoreHashes: Encodable, Sendable {
  /// The result of comparing a value with the value computed from the entities' hashes.
  package enum Verdict: String, Encodable, Sendable {
    case agrees, differs, absent
  }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes in the order of the entities' names.
  package var checksum: Verdict
  /// `NSStoreModelVersionHashesDigest`: SHA-512 of each name and its hash, in the same order.
  package var digest: Verdict
  /// Entities of the store without a hash, and hashes without an entity; sorted.
  package var unlisted: [String]
  /// Entities whose hash equals the one computed from the store's model; sorted.
  package private(set) var confirmed: [String] = []
  /// Entities whose hash differs from the model's, each with possible reasons. An empty list means that the hash is
  /// certainly wrong.
  package private(set) var unconfirmed: [String: [HashDoubt]] = [:]
  /// The checksum of the entities' hashes, in base64; nil if there are none.
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

  package var wrong: [String] { unconfirmed.filter(\.value.isEmpty).keys.sorted() }

  package var isSound: Bool {
    checksum != .differs && digest != .differs && unlisted.isEmpty && wrong.isEmpty
  }
}
