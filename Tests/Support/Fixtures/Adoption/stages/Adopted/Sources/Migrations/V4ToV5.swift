// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V4 → V5: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V4ToV5 {
  /// Runs first, on V4's rows. Fetch them as models of `StageSchemaV4`. After a kill it runs again,
  /// so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    try context.save() 
  }
}
