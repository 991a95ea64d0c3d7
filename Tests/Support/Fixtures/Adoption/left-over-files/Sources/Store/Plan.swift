import SwiftData

enum DishesPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [DishesV1.self, DishesV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: DishesV1.self, toVersion: DishesV2.self)]
  }
}

enum DishesV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Dish.self] }

  @Model final class Dish {
    var name: String = ""
    var price: Int = 0
    init() {}
  }
}
