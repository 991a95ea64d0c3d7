internal import Foundation

/// The one row of `Z_METADATA`.
///
/// A store of ours has Core Data's keys but for the hashes, which only Core Data can make: without them it
/// refuses the store, and that is what is wanted.
struct StoreMetadata {
  /// `PRAGMA application_id`: "SGPS", schemagen's portable store.
  static let applicationIdentifier: Int32 = 0x5347_5053

  static let statement =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"

  /// Of the property list, in bytes.
  private static let sizeLimit = 32 << 20

  private static let mark = "PortableSwiftData"
  private static let note =
    "Written by schemagen's PortableSwiftData, not by Apple's SwiftData: never open it with Apple's."
  private static let hashKeys = [
    "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
    "NSStoreModelVersionHashesVersion", "NSStoreModelVersionChecksumKey",
  ]

  /// `Z_UUID`.
  var identifier: String
  /// `Z_PLIST`.
  private var properties: [String: Any]

  /// Of a new store.
  init() {
    identifier = UUID().uuidString
    properties = ["NSStoreType": "SQLite"]
  }

  /// Of a store that is there. Throws `StoreError.notAStore` for metadata that make no sense.
  init(of database: SQLite) throws {
    let rows = try database.query("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") {
      ($0.value(at: 0), $0.value(at: 1))
    }
    // Not Foundation's reader: it builds whatever a file tells it to.
    guard let row = rows.first, case (.text(let identifier), .blob(let list)) = row,
      list.count <= Self.sizeLimit,
      let properties = BinaryPropertyList(Array(list), budget: 2 * Self.sizeLimit)?
        .foundationValue() as? [String: Any]
    else { throw StoreError(.notAStore, "the store's metadata cannot be read") }
    self.identifier = identifier
    self.properties = properties
  }

  /// `Schema.Version` as SwiftData leaves it there: a hint (docs/facts/identity.md#version-identifier).
  var versionIdentifiers: [String] {
    properties["NSStoreModelVersionIdentifiers"] as? [String] ?? []
  }

  /// The entities whose hashes Core Data left; sorted.
  var hashedEntityNames: [String] { hashes.keys.sorted() }

  /// The hash of each entity that Core Data left; empty in a store of ours.
  var hashes: [String: Data] {
    (properties["NSStoreModelVersionHashes"] as? [String: Any] ?? [:])
      .mapValues { $0 as? Data ?? Data() }
  }

  /// What Core Data made of all the hashes: `NSStoreModelVersionChecksumKey`.
  var checksum: String? { properties["NSStoreModelVersionChecksumKey"] as? String }

  /// What Core Data made of the entities' names and hashes: `NSStoreModelVersionHashesDigest`.
  var digest: String? { properties["NSStoreModelVersionHashesDigest"] as? String }

  /// Which of Core Data's ways to hash it is; 3 in every store seen.
  var hashesVersion: Int? { properties["NSStoreModelVersionHashesVersion"] as? Int }

  /// The version of the framework that wrote last.
  var frameworkVersion: Int? { properties["NSPersistenceFrameworkVersion"] as? Int }

  /// The model that this code left; `nil` for a store of Apple's. Throws when it is there and cannot be read.
  func model() throws -> ManagedModel? {
    guard let portable = properties[Self.mark] else { return nil }
    guard let portable = portable as? [String: Any], let text = portable["model"] as? String,
      let model = try? Self.decoder.decode(ManagedModel.self, from: Data(text.utf8))
    else { throw StoreError(.notAStore, "the store's own model cannot be read") }
    return model
  }

  /// Says that this code wrote the store, and by which model.
  mutating func mark(with model: ManagedModel) throws {
    for key in Self.hashKeys { properties[key] = nil }
    properties["NSStoreModelVersionIdentifiers"] = [model.versionIdentifier]
    properties[Self.mark] = [
      "note": Self.note,
      "model": String(decoding: try Self.encoder.encode(model), as: UTF8.self),
    ]
  }

  /// Writes the row; the table is there.
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
    // A default may be infinite, which JSON has no number for.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
