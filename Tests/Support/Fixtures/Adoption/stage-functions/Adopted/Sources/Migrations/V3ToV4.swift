// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V3 → V4: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V3ToV4 {
  /// Runs last, on V4's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    let color = Color.red
    for note in try all(NoteSchemaV4.Note.self, in: context) { note.color = color.name }
    try V3ToV4.finish(context)
  }

  /// All rows of a model.
  private static func all<Row: PersistentModel>(
    _ type: Row.Type, in context: ModelContext
  ) throws -> [Row] {
    try context.fetch(FetchDescriptor<Row>())
  }

  static func finish(_ context: ModelContext) throws {
    count += 1
    print(message, count)
    try context.save()
  }

  /// How many stages have run.
  nonisolated(unsafe) private static var count = 0

  /// What a log says.
  static let message = "done"

  private enum Color: String {
    case red, green

    var name: String { rawValue }
  }
}
