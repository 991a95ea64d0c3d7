// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
package import ManagedModels
import StoreEngine
import StoreFormat
public import SwiftData

// The Core Data interface that generated code uses, for systems without it, with the names, types and preconditions of
// Apple's interface. A coordinator migrates with the mapping that the store layer infers. A compiled model is a folder
// with a file for each version, and one that names the current version.

public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"

/// A model, from classes or compiled.
public final class NSManagedObjectModel {
  let model: ManagedModel
  /// The other versions of a compiled model.
  let others: [ManagedModel]

  init(_ model: ManagedModel, others: [ManagedModel] = []) {
    self.model = model
    self.others = others
  }

  /// Reads a compiled model.
  public convenience init?(contentsOf url: URL) {
    func read<Value: Decodable>(_ name: String) -> Value? {
      (try? Data(contentsOf: url.appendingPathComponent(name))).flatMap {
        try? JSONDecoder().decode(Value.self, from: $0)
      }
    }
    guard let current: String = read("VersionInfo"),
      let model: ManagedModel = read("\(current).mom")
    else { return nil }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let others = names.filter { $0.hasSuffix(".mom") }.sorted().compactMap {
      name -> ManagedModel? in
      read(name)
    }
    self.init(model, others: others)
  }

  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type]
  ) -> NSManagedObjectModel? {
    NSManagedObjectModel(Schema(types).managedModel)
  }

  public var entityVersionHashesByName: [String: Data] { model.versionHashes.entities }
  public var versionChecksum: String { model.versionHashes.checksum }

  /// Compiles as Xcode does when it builds an app: the last of `versions` is the current one.
  package static func compile(_ versions: [(String, ManagedModel)], to url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, model) in versions {
      try JSONEncoder().encode(model).write(to: url.appendingPathComponent("\(name).mom"))
    }
    try JSONEncoder().encode(versions[versions.count - 1].0)
      .write(to: url.appendingPathComponent("VersionInfo"))
  }
}

public final class NSMappingModel {
  /// - Throws: If no mapping can be inferred.
  public static func inferredMappingModel(
    forSourceModel source: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let file = try StoreFile(at: .memory)
    try file.create(source.model)
    try file.migrate(to: destinationModel.model)
    return NSMappingModel()
  }
}

public final class NSPersistentStore {
  public struct StoreType: Hashable, Sendable {
    public static let sqlite = StoreType()
  }

  fileprivate let file: StoreFile

  fileprivate init(_ file: StoreFile) { self.file = file }
}

public final class NSPersistentStoreCoordinator {
  private let model: NSManagedObjectModel
  private var stores: [NSPersistentStore] = []

  public init(managedObjectModel model: NSManagedObjectModel) { self.model = model }

  /// - Throws: If the file is not a store.
  public static func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    [NSStoreModelVersionHashesKey: try StoreFacts(ofStoreAt: url).hashes]
  }

  /// Opens a store, and migrates it if the options say so; creates one if there is none.
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let file = try StoreFile(at: .file(url))
    if file.contents == .empty {
      try file.create(model.model)
    } else if !file.matches(model.model) {
      func isOn(_ option: String) -> Bool { options?[option] as? Bool == true }
      guard isOn(NSMigratePersistentStoresAutomaticallyOption),
        isOn(NSInferMappingModelAutomaticallyOption),
        let source = model.others.first(where: { file.matches($0) })
      else {
        throw StoreError(.incompatibleModel, "Can't find model for source store")
      }
      try file.adopt(source)
      try file.migrate(to: model.model)
    }
    let store = NSPersistentStore(file)
    stores.append(store)
    return store
  }

  public func remove(_ store: NSPersistentStore) throws {
    stores.removeAll { $0 === store }
  }
}
