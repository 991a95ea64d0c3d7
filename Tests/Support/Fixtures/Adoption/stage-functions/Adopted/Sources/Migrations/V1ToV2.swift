// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V2: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV2 {
  /// Runs last, on V2's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    let start: Int = 10
    let step = 5
    for (place, note) in try context.fetch(FetchDescriptor<NoteSchemaV2.Note>()).enumerated() {
      note.rank = start + place * step
    }
    try V1ToV2.finish(context)
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
}
