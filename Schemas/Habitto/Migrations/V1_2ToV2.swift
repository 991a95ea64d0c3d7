// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1.2 → V2: what no manifest can say.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1_2ToV2 {
  /// Runs first, on V1.2's rows, which are `HabittoSchemaV1_2`'s here: fetch its types. After a kill
  /// it runs again: whatever it does must bear that.
  static func before(_ context: ModelContext) throws {
    let states = try context.fetch(FetchDescriptor<HabittoSchemaV1_2.MigrationState>())
    MigrationLog.write("🗑️ [Migration] Removing \(states.count) MigrationState records")
    for state in states { context.delete(state) }
    try context.save()
  }
}
