// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V1.1: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV1_1 {
  /// Runs first, on V1's rows. Fetch them as models of `CoversSchemaV1`. After a kill it runs
  /// again, so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    for cover in try context.fetch(FetchDescriptor<CoversSchemaV1.Cover>()) where cover.bytes == nil {
      context.delete(cover)
    }
    try context.save()
  }
}
