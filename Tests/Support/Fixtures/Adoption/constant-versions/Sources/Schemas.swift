import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Known.firstNumber
  static var models: [any PersistentModel.Type] { [Bird.self] }

  @Model final class Bird {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { Lists.second }

  @Model final class Bird {
    var name: String = ""
    var wings: Int = 2
    init() {}
  }

  @Model final class Nest {
    var tree: String = ""
    init() {}
  }
}

enum BirdPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Known.first, Known.latest] }
  static var stages: [MigrationStage] { [.toSecond] }
}
