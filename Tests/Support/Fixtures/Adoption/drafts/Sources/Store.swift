import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Place.self] }

  @Model final class Trip {
    #Unique<Trip>([\.name.count])
    var name: String = ""
    var code: String = ""
    @Relationship(inverse: \Stop.gone) var stops: [Stop] = []
    @Relationship(inverse: \Place.stops) var others: [Stop] = []
    var mystery = makeSomething()
    init() {}
  }

  @Model final class Stop {
    var title: String = ""
    var pair: (Int, Int) = (1, 2)
    @Wrapped var wrapped: Int = 1
    @Attribute(originalName: Names.old) var renamed: String = ""
    init() {}
  }

  @Model final class Place {
    var title: String = ""
    var stops: [Stop] = []
    init() {}
  }
}

enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.code = trip.name }
          try context.save()
        })
    ]
  }
}
