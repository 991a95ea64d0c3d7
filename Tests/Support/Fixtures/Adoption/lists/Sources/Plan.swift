import SwiftData

let everywhere: [any PersistentModel.Type] = [Shared.self]

@Model final class Shared {
  var text: String = ""
  init() {}
}

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { everywhere + [Item.self] }
  @Model final class Item {
    var a: Int = 1
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { 
    let own: [any PersistentModel.Type] = [Item.self]
    return everywhere + own
   }
  @Model final class Item {
    var a: Int = 2
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { (everywhere + [Item.self]) as [any PersistentModel.Type] }
  @Model final class Item {
    var a: Int = 2
    var b: Int?
    init() {}
  }
}

enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { all }
  static var stages: [MigrationStage] {
    let first = MigrationStage.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
    return [first, .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self)]
  }
}

private let all: [any VersionedSchema.Type] = [SchemaV1.self, SchemaV2.self, SchemaV3.self]
