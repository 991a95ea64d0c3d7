// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1.1 → V2: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1_1ToV2 {
  /// Runs first, on V1.1's rows. Fetch them as models of `AppSchemaV1_1`. After a kill it runs
  /// again, so it must be safe to repeat.
  static func before(_ context: ModelContext) throws {
    try context.delete(model: AppSchemaV1_1.Book.self, where: #Predicate<AppSchemaV1_1.Book> { $0.title == "" })
  }

  /// Runs last, on V2's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    for book in try context.fetch(FetchDescriptor<AppSchemaV2.Book>()) { book.isRead = book.pages > 0 }
    let loan = AppSchemaV2.Loan()
    loan.state = LoanState.closed
    context.insert(loan)
    try context.save()
  }
}
