import Foundation
import SwiftData
import Synchronization
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat
@testable import SwiftData

/// Stores that Apple's SwiftData wrote, opened as an app opens its own: by `@Model` classes, versions and a plan.
@Suite(
  .serialized, .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)))
struct AppleStoreTests {
  // MARK: Recognition and reading

  @Test("A store written by Apple's SwiftData is recognised and read without changes")
  func recognised() throws {
    for (name, schema, plan) in Self.stores {
      try withCopy(of: name) { url in
        let bytes = try Data(contentsOf: url)
        do {
          let context = try open(schema, at: url, plan: plan)
          try AppleColumns(name).expectEqual(context, schema.models)
        }
        #expect(try Data(contentsOf: url) == bytes, "\(name) was only read")
        #expect(try files(beside: url) == [url.lastPathComponent])
      }
    }
  }

  @Test("A read-only store is byte-identical afterwards, without extra files")
  func readOnly() throws {
    for (name, schema, plan) in Self.stores {
      try withCopy(of: name) { url in
        let bytes = try Data(contentsOf: url)
        do {
          let context = ModelContext(
            try ModelContainer(
              for: Schema(versionedSchema: schema), migrationPlan: plan,
              configurations: ModelConfiguration(url: url, allowsSave: false)))
          try AppleColumns(name).expectEqual(context, schema.models)
          #expect(try files(beside: url) == [url.lastPathComponent])
          if let app = try? context.only(OpenASOV4.StoreApp.self) {
            app.name = "another"
            #expect(throws: SwiftDataError.self) { try context.save() }
          }
        }
        #expect(try Data(contentsOf: url) == bytes)
        #expect(try files(beside: url) == [url.lastPathComponent])
      }
    }
  }

  @Test("An older store that is read-only is not migrated and stays unchanged")
  func readOnlyMigration() throws {
    try withCopy(of: "openaso-v1") { url in
      let bytes = try Data(contentsOf: url)
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(
          for: Schema(versionedSchema: OpenASOV4.self), migrationPlan: OpenASOPlan.self,
          configurations: ModelConfiguration(url: url, allowsSave: false))
      }
      #expect(try Data(contentsOf: url) == bytes)
      #expect(try files(beside: url) == [url.lastPathComponent])
    }
  }

  @Test("Values of every kind are those that the app wrote")
  func values() throws {
    try withCopy(of: "openaso-v4") { url in
      let context = try open(OpenASOV4.self, at: url, plan: OpenASOPlan.self)
      let app = try context.only(OpenASOV4.StoreApp.self)
      #expect(app.supportedLanguageCodes == ["en-GB", "fr"])
      #expect(app.releaseDate == Date(timeIntervalSinceReferenceDate: 731_034_123))
      #expect(app.appStoreID == 320_032_001)
      let folder = try context.only(OpenASOV4.AppFolder.self)
      #expect(folder.id == UUID(uuidString: "03200000-0000-4000-8000-000000000001"))
      #expect(!folder.isExpanded)
      #expect(try context.only(OpenASOV4.Storefront.self).flagEmoji == "🇬🇧")
      #expect(try context.only(OpenASOV4.LatestAppRating.self).averageRating == 4.625)
      let metrics = try context.fetch(
        FetchDescriptor<OpenASOV4.EstimatedKeywordDifficultyMetric>(
          sortBy: [SortDescriptor(\.computedAt)]))
      #expect(metrics.map(\.score) == [67, nil])
      #expect(metrics.map(\.fallbackHTTPStatus) == [nil, 503])
      #expect(metrics.map(\.notes.count) == [2, 1])
      let identifier = metrics[1].calculationID
      let records = try context.fetch(
        FetchDescriptor<OpenASOV4.EstimatedKeywordDifficultyResultEvidenceRecord>(
          predicate: #Predicate { $0.calculationID == identifier }))
      #expect(records.map { $0.ratingCount ?? 0 }.sorted() == [100, 300])
    }
  }

  @Test("Links work in both directions, and those without an inverse use separate columns")
  func links() throws {
    try withCopy(of: "openaso-v1") { url in
      let context = try open(OpenASOV1.self, at: url, plan: OpenASOPlan.self)
      let app = try context.only(OpenASOV1.StoreApp.self)
      let tracked = try context.only(OpenASOV1.TrackedApp.self)
      #expect(tracked.storeApp === app)
      #expect(tracked.folder?.apps.first === tracked)
      #expect(app.reviews.map(\.storeApp) == [app])
      #expect(app.ratingSnapshots.map(\.storeApp) == [app])
      #expect(app.storefrontLatest.map(\.storeApp) == [app])
      #expect(app.storefrontMetadata.map(\.storeApp) == [app])
      #expect(app.storefrontMetadata.first?.screenshots.map(\.metadata) == app.storefrontMetadata)
      let track = try #require(tracked.keywordTracks.first)
      #expect(track.trackedApp === tracked)
      #expect(track.query.tracks == [track])
      let crawl = try #require(track.query.observations.first)
      #expect(crawl.query === track.query)
      #expect(crawl.items.map(\.observation) == [crawl])
      let ranking = try #require(track.snapshots.first)
      #expect(ranking.keywordTrack === track)
      #expect(ranking.topResults.map(\.snapshot) == [ranking])
    }
  }

  // MARK: Layout

  @Test("A new store has the structure of Apple's store of the same classes")
  func structure() throws {
    for (name, schema, _) in Self.stores {
      let apple = try StoreFile(at: .file(AppleStores.original(name)), isReadOnly: true)
      try withStore { url in
        _ = try open(schema, at: url)
        let store = try StoreFile(at: .file(url), isReadOnly: true)
        #expect(try store.structure(ordered: true) == apple.structure(ordered: true))
      }
    }
  }

  // MARK: Migrating

  @Test(
    "A FreezeRay store migrated to version 2 has the structure of Apple's version 2 store and opens"
  )
  func freezeRay() throws {
    try withCopy(of: "freezeray-1") { url in
      do {
        let context = try open(FreezeRayV1.self, at: url, plan: FreezeRayPlan.self)
        context.insert(
          FreezeRayV1.User(name: "Ada", createdAt: Date(timeIntervalSinceReferenceDate: 0.5)))
        try context.save()
      }
      do {
        let context = try open(FreezeRayV2.self, at: url, plan: FreezeRayPlan.self)
        let user = try context.only(FreezeRayV2.User.self)
        #expect(user.name == "Ada")
        #expect(user.createdAt == Date(timeIntervalSinceReferenceDate: 0.5))
        #expect(user.email == nil)
        user.email = "ada@example.com"
        try context.save()
      }
      let user = try open(FreezeRayV2.self, at: url, plan: FreezeRayPlan.self)
        .only(FreezeRayV2.User.self)
      #expect(user.email == "ada@example.com")
      try expectOurs(url, asIn: "freezeray-2")
    }
  }

  @Test(
    "An empty FreezeRay store of version 1, written by Apple's SwiftData, migrates to version 2")
  func freezeRayUntouched() throws {
    try withCopy(of: "freezeray-1") { url in
      _ = try open(FreezeRayV2.self, at: url, plan: FreezeRayPlan.self)
      try expectOurs(url, asIn: "freezeray-2")
    }
  }

  @Test(
    "An OpenASO store migrated from version 1 to 4 keeps rows and links and has Apple's structure")
  func openASO() throws {
    try withCopy(of: "openaso-v1") { url in
      for _ in 1...2 {
        // The new classes have the values of the old columns.
        let context = try open(OpenASOV4.self, at: url, plan: OpenASOPlan.self)
        try AppleColumns("openaso-v1").expectEqual(context, OpenASOV4.models)
      }
      try expectOurs(url, asIn: "openaso-v4")
    }
  }

  @Test(
    "A custom stage for OpenASO sees the old classes before the migration and the new ones after it"
  )
  func openASOCustom() throws {
    try withCopy(of: "openaso-v1") { url in
      OpenASOCustomPlan.log.withLock { $0 = [] }
      let context = try open(OpenASOV4.self, at: url, plan: OpenASOCustomPlan.self)
      #expect(
        OpenASOCustomPlan.log.withLock { $0 } == [
          #"will: ["en-GB", "fr"], 1"#, "did: from will, 1",
        ])
      #expect(try context.only(OpenASOV4.StoreApp.self).subtitle == "from will")
      try expectOurs(url, asIn: "openaso-v4")
    }
  }

  @Test("An OpenASO store of version 4 is not migrated back to version 1")
  func backward() throws {
    try withCopy(of: "openaso-v4") { url in
      let bytes = try Data(contentsOf: url)
      #expect(throws: SwiftDataError.backwardMigration) {
        try open(OpenASOV1.self, at: url, plan: OpenASOPlan.self)
      }
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  /// docs/facts/migration.md#unknown-version-second-look
  @Test("134504 is thrown for an unknown version, 134505 for a store without a model cache")
  func unknown() throws {
    try withCopy(of: "openaso-v1") { url in
      func kind() -> StoreError.Kind? {
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
          try open(Steps.V3.self, at: url, plan: Steps.Plan.self)
        }?.cause?.kind
      }
      #expect(kind() == .unknownModelVersion)
      try SQLite(path: url.path, access: .readWrite).execute("DELETE FROM Z_MODELCACHE")
      #expect(kind() == .unidentifiedStore)
    }
  }

  // MARK: Writing

  @Test("A save into Apple's store continues its primary keys and marks the store as ours")
  func saved() throws {
    try withCopy(of: "openaso-v4") { url in
      do {
        let context = try open(OpenASOV4.self, at: url, plan: OpenASOPlan.self)
        let app = try context.only(OpenASOV4.StoreApp.self)
        app.supportedLanguageCodes.append("de")
        context.insert(
          OpenASOV4.Storefront(
            code: "de", flagEmoji: "🇩🇪", languageCode: "de-DE", name: "Germany"))
        // The code is unique, so this updates Apple's row.
        context.insert(
          OpenASOV4.Storefront(
            code: "gb", flagEmoji: "🏴", languageCode: "en-GB", name: "Britain"))
        try context.save()
      }
      let context = try open(OpenASOV4.self, at: url, plan: OpenASOPlan.self)
      let app = try context.only(OpenASOV4.StoreApp.self)
      #expect(app.supportedLanguageCodes == ["en-GB", "fr", "de"])
      #expect(app.reviews.count == 1)
      let fronts = try context.all(OpenASOV4.Storefront.self)
      #expect(fronts.map(\.objectID.key) == [1, 2])
      #expect(fronts.map(\.name) == ["Britain", "Germany"])
      try expectOurs(url, asIn: "openaso-v4")
    }
  }

  // MARK: Help

  private static let stores:
    [(
      name: String, schema: any VersionedSchema.Type, plan: any SchemaMigrationPlan.Type
    )] = [
      ("freezeray-1", FreezeRayV1.self, FreezeRayPlan.self),
      ("freezeray-2", FreezeRayV2.self, FreezeRayPlan.self),
      ("openaso-v1", OpenASOV1.self, OpenASOPlan.self),
      ("openaso-v4", OpenASOV4.self, OpenASOPlan.self),
    ]

  /// Works on a copy and checks that the original stays unchanged.
  private func withCopy(of name: String, _ work: (URL) throws -> Void) throws {
    let original = AppleStores.original(name)
    let bytes = try Data(contentsOf: original)
    try withStore { url in
      try bytes.write(to: url)
      try work(url)
    }
    #expect(try Data(contentsOf: original) == bytes, "the original of \(name) was touched")
  }

  private func files(beside url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
  }

  /// Expects the structure and hashes of one of Apple's stores, and our mark.
  private func expectOurs(_ url: URL, asIn name: String) throws {
    let store = try StoreFile(at: .file(url), isReadOnly: true)
    let apple = try StoreFile(at: .file(AppleStores.original(name)), isReadOnly: true)
    #expect(try store.structure() == apple.structure())
    guard case .portable = store.contents else {
      Issue.record("not marked as ours: \(store.contents)")
      return
    }
    // The bytes that Apple's framework wrote for the version.
    #expect(store.metadata.hashes == apple.metadata.hashes)
    #expect(store.metadata.checksum == apple.metadata.checksum)
    #expect(store.metadata.digest == apple.metadata.digest)
    #expect(store.metadata.hashesVersion == Int(StoreMetadata.applicationIdentifier))
    #expect(store.metadata.versionIdentifiers == apple.metadata.versionIdentifiers)
    let database = store.database
    #expect(
      try database.value("PRAGMA application_id")
        == .integer(Int64(StoreMetadata.applicationIdentifier)))
    #expect(
      try database.value("SELECT name FROM sqlite_master WHERE name = 'Z_MODELCACHE'") == nil)
    #expect(try database.value("PRAGMA integrity_check") == .text("ok"))
  }
}

/// The contents of one of Apple's stores, read by SQL without a model.
private struct AppleColumns {
  private let database: SQLite

  init(_ name: String) throws {
    database = try StoreFile(at: .file(AppleStores.original(name)), isReadOnly: true).database
  }

  /// Expects the models of the store's entities to have the values of the columns, and entities that the store lacks to
  /// have no rows.
  func expectEqual(_ context: ModelContext, _ types: [any PersistentModel.Type]) throws {
    for type in types { try expectEqual(context, type) }
  }

  private func expectEqual<M: PersistentModel>(_ context: ModelContext, _ type: M.Type) throws {
    let entity = "\(type)"
    let table = "Z\(entity.uppercased())"
    let models = try context.all(type)
    guard try !columns(of: table).isEmpty else {
      #expect(models.isEmpty)
      return
    }
    #expect(models.map(\.objectID.key) == (try keys("SELECT Z_PK FROM \(table) ORDER BY Z_PK")))
    for model in models {
      let key = model.objectID.key
      for property in M.schemaMetadata where !property.name.isEmpty {
        let value = try #require(model[keyPath: property.keypath])
        let place: Comment = "\(entity).\(property.name) of row \(key)"
        if let others = value as? [any PersistentModel] {
          let destination = try #require(value as? any AnyModels).table
          let column = try self.column(of: property.name, of: entity, in: destination)
          let expected = try keys(
            "SELECT Z_PK FROM \(destination) WHERE \(column) = \(key) ORDER BY Z_PK")
          #expect(others.map(\.objectID.key).sorted() == expected, place)
        } else {
          let column = "Z\(property.name.uppercased())"
          let stored = try #require(
            try database.value("SELECT \(column) FROM \(table) WHERE Z_PK = \(key)"))
          if let texts = value as? [String] {
            #expect(try texts == archivedTexts(stored), place)
          } else {
            #expect(Self.stored(value) == Self.withoutWholeNumbers(stored), place)
          }
        }
      }
    }
  }

  /// The column of the destination that refers to the owners of a to-many relationship: a hidden one, or its inverse.
  private func column(
    of relationship: String, of entity: String, in table: String
  ) throws -> String {
    let number = try keys("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
    let hidden = "Z\(try #require(number.first))\(relationship.uppercased())"
    if try columns(of: table).contains(hidden) { return hidden }
    return try #require(["AppFolder": "ZFOLDER", "StoreApp": "ZSTOREAPP"][entity])
  }

  private func columns(of table: String) throws -> [String] {
    try database.query("SELECT name FROM pragma_table_info('\(table)')") { $0.text(at: 0) }
  }

  private func keys(_ query: String) throws -> [Int64] {
    try database.query(query) { $0.integer(at: 0) }
  }

  /// The strings of a keyed archive in their order.
  private func archivedTexts(_ value: StoredValue) throws -> [String] {
    guard case .blob(let data) = value else { return [] }
    let archive = try PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = (archive as? [String: Any])?["$objects"] as? [Any]
    return (objects ?? []).compactMap { $0 as? String }.filter { $0 != "$null" }
  }

  /// SQLite keeps 5.0 as 5 in a TIMESTAMP; a Bool is a number.
  private static func withoutWholeNumbers(_ value: StoredValue) -> StoredValue {
    if case .integer(let number) = value { return .real(Double(number)) }
    return value
  }

  private static func stored(_ value: Any) -> StoredValue {
    switch value {
    case let flag as Bool: .real(flag ? 1 : 0)
    case let number as Int: .real(Double(number))
    case let number as Double: .real(number)
    case let date as Date: .real(date.timeIntervalSinceReferenceDate)
    case let text as String: .text(text)
    case let identifier as UUID: .blob(withUnsafeBytes(of: identifier.uuid) { Data($0) })
    case let model as any PersistentModel: .real(Double(model.objectID.key))
    default: .null
    }
  }
}

/// An array of models behind a value of type `Any`.
private protocol AnyModels {
  var table: String { get }
}

extension Array: AnyModels where Element: PersistentModel {
  fileprivate var table: String { "Z\("\(Element.self)".uppercased())" }
}
