import SwiftData

enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Schema1_0_0.self, V1p10.self, Schema_V002.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: Schema1_0_0.self, toVersion: V1p10.self)] }
}

enum Forgotten: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
  static var models: [any PersistentModel.Type] { [V1p10.Item.self] }
}
