import SwiftData

@Model
final class TripV1 {
    var name: String

    init(name: String) {
        self.name = name
    }
}

@Model
final class TripV2 {
    var name: String
    var startDate: Date

    init(name: String, startDate: Date) {
        self.name = name
        self.startDate = startDate
    }
}

enum TravelSchemaV1: VersionedSchema {
    static var versionIdentifier: Schema.Version = .init(1, 0, 0)
    static var models: [any PersistentModel.Type] { [TripV1.self] }
}

enum TravelSchemaV2: VersionedSchema {
    static var versionIdentifier: Schema.Version = .init(2, 0, 0)
    static var models: [any PersistentModel.Type] { [TripV2.self] }
}

struct TravelMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [TravelSchemaV1.self, TravelSchemaV2.self]
    }

    static let migrateV1ToV2 = MigrationStage.custom(
        fromVersion: TravelSchemaV1.self,
        toVersion: TravelSchemaV2.self,
        willMigrate: { _ in },
        didMigrate: { context in
            let trips = try context.fetch(FetchDescriptor<TripV2>())
            for trip in trips where trip.startDate == .distantPast {
                trip.startDate = .now
            }
            try context.save()
        }
    )

    static var stages: [MigrationStage] {
        [migrateV1ToV2]
    }
}
