import SwiftData

extension MigrationStage {
  static var toSecond: MigrationStage {
    .custom(
      fromVersion: Known.first, toVersion: Known.latest, willMigrate: nil,
      didMigrate: { context in
        for bird in try context.fetch(FetchDescriptor<SchemaV2.Bird>()) { bird.wings = 2 }
        try context.save()
      })
  }
}
