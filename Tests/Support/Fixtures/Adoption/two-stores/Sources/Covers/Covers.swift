import Foundation
import SwiftData

enum CoversV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Cover.self] }

  @Model final class Cover {
    var url: String = ""
    var bytes: Data?
    init() {}
  }
}

/// A version of its own module's models, one of which it does not list.
enum CoversV1p1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static var models: [any PersistentModel.Type] { [Cover.self] }

  @Model final class Cover {
    var url: String = ""
    var bytes: Data?
    var album: Album?
    init() {}
  }
}

/// The second store's too, though no version lists it.
@Model final class Album {
  var name: String = ""
  @Relationship(inverse: \CoversV1p1.Cover.album) var covers: [CoversV1p1.Cover] = []
  init() {}
}

enum CoversMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [CoversV1.self, CoversV1p1.self] }
  static var stages: [MigrationStage] { [toV1p1] }

  static let toV1p1 = MigrationStage.custom(
    fromVersion: CoversV1.self, toVersion: CoversV1p1.self,
    willMigrate: { context in
      for cover in try context.fetch(FetchDescriptor<CoversV1.Cover>()) where cover.bytes == nil {
        context.delete(cover)
      }
      try context.save()
    }, didMigrate: nil)
}
