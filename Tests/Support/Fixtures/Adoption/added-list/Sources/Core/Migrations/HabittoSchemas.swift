import SwiftData

enum HabittoSchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version {
    Schema.Version(1, 0, 0)
  }

  static var models: [any PersistentModel.Type] {
    [HabitData.self, CompletionRecord.self, SimpleHabitData.self]
  }
}

enum HabittoSchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version {
    Schema.Version(2, 0, 0)
  }

  static var models: [any PersistentModel.Type] {
    HabittoSchemaV1.models + [
      UserPreferences.self  // ✅ ADD: New model
    ]
  }
}

enum HabittoSchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)

  static var models: [any PersistentModel.Type] {
    // Remove SimpleHabitData
    HabittoSchemaV2.models.filter { $0 != SimpleHabitData.self }
  }
}
