// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V5 → V6: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V5ToV6 {
  /// Runs first, on V5's rows. Fetch them as models of `StageSchemaV5`. After a kill it runs again,
  /// so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    let migrate: (ModelContext) throws -> Void = {
      for item in try $0.fetch(FetchDescriptor<StageSchemaV5.Item>()) where item.isEmpty { item.field1 = 1 }
      $0.insert(StageSchemaV5.Item(of: 5))
      try $0.save()
    }
    try migrate(context)
  }

  /// Runs last, on V6's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    try context.save()
  }
}
