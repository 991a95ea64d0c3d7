package import Foundation
package import ManagedModels

/// The only row of `Z_METADATA`.
///
/// A portable store has Core Data's keys, and its model under `mark`. Its hash version is one that Core Data refuses,
/// so Core Data does not open the store.
package struct StoreMetadata {
  /// The maximum size of the property list in bytes, which a thousand entities do not reach.
  private static let sizeLimit = 32 << 20
  /// The maximum number of built values, which twenty thousand entities do not reach. Without this limit a few hundred
  /// bytes could become gigabytes, since a value is built once for each reference.
  private static let valueLimit = 100_000

  package static let mark = "PortableSwiftData"
  package var identifier: String
  package var properties: [String: Any]

  package init() {
    identifier = UUID().uuidString
    properties = ["NSStoreType": "SQLite"]
  }

  package init(of database: SQLite) throws {
    try database.requireStoredColumns()
    let rows = try database.query("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") {
      ($0.value(at: 0), $0.value(at: 1))
    }
    guard let row = rows.first, case (.text(let identifier), .blob(let bytes)) = row,
      bytes.count <= Self.sizeLimit
    else { throw Self.unreadable }
    // Do not use Foundation's reader, which builds whatever a file contains.
    let budget = bytes.count + Self.valueLimit * BinaryPropertyList.valueCost
    guard let list = BinaryPropertyList(Array(bytes), budget: budget) else { throw Self.unreadable }
    let properties = list.foundationValue() as? [String: Any]
    if list.isExhausted {
      throw StoreError(
        .notAStore, "\(Self.unreadable.reason): it has more than \(Self.valueLimit) values")
    }
    guard let properties else { throw Self.unreadable }
    self.identifier = identifier
    self.properties = properties
  }

  private static let unreadable = StoreError(.notAStore, "the store's metadata cannot be read")

  /// The `Schema.Version` that SwiftData wrote. It is only a hint (docs/facts/identity.md#version-identifier).
  package var versionIdentifiers: [String] {
    properties["NSStoreModelVersionIdentifiers"] as? [String] ?? []
  }

  package var hashedEntityNames: [String] { hashes.keys.sorted() }

  /// The hash of each entity; empty in a portable store if a hash is uncertain.
  package var hashes: [String: Data] {
    (properties["NSStoreModelVersionHashes"] as? [String: Any] ?? [:])
      .mapValues { $0 as? Data ?? Data() }
  }

  package var checksum: String? { properties["NSStoreModelVersionChecksumKey"] as? String }

  package var digest: String? { properties["NSStoreModelVersionHashesDigest"] as? String }

  /// The version of Core Data's hashing; 3 in every store seen.
  package var hashesVersion: Int? { properties["NSStoreModelVersionHashesVersion"] as? Int }

  package var frameworkVersion: Int? { properties["NSPersistenceFrameworkVersion"] as? Int }

  /// The model in a store written by schemagen; nil for a store written by Apple. Throws if the model cannot be read.
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
