// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V1.1: code that a manifest cannot express.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV1_1 {
  /// Runs last, on V1.1's rows. After a kill it does not run again, so nothing important may depend
  /// on it.
  static func after(_ context: ModelContext) throws {
    // SchemaV2 has pages, and "SchemaV2" in a text stays what it is.
    let books = try context.fetch(FetchDescriptor<AppSchemaV1_1.Book>())
    for book in books where book.pages == 0 { book.pages = 1 }
    let same: [AppSchemaV1_1.Book] = books
    print("SchemaV2", same.count, AppSchemaV1_1.Book.self)
    try context.save()
  }
}
