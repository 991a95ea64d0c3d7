package import Foundation
package import ManagedModels

/// The one row of `Z_METADATA`.
///
/// A store of ours has Core Data's keys but for the hashes, which only Core Data can make: without them it
/// refuses the store, and that is what is wanted.
package struct StoreMetadata {
  /// The largest property list, in bytes: more than a thousand entities have.
  private static let sizeLimit = 32 << 20
  /// How many values a list may have when it is built; those of twenty thousand entities are fewer. A part that is
  /// referred to often is built as often: a few hundred bytes could otherwise become any number of gigabytes.
  private static let valueLimit = 100_000

  /// The key of what a store of ours says in addition to Core Data's own.
  package static let mark = "PortableSwiftData"
  /// `Z_UUID`.
  package var identifier: String
  /// `Z_PLIST`.
  package var properties: [String: Any]

  /// The metadata of a new store.
  package init() {
    identifier = UUID().uuidString
    properties = ["NSStoreType": "SQLite"]
  }

  /// Reads a store's metadata. Throws `StoreError.notAStore` if they make no sense.
  package init(of database: SQLite) throws {
    try database.requireStoredColumns()
    let rows = try database.query("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") {
      ($0.value(at: 0), $0.value(at: 1))
    }
    guard let row = rows.first, case (.text(let identifier), .blob(let bytes)) = row,
      bytes.count <= Self.sizeLimit
    else { throw Self.unreadable }
    // Not Foundation's reader: it builds whatever a file tells it to.
    let budget = bytes.count + Self.valueLimit * BinaryPropertyList.valueCost
    guard let list = BinaryPropertyList(Array(bytes), budget: budget) else { throw Self.unreadable }
    let properties = list.foundationValue() as? [String: Any]
    if list.isExhausted {
      throw StoreError(
        .notAStore, "\(Self.unreadable.reason): they have more than \(Self.valueLimit) values")
    }
    guard let properties else { throw Self.unreadable }
    self.identifier = identifier
    self.properties = properties
  }

  private static let unreadable = StoreError(.notAStore, "the store's metadata cannot be read")

  /// `Schema.Version` as SwiftData leaves it there: a hint (docs/facts/identity.md#version-identifier).
  package var versionIdentifiers: [String] {
    properties["NSStoreModelVersionIdentifiers"] as? [String] ?? []
  }

  /// The entities that have hashes; sorted.
  package var hashedEntityNames: [String] { hashes.keys.sorted() }

  /// The hash of each entity; empty in a store of ours of which something that is hashed is not certain.
  package var hashes: [String: Data] {
    (properties["NSStoreModelVersionHashes"] as? [String: Any] ?? [:])
      .mapValues { $0 as? Data ?? Data() }
  }

  /// What Core Data made of all the hashes: `NSStoreModelVersionChecksumKey`.
  package var checksum: String? { properties["NSStoreModelVersionChecksumKey"] as? String }

  /// What Core Data made of the entities' names and hashes: `NSStoreModelVersionHashesDigest`.
  package var digest: String? { properties["NSStoreModelVersionHashesDigest"] as? String }

  /// Which of Core Data's ways to hash it is; 3 in every store seen.
  package var hashesVersion: Int? { properties["NSStoreModelVersionHashesVersion"] as? Int }

  /// The version of the framework that wrote last.
  package var frameworkVersion: Int? { properties["NSPersistenceFrameworkVersion"] as? Int }

  /// The model that this code left; `nil` for a store of Apple's. Throws when it is there and cannot be read.
  package func model() throws -> ManagedModel? {
    guard let portable = properties[Self.mark] else { return nil }
    guard let portable = portable as? [String: Any], let text = portable["model"] as? String,
      let model = try? Self.decoder.decode(ManagedModel.self, from: Data(text.utf8))
    else { throw StoreError(.notAStore, "the store's own model cannot be read") }
    return model
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
