internal import Foundation
internal import ManagedModels
internal import StoreFormat

extension StoreMetadata {
  /// `PRAGMA application_id`: "SGPS", schemagen's portable store.
  static let applicationIdentifier: Int32 = 0x5347_5053

  static let statement =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"

  private static let note =
    "Written by schemagen's PortableSwiftData, not by Apple's SwiftData: never open it with Apple's."

  /// Marks the store as written by schemagen. Stores the model, and Core Data's hashes of the model unless a hash is
  /// uncertain.
  mutating func mark(with model: ManagedModel) throws {
    let hashes = model.hashDoubts.isEmpty ? model.versionHashes : nil
    properties["NSStoreModelVersionHashes"] = hashes?.entities
    properties["NSStoreModelVersionHashesDigest"] = hashes?.digest
    // Core Data refuses hashes of an unknown kind (docs/facts/migration.md#newer-hash-version). With a known kind it
    // would treat the store as its own.
    properties["NSStoreModelVersionHashesVersion"] = Int(Self.applicationIdentifier)
    properties["NSStoreModelVersionChecksumKey"] = hashes?.checksum
    properties["NSStoreModelVersionIdentifiers"] = [model.versionIdentifier]
    properties[Self.mark] = [
      "note": Self.note,
      "model": String(decoding: try Self.encoder.encode(model), as: UTF8.self),
    ]
  }

  func write(to database: SQLite) throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: properties, format: .binary, options: 0)
    try database.run("DELETE FROM Z_METADATA")
    try database.run(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(identifier), .blob(list)])
    try database.execute("PRAGMA application_id = \(Self.applicationIdentifier)")
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A default may be infinite, which JSON cannot express.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}
