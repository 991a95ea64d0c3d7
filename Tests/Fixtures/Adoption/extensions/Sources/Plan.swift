import SwiftData

enum Plan {
  static let schemas: [any VersionedSchema.Type] = [SchemaV1.self, SchemaV2.self]
  static let stages: [MigrationStage] = [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
}

extension Plan: @preconcurrency SchemaMigrationPlan {}

typealias Habit = SchemaV2.Habit
typealias Log = SchemaV2.Log
