import Foundation
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import StoreTools
import TestSupport

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Stores to inspect.
enum Stores {
  static let trips = ManagedModel(
    entities: [
      ManagedEntity(
        name: "Trip",
        attributes: [
          ManagedAttribute(name: "name", type: .string),
          ManagedAttribute(name: "photo", type: .binary, isOptional: true, isExternal: true),
          ManagedAttribute(
            name: "state", type: .composite,
            elements: [ManagedAttribute(name: "state", type: .string, isOptional: true)]),
        ],
        relationships: [
          ManagedRelationship(
            name: "stops", destination: "Stop", inverse: "trip", isToMany: true,
            deleteRule: .cascade)
        ],
        uniqueness: [["name"]], indexes: [ManagedIndex(properties: ["name"])]),
      ManagedEntity(
        name: "Stop",
        attributes: [
          ManagedAttribute(
            name: "days", type: .integer64, defaultValue: .integer(1), hashModifier: "V2")
        ],
        relationships: [
          ManagedRelationship(name: "trip", destination: "Trip", inverse: "stops", isToMany: false)
        ]),
      ManagedEntity(
        name: "Layover", superentity: "Stop",
        attributes: [ManagedAttribute(name: "hours", type: .double, isOptional: true)]),
    ], versionIdentifier: "2.0.0")

  /// Writes a store with two trips, three stops and one layover.
  static func write(_ path: String) throws -> StoreFile {
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(trips)
    try fill(store)
    return store
  }

  private static func fill(_ store: StoreFile) throws {
    var changes = StoreChanges()
    for (entity, count) in [("Trip", 2), ("Stop", 3), ("Layover", 1)] {
      for key in try store.allocateKeys(of: entity, count: count) {
        let slots = store.layout(of: entity).slots
        let values = slots.map { slot -> StoredValue in
          switch slot.path {
          case "name": .text("Trip \(key)")
          case "days": .integer(key)
          default: .null
          }
        }
        changes.inserted.append(
          StoreRow(id: ObjectID(entity: entity, key: key), values: values))
      }
    }
    try store.apply(changes)
  }

  /// Turns a store into one as Core Data writes it: with hashes, a model cache and a history, and without our mark.
  static func disguise(
    _ store: StoreFile, _ model: ManagedModel, cache: Data? = nil, digest: String? = nil
  ) throws {
    let hashes = model.versionHashes
    let properties: [String: Any] = [
      "NSStoreModelVersionHashes": hashes.entities, "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionChecksumKey": hashes.checksum,
      "NSStoreModelVersionHashesDigest": digest ?? hashes.digest,
      "NSStoreModelVersionIdentifiers": [model.versionIdentifier],
      "NSPersistenceFrameworkVersion": 1526,
    ]
    let list = try PropertyListSerialization.data(
      fromPropertyList: properties, format: .binary, options: 0)
    let database = store.database
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list)])
    try database.run("PRAGMA application_id = 0")
    try database.run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    try database.run(
      "INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(cache ?? ModelArchive.content(of: model))])
    try database.run("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
  }

  /// Removes the hashes from a store's metadata.
  static func removeHashes(_ store: StoreFile) throws {
    let database = store.database
    guard case .blob(let list)? = try database.value("SELECT Z_PLIST FROM Z_METADATA"),
      var properties = try PropertyListSerialization.propertyList(from: list, format: nil)
        as? [String: Any]
    else { return }
    for key in properties.keys
    where key.hasPrefix("NSStoreModelVersion") && !key.hasSuffix("Identifiers") {
      properties[key] = nil
    }
    let without = try PropertyListSerialization.data(
      fromPropertyList: properties, format: .binary, options: 0)
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(without)])
  }

  /// The files of a folder with their contents.
  static func contents(_ folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      contents[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
    }
    return contents
  }

  static func facts(_ path: String) throws -> StoreFacts {
    try StoreFacts(ofStoreAt: URL(filePath: path))
  }

  /// Why a file is not a readable store; records an issue if it is one.
  static func reason(_ path: String) -> String? {
    do {
      _ = try facts(path)
      return nil
    } catch let error as StoreError {
      return error.reason
    } catch {
      return "not a StoreError: \(error)"
    }
  }
}

extension Evolution {
  /// The history of a folder of the checkout.
  static func of(_ folder: String) throws -> Evolution {
    let folder = SchemaFolder.read(Checkout.root + "/" + folder, fileSystem: Disk())
    guard let evolution = folder.evolution else {
      throw StoreError(.incompatibleModel, "\(folder.path) cannot be read")
    }
    return evolution
  }
}
