import SwiftData

/// The app's two stores: what the user wrote, and pictures that can be fetched again.
enum Stores {
  static func notes() throws -> ModelContainer {
    try ModelContainer(for: Schema(versionedSchema: NotesV2.self), migrationPlan: NotesMigrationPlan.self)
  }

  static func covers() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: CoversV1p1.self), migrationPlan: CoversMigrationPlan.self)
  }
}
