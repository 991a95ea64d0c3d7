import Foundation
import SwiftData

/// V1 → V2 as it is often written by hand: old values are kept in memory between the two closures of a stage.
///
/// Killed between them, the store is of V2 already, the stage does not run again, and the servings are gone
/// (docs/facts/migration.md#stashed-values-are-lost). This is here to be found.
nonisolated enum V1ToV2 {
  nonisolated(unsafe) private static var stash: [UUID: String] = [:]

  static func before(_ context: ModelContext) throws {
    for recipe in try context.fetch(FetchDescriptor<SchemaV1.Recipe>()) {
      stash[recipe.id] = recipe.servings
    }
  }

  static func after(_ context: ModelContext) throws {
    for recipe in try context.fetch(FetchDescriptor<SchemaV2.Recipe>()) {
      recipe.people = Int((stash[recipe.id] ?? "").filter(\.isNumber)) ?? 1
    }
    try context.save()
  }
}
