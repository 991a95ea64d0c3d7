import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Dress.self] }

  @Model final class Dress {
    var tints: [Tint] = []
    init() {}
  }

  struct Tint: Codable {
    var red: Double
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Dress.self] }

  @Model final class Dress {
    var tints: [Tint] = []
    var count: Int = 0
    init() {}
  }

  /// The element has become a class; the property is one column of JSON, as it was.
  final class Tint: Codable {
    var red: Double = 0
  }
}

enum DressPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
