import SwiftData

enum ShortPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self)] }
}
enum LastPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV3.self] }
  static var stages: [MigrationStage] { [] }
}
enum Store {
  static func open() throws -> ModelContainer {
    let schema = Schema(versionedSchema: SchemaV3.self)
    do { return try ModelContainer(for: schema, migrationPlan: FullPlan.self) }
    catch {
      do { return try ModelContainer(for: schema, migrationPlan: ShortPlan.self) }
      catch { return try ModelContainer(for: schema, migrationPlan: LastPlan.self) }
    }
  }
}
