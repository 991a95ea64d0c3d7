import SwiftData

enum Plan {
  static let schemas: [any VersionedSchema.Type] = [SchemaV1.self, SchemaV2.self]
  static let stages: [MigrationStage] = [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
}

extension Plan: @preconcurrency SchemaMigrationPlan {}

/// The version on which work goes on.
typealias Today = SchemaV2
typealias Habit = Today.Habit
typealias Log = Today.Log
