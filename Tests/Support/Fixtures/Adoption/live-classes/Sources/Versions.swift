import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Dog.self, Walk.self] }

  @Model final class Dog {
    var name: String = ""
    var age: Int
    @Relationship(inverse: \Walk.dog) var walks: [Walk] = []

    init(name: String, age: Int) {
      self.name = name
      self.age = age
    }
  }

  @Model final class Walk {
    var length: Double = 0
    var dog: Dog?
    init() {}
  }
}

enum WalkPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
  static var stages: [MigrationStage] { [] }
}
