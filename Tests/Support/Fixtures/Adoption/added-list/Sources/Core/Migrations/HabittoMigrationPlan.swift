import SwiftData

enum HabittoMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [
      HabittoSchemaV1.self,
      HabittoSchemaV2.self,  // ✅ ADD: New schema version
      // HabittoSchemaV4.self,
      HabittoSchemaV3.self,
    ]
  }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: HabittoSchemaV1.self, toVersion: HabittoSchemaV2.self),
      .custom(
        fromVersion: HabittoSchemaV2.self,
        toVersion: HabittoSchemaV3.self,
        willMigrate: { context in
          // Delete all SimpleHabitData records
          let descriptor = FetchDescriptor<SimpleHabitData>()
          for legacyHabit in try context.fetch(descriptor) {
            context.delete(legacyHabit)
          }

          try context.save()
        },
        didMigrate: nil
      ),
    ]
  }
}
