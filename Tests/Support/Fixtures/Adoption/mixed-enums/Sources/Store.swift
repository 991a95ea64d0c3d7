import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Lamp.self] }

  @Model final class Lamp {
    var mode: Mode = Mode.off
    init() {}
  }

  enum Mode: Int, Codable {
    case off, on
  }
}

/// Two enums of one name, which are not the same.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Lamp.self] }

  @Model final class Lamp {
    var mode: Mode = Mode.dimmed
    var before: SchemaV1.Mode = SchemaV1.Mode.off
    init() {}
  }

  enum Mode: Int, Codable {
    case dimmed = 7, bright
  }
}

enum LampPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
