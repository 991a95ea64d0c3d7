// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V2: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV2 {
  /// Runs first, on V1's rows. Fetch them as models of `SchemaV1`. After a kill it runs again, so
  /// it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    count = try context.fetchCount(FetchDescriptor<SchemaV1.Cup>())
  }

  /// Runs last, on V2's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    for cup in try context.fetch(FetchDescriptor<SchemaV2.Cup>()) {
      cup.size = count
      print(cup.label, Row.self)
    }
    context.insert(SchemaV2.Cup(named: "spare"))
    try context.save()
  }
}
