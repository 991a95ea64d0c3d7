import SwiftData

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var a: Int?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var a: Int?
    var b: Int?
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var a: Int?
    var b: Int?
    var c: Int?
    init() {}
  }
}

enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV2.self, SchemaV1.self, SchemaV3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
      .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
    ]
  }
}
