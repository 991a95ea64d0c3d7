import SwiftData

/// From before the app had a store of its own; no container is made with it.
enum MigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [MenuV1.self] }
  static var stages: [MigrationStage] { [] }
}

enum MenuV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Menu.self] }

  @Model final class Menu {
    var name: String = ""
    init() {}
  }
}
