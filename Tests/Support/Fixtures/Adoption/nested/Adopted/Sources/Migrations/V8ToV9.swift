// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V8 → V9: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V8ToV9 {
  /// Runs first, on V8's rows. Fetch them as models of `SchemaV8`. After a kill it runs again, so
  /// it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    print("🔄 [Migration] Starting V8 → V9")
  }

  /// Runs last, on V9's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    let newProfiles = try context.fetch(FetchDescriptor<SchemaV9.UserProfileModel>())
    for newProfile in newProfiles {
        newProfile.updatedAt = Date()
    }
    try context.save()
  }
}
