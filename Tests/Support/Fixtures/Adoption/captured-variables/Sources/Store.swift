import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Cup.self] }

  @Model final class Cup {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Cup.self] }

  @Model final class Cup {
    var name: String = ""
    var size: Int = 0
    var label: String { "\(name) (\(size))" }
    init() {}
    init(named text: String) { name = text }
  }
}

enum CupPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [sizing(Cup.self)] }

  typealias Cup = SchemaV2.Cup

  /// What the first side counts, the second one uses: nothing can stand for that, nor for a type that a call gives.
  static func sizing<Row: PersistentModel>(_ row: Row.Type) -> MigrationStage {
    var count = 0
    return .custom(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
      willMigrate: { context in
        count = try context.fetchCount(FetchDescriptor<SchemaV1.Cup>())
      },
      didMigrate: { context in
        for cup in try context.fetch(FetchDescriptor<Cup>()) {
          cup.size = count
          print(cup.label, Row.self)
        }
        context.insert(Cup(named: "spare"))
        try context.save()
      })
  }
}
