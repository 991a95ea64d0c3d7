package import SchemaModel

extension Rule {
  package static let stashedValues = Rule(
    "stashed-values", .warning, "No value is only in memory while the store changes",
    basis: .fact(.migration, "stashed-values-are-lost", .likely), isAcceptable: true)
}

struct StashedValues: SourcePage {
  let rule = Rule.stashedValues

  let purpose = """
    Between `willMigrate` and `didMigrate`, values in a variable exist nowhere else. If the app
    crashes there, or the system ends it, the store already has the new version: the stage does
    not run again, and the values are gone. Few users meet this, but those lose their values for
    good.

    A bridge version holds the old columns and the new ones. It copies values while both are on
    disk; after a kill at any moment it copies again from the old columns. schemagen generates
    it: write `from:` and `convert:` in the manifest.
    """

  let bad = [
    Example(
      """
      === Schemas/Migrations/V1ToV2.swift
      import SwiftData

      enum V1ToV2 {
        nonisolated(unsafe) private static var lengths: [String: Int] = [:]

        static func before(_ context: ModelContext) throws {
          for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) {
            ‹lengths›[trip.name] = trip.name.count
          }
        }

        static func after(_ context: ModelContext) throws {
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) {
            trip.days = lengths[trip.name] ?? 1
          }
          try context.save()
        }
      }
      """,
      finds: [
        .init(
          "'lengths' is in memory only between 'willMigrate' and 'didMigrate': after a kill its values are lost",
          help: [
            "keep old and new side by side in a bridge version, and copy the values in 'willMigrate'"
          ])
      ])
  ]

  let good = [
    Example(
      """
      === Schemas/Migrations/V1ToV2.swift
      import SwiftData

      enum V1ToV2 {
        static func after(_ context: ModelContext) throws {
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) {
            trip.days = max(1, trip.name.count)
          }
          try context.save()
        }
      }
      """)
  ]
}
