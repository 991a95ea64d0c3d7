import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Recipe.self, Step.self] }

  @Model final class Recipe {
    var title: String = ""
    @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step]? = []
    init() {}
  }

  @Model final class Step {
    var text: String = ""
    var recipe: Recipe?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Recipe.self, Step.self] }

  /// Unchanged, its author thought: but it leads to the first version's recipe.
  typealias Step = SchemaV1.Step

  @Model final class Recipe {
    var title: String = ""
    var servings: Int = 2
    init() {}
  }
}

/// What it changed was in the classes, of which the sources have today's state alone.
enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [SchemaV2.Recipe.self, SchemaV1.Step.self] }
}

enum RecipePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
      .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
    ]
  }
}
