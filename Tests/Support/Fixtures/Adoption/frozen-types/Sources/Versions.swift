import SwiftData

/// The classes as they were, with the struct and the enum as they were.
enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  struct Place: Codable, Hashable {
    var city: String
  }

  enum Pace: Codable {
    case slow, fast
  }

  @Model
  final class Trip {
    var name: String
    var place: Place?
    var old: Place?
    var pace: Pace?
    init(name: String) { self.name = name }
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [toV2] }

  static let toV2 = MigrationStage.custom(
    fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
    willMigrate: { context in
      for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) where trip.place == nil {
        trip.place = SchemaV1.Place(city: "nowhere")
        trip.pace = SchemaV1.Pace.slow
      }
      try context.save()
    }, didMigrate: nil)
}
