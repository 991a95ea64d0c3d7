import SwiftData

public enum MigrationPlan: SchemaMigrationPlan {
    public static var schemas: [any VersionedSchema.Type] {
        [
            SchemaV8.self,
            SchemaV9.self  // ADD NEW VERSION
        ]
    }

    static let migrateV8toV9 = MigrationStage.custom(
        fromVersion: SchemaV8.self,
        toVersion: SchemaV9.self,
        willMigrate: { context in
            print("🔄 [Migration] Starting V8 → V9")
        },
        didMigrate: { context in
            let newProfiles = try context.fetch(FetchDescriptor<SchemaV9.UserProfileModel>())
            for newProfile in newProfiles {
                newProfile.updatedAt = Date()
            }
            try context.save()
        }
    )

    public static var stages: [MigrationStage] { [migrateV8toV9] }
}
