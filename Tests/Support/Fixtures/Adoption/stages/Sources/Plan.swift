import SwiftData

enum StagePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [StageSchemaV1.self] + laterSchemas
  }

  private static var laterSchemas: [any VersionedSchema.Type] {
    [
      StageSchemaV2.self, StageSchemaV3.self, StageSchemaV4.self, StageSchemaV5.self,
      StageSchemaV6.self, StageSchemaV7.self,
    ]
  }

  static let stages: [MigrationStage] = [
    first, Stages.second, lightweight(StageSchemaV3.self, to: StageSchemaV4.self), fourth(), fifth,
    .custom(fromVersion: StageSchemaV6.self, toVersion: StageSchemaV7.self, willMigrate: nil, didMigrate: nil),
  ]

  static let first = MigrationStage.lightweight(
    fromVersion: StageSchemaV1.self, toVersion: StageSchemaV2.self)

  static func lightweight(
    _ old: any VersionedSchema.Type, to new: any VersionedSchema.Type
  ) -> MigrationStage {
    .lightweight(fromVersion: old, toVersion: new)
  }

  static func fourth() -> MigrationStage {
    return MigrationStage.custom(
      fromVersion: StageSchemaV4.self, toVersion: StageSchemaV5.self, willMigrate: Self.fill,
      didMigrate: nil)
  }

  static func fill(_ context: ModelContext) throws { try context.save() }
}

extension StagePlan {
  static var fifth: MigrationStage {
    .custom(fromVersion: StageSchemaV5.self, toVersion: StageSchemaV6.self) {
      for item in try $0.fetch(FetchDescriptor<StageSchemaV5.Item>()) where item.isEmpty { item.field1 = 1 }
      $0.insert(StageSchemaV5.Item(of: 5))
      try $0.save()
    } didMigrate: { (context: ModelContext) in
      try context.save()
    }
  }
}

enum Stages {
  static var second: MigrationStage {
    MigrationStage.custom(
      fromVersion: StageSchemaV2.self, toVersion: StageSchemaV3.self,
      willMigrate: { modelContext in
        try modelContext.save()
      }, didMigrate: nil)
  }
}
