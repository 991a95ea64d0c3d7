import SwiftData

enum AppMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV8.self] }
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: SchemaV8.self, toVersion: SchemaV9.self) { context in
        for profile in try context.fetch(FetchDescriptor<SchemaV8.UserProfileModel>()) {
          print(profile.displayTimezoneMode ?? "")
        }
      }
    ]
  }
}
