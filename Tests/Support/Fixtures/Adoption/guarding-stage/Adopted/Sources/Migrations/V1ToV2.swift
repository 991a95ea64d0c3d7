// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V2: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV2 {
  /// Runs first, on V1's rows. Fetch them as models of `CustomerSchemaV1`. After a kill it runs
  /// again, so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    var emails: Set<String> = []
    for customer in try context.fetch(FetchDescriptor<CustomerSchemaV1.Customer>()) {
      if !emails.insert(customer.email).inserted { context.delete(customer) }
      if customer.nickname == nil { customer.nickname = customer.email }
    }
    try context.save()
  }
}
