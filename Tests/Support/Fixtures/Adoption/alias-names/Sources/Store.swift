import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

/// Its author put the number into the class as well, and so it is the entity's name.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, TripV2.self] }

  @Model final class Trip {
    var name: String = ""
    init() {}
  }

  @Model final class TripV2 {
    var name: String = ""
    var days: Int = 0
    init() {}
  }
}

typealias Trip = SchemaV2.Trip
typealias TripV2 = SchemaV2.TripV2

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
