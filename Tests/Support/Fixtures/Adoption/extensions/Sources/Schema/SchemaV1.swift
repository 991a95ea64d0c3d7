import SwiftData

enum SchemaV1 {}

extension SchemaV1: @preconcurrency SwiftData.VersionedSchema {
  static var versionIdentifier: SwiftData.Schema.Version { return SwiftData.Schema.Version(1, 0, 0) }
  static var models: [any SwiftData.PersistentModel.Type] { allModels }
  private static let allModels: [any PersistentModel.Type] = [Self.Habit.self, Shop.SchemaV1.Log.self]
}
