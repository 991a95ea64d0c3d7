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
    let trips = try context.fetch(FetchDescriptor<TravelSchemaV2.TripV2>())
    for trip in trips where trip.startDate == .distantPast {
        trip.startDate = .now
    }
    try context.save()
  }
}
