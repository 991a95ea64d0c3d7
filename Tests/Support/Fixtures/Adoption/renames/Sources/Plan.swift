import SwiftData
enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self, SchemaV4.self] }
  static var stages: [MigrationStage] { [
    .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
    .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
    .lightweight(fromVersion: SchemaV3.self, toVersion: SchemaV4.self),
  ] }
}
