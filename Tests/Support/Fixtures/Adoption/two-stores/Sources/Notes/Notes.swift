import Foundation
import SwiftData

enum NotesV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var text: String = ""
    init() {}
  }
}

enum NotesV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var text: String = ""
    var title: String = ""
    init() {}
  }
}

enum NotesMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)]
  }
}

typealias Note = NotesV2.Note
