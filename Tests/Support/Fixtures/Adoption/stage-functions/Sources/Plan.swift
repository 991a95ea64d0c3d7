import Foundation
import SwiftData

/// Shorter texts, for this file alone.
extension String {
  fileprivate var bare: String { trimmingCharacters(in: .whitespaces) }
}

/// What a log says.
private let message = "done"

enum NotePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [NoteSchemaV1.self, NoteSchemaV2.self, NoteSchemaV3.self, NoteSchemaV4.self]
  }

  static var stages: [MigrationStage] {
    [
      .ranking(from: NoteSchemaV1.self, to: NoteSchemaV2.self, start: 10),
      MigrationStage.grouping(limit: 3),
      coloring,
    ]
  }

  /// A color for everything.
  static var coloring: MigrationStage {
    let color = Color.red
    return .custom(
      fromVersion: NoteSchemaV3.self, toVersion: NoteSchemaV4.self, willMigrate: nil
    ) { context in
      for note in try all(NoteSchemaV4.Note.self, in: context) { note.color = color.name }
      try NotePlan.finish(context)
    }
  }

  private enum Color: String {
    case red, green

    var name: String { rawValue }
  }

  /// All rows of a model.
  private static func all<Row: PersistentModel>(
    _ type: Row.Type, in context: ModelContext
  ) throws -> [Row] {
    try context.fetch(FetchDescriptor<Row>())
  }

  /// How many stages have run.
  nonisolated(unsafe) private static var count = 0

  static func finish(_ context: ModelContext) throws {
    count += 1
    print(message, count)
    try context.save()
  }
}

extension MigrationStage {
  static func ranking(
    from old: any VersionedSchema.Type, to new: any VersionedSchema.Type, start: Int = 0
  ) -> MigrationStage {
    let step = 5
    return .custom(
      fromVersion: old, toVersion: new, willMigrate: nil,
      didMigrate: { context in
        for (place, note) in try context.fetch(FetchDescriptor<NoteSchemaV2.Note>()).enumerated() {
          note.rank = start + place * step
        }
        try NotePlan.finish(context)
      })
  }

  static func grouping(limit: Int) -> MigrationStage {
    .custom(
      fromVersion: NoteSchemaV2.self, toVersion: NoteSchemaV3.self,
      willMigrate: { context in
        for note in try context.fetch(FetchDescriptor<NoteSchemaV2.Note>()) where note.isLong {
          note.rank = min(note.rank, limit)
          note.title = note.title.bare
        }
        try context.save()
      }, didMigrate: nil)
  }
}
