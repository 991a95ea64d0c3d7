import Foundation
import SwiftData

/// V1 → V2 as it is often written by hand: old values are kept in memory between the two closures of a stage.
///
/// Killed between them, the store is of V2 already, the stage does not run again, and the names are gone
/// (docs/facts/migration.md#stashed-values-are-lost). This is here to be found.
nonisolated enum V1ToV2 {
  nonisolated(unsafe) private static var stash: [UUID: String] = [:]

  static func before(_ context: ModelContext) throws {
    for person in try context.fetch(FetchDescriptor<SchemaV1.Person>()) {
      stash[person.id] = person.name
    }
  }

  static func after(_ context: ModelContext) throws {
    for person in try context.fetch(FetchDescriptor<SchemaV2.Person>()) {
      let parts = (stash[person.id] ?? "").split(separator: " ", maxSplits: 1)
      person.firstName = parts.first.map { String($0) } ?? ""
      person.lastName = parts.dropFirst().first.map { String($0) } ?? ""
    }
    try context.save()
  }
}
