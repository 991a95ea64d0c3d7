// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V2 → V3: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V2ToV3 {
  /// Runs first, on V2's rows. Fetch them as models of `HabittoSchemaV2`. After a kill it runs
  /// again, so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    // Delete all SimpleHabitData records
    let descriptor = FetchDescriptor<HabittoSchemaV2.SimpleHabitData>()
    for legacyHabit in try context.fetch(descriptor) {
      context.delete(legacyHabit)
    }

    try context.save()
  }
}
