import SwiftData

enum DishesV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Dish.self] }
}

extension DishesV1 {
  @Model final class Dish {
    var name: String = ""
    init() {}
  }
}
