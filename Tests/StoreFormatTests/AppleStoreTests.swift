import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

extension AppleStores {
  /// FreezeRay's versions, from the model caches of their stores.
  static let freezeRay1 = Fixture.model(
    ManagedEntity(
      name: "User",
      attributes: [
        ManagedAttribute(name: "createdAt", type: .date, isOptional: true),
        ManagedAttribute(name: "name", type: .string, isOptional: true),
      ]))

  static let freezeRay2: ManagedModel = {
    var model = freezeRay1
    model.versionIdentifier = "2.0.0"
    model.entities[0].attributes.append(
      ManagedAttribute(name: "email", type: .string, isOptional: true))
    return model
  }()

  /// A writable copy.
  static func copy(_ name: String, into folder: TemporaryFolder) throws -> URL {
    let copy = folder.file(name + ".store")
    try Data(contentsOf: original(name)).write(to: copy)
    return copy
  }
}

@Suite(.enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)))
struct AppleStoreTests {
  static let stores: [(name: String, identifier: String, version: String, entityCount: Int)] = [
    ("freezeray-1", "CCB0DB61-76B9-4830-8F76-A4E88DE12290", "1.0.0", 1),
    ("freezeray-2", "1F040EC2-80F8-40D7-A435-210A218F1BD7", "2.0.0", 1),
    ("openaso-v1", "4F226392-A482-4F0F-AFC4-AE0D5CAFCECF", "1.0.0", 17),
    ("openaso-v4", "748DC9EF-8F9D-4109-A4A5-90F1985145ED", "4.0.0", 21),
  ]

  @Test(
    "Identifiers and entities are read from the metadata of Apple's stores",
    arguments: stores.indices)
  func metadata(_ index: Int) throws {
    let (name, identifier, version, entityCount) = Self.stores[index]
    let store = try StoreFile(at: .file(AppleStores.original(name)), isReadOnly: true)
    guard case .apple(let versions, let entities) = store.contents else {
      Issue.record("not taken for Apple's: \(store.contents)")
      return
    }
    #expect(store.identifier == identifier)
    #expect(versions == [version])
    #expect(entities.count == entityCount)
    #expect(entities == entities.sorted())
    #expect(store.metadata.hashedEntityNames == entities)
  }

  @Test func readingLeavesNoFileBehind() throws {
    let folder = try TemporaryFolder()
    let file = try AppleStores.copy("freezeray-2", into: folder)
    let bytes = try Data(contentsOf: file)
    let store = try StoreFile(at: .file(file), isReadOnly: true)
    try store.adopt(AppleStores.freezeRay2)
    #expect(try store.count(of: "User") == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    #expect(try Data(contentsOf: file) == bytes)
    #expect(storeError { _ = try store.allocateKeys(of: "User", count: 1) } != nil)
  }

  @Test("Apple's stores have the tables, columns, types and indexes of our store of an equal model")
  func structure() throws {
    for (name, model) in [
      ("freezeray-1", AppleStores.freezeRay1), ("freezeray-2", AppleStores.freezeRay2),
    ] {
      let store = try StoreFile(at: .file(AppleStores.original(name)), isReadOnly: true)
      #expect(try store.structure(ordered: true) == StoreFile(model).structure(ordered: true))
    }
  }

  @Test func aStoreMatchesItsOwnModelOnly() throws {
    let store = try StoreFile(
      at: .file(AppleStores.original("freezeray-1")), isReadOnly: true)
    #expect(store.matches(AppleStores.freezeRay1))
    #expect(!store.matches(AppleStores.freezeRay2))
    #expect(storeError { try store.adopt(AppleStores.freezeRay2) }?.kind == .incompatibleModel)
    var model = AppleStores.freezeRay1
    model.entities[0].attributes[0].type = .double
    #expect(!store.matches(model), "another declared type")
    model = AppleStores.freezeRay1
    model.entities[0].uniqueness = [["name"]]
    #expect(!store.matches(model), "another unique index")
    model = AppleStores.freezeRay1
    model.entities[0].name = "Person"
    #expect(!store.matches(model), "another entity")
    model = AppleStores.freezeRay1
    model.entities.append(ManagedEntity(name: "Zebra"))
    #expect(!store.matches(model), "one entity more")
  }

  @Test("A table with hidden columns for relationships of two models is laid out like Apple's")
  func hiddenColumns() throws {
    let store = try StoreFile(at: .file(AppleStores.original("openaso-v4")), isReadOnly: true)
    guard case .apple(_, let names) = store.contents else { return }
    var model = ManagedModel(
      entities: names.map { ManagedEntity(name: $0) }, versionIdentifier: "4.0.0")
    func change(_ name: String, _ body: (inout ManagedEntity) -> Void) throws {
      body(&model.entities[try #require(names.firstIndex(of: name))])
    }
    try change("KeywordQuery") {
      $0.relationships = [
        ManagedRelationship(name: "tracks", destination: "TrackedAppKeyword", isToMany: true)
      ]
    }
    try change("TrackedApp") {
      $0.relationships = [
        ManagedRelationship(
          name: "keywordTracks", destination: "TrackedAppKeyword", isToMany: true)
      ]
    }
    try change("TrackedAppKeyword") {
      $0.attributes = [
        ("term", .string), ("storefront", .string), ("statusMessage", .string),
        ("rankingAppCount", .integer64), ("platformRaw", .string), ("notes", .string),
        ("lastRefreshAt", .date), ("identityKey", .string), ("createdAt", .date),
        ("appStoreID", .integer64),
      ].map { ManagedAttribute(name: $0, type: $1) }
      $0.relationships = [
        ManagedRelationship(name: "trackedApp", destination: "TrackedApp", isToMany: false),
        ManagedRelationship(name: "query", destination: "KeywordQuery", isToMany: false),
      ]
      $0.uniqueness = [["identityKey"]]
      $0.indexes = [
        ["appStoreID"], ["appStoreID", "storefront"], ["identityKey"], ["appStoreID", "createdAt"],
      ]
      .map { ManagedIndex(properties: $0) }
    }
    func lines(_ store: StoreFile) throws -> [Substring] {
      try store.structure(ordered: true).split(separator: "\n").filter {
        $0.contains("ZTRACKEDAPPKEYWORD ") || $0.contains(" below ")
      }
    }
    #expect(try lines(store) == lines(StoreFile(model)))
    #expect(try lines(store).count == 21 + 10)
  }

  @Test("Migrating a store written by Apple's SwiftData keeps its rows and marks the store as ours")
  func migrated() throws {
    let folder = try TemporaryFolder()
    let file = try AppleStores.copy("freezeray-1", into: folder)
    let store = try StoreFile(at: .file(file))
    try store.adopt(AppleStores.freezeRay1)
    // A row that this code did not write, as Core Data would have written it.
    try store.force("INSERT INTO ZUSER VALUES (1, 1, 1, 735000000.5, 'Ada')")
    try store.force("UPDATE Z_PRIMARYKEY SET Z_MAX = 7")
    try store.migrate(to: AppleStores.freezeRay2)
    #expect(
      try store.rows(of: "User").map(\.values) == [[.real(735_000_000.5), .text("Ada"), .null]])
    #expect(try store.structure() == StoreFile(AppleStores.freezeRay2).structure())
    #expect(try store.allocateKeys(of: "User", count: 1) == 8...8)
    #expect(store.identifier == "CCB0DB61-76B9-4830-8F76-A4E88DE12290")
    try expectMarked(store, AppleStores.freezeRay2)

    let again = try StoreFile(at: .file(file))
    #expect(again.contents == .portable(AppleStores.freezeRay2))
    #expect(again.matches(AppleStores.freezeRay2))
    try again.adopt(AppleStores.freezeRay2)
    #expect(try again.count(of: "User") == 1)
  }

  @Test func theFirstWriteMarksAStoreOfApples() throws {
    let folder = try TemporaryFolder()
    let store = try StoreFile(at: .file(AppleStores.copy("freezeray-1", into: folder)))
    try store.adopt(AppleStores.freezeRay1)
    var changes = StoreChanges()
    changes.updated = [
      StoreRow(id: ObjectID(entity: "User", key: 99), values: [.null, .null])
    ]
    #expect(storeError { try store.apply(changes) } != nil)
    #expect(store.metadata.hashedEntityNames == ["User"], "a write that failed leaves no mark")
    let user = try store.insert("User", ["name": .text("Ada")])
    #expect(user.key == 1)
    try expectMarked(store, AppleStores.freezeRay1)
  }

  private func expectMarked(_ store: StoreFile, _ model: ManagedModel) throws {
    #expect(store.contents == .portable(model))
    let metadata = try StoreMetadata(of: store.database)
    #expect(metadata.hashes == model.versionHashes.entities)
    // A version of the hashes that Core Data does not know and refuses.
    #expect(metadata.hashesVersion == Int(StoreMetadata.applicationIdentifier))
    #expect(metadata.versionIdentifiers == [model.versionIdentifier])
    #expect(
      try store.database.value("PRAGMA application_id")
        == .integer(Int64(StoreMetadata.applicationIdentifier)))
    #expect(
      try store.database.value("SELECT name FROM sqlite_master WHERE name = 'Z_MODELCACHE'")
        == nil)
  }
}
