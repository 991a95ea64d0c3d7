import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Walk.self, Dog.self] }

  @Model final class Walk {
    var length: Double = 0
    @Relationship(inverse: \Dog.walks) var dog: Dog?
    init() {}
  }

  @Model final class Dog {
    var name: String = ""
    var walks: [Walk] = []
    init() {}
  }
}

enum WalkPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
  static var stages: [MigrationStage] { [] }
}
