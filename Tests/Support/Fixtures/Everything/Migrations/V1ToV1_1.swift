// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

/// V1 → V1.1: what no manifest can say.
///
/// No actor isolates a migration: in a module isolated to the main actor by default, types and
/// extensions that these functions call are `nonisolated` too.
nonisolated enum V1ToV1_1 {
  /// Runs first, on V1's rows, which are `SchemaV1ToV1_1`'s here: fetch its types. After a kill it
  /// runs again: whatever it does must bear that.
  static func before(_ context: ModelContext) throws {
    _ = try context.fetchCount(FetchDescriptor<SchemaV1ToV1_1.Author>())
  }

  /// `Author.familyName` from V1's values. Called for each row, and by `toEntity()`.
  static func familyName(_ name: String) -> String {
    name.split(separator: " ").last.map { String($0) } ?? ""
  }

  /// V1's value from `Author.rating`. Called by `fromEntity(_:)`.
  static func oldRating(_ value: String) -> Int {
    Int(value) ?? 0
  }

  /// The value of `Author.secret` in a row that has none. Called for each such row.
  static func secret() -> String {
    "secret"
  }

  /// What `Author.favourite` leads to. Called for each row.
  static func favourite(
    for row: SchemaV1ToV1_1.Author,
    in context: ModelContext
  ) throws -> SchemaV1ToV1_1.Book? {
    row.books.first
  }

  /// Deletes all but one of these rows, which are equal in what is about to be unique. Links of
  /// those that go are yours to keep.
  static func resolveFamilies(_ rows: [SchemaV1ToV1_1.Author], in context: ModelContext) throws {
    for row in rows.dropFirst() { context.delete(row) }
  }

  /// Runs last, on V1.1's rows. After a kill it does not run again: nothing precious may depend on
  /// it.
  static func after(_ context: ModelContext) throws {
    _ = try context.fetchCount(FetchDescriptor<SchemaV1_1.Author>())
  }
}
