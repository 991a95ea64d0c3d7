package import SchemaModel

extension Rule {
  package static let stashedValues = Rule(
    "stashed-values", .warning, "No value is in memory only while the store changes",
    basis: .fact(.migration, "stashed-values-are-lost", .likely), isAcceptable: true)
}

struct StashedValues: SourcePage {
  let rule = Rule.stashedValues

  let purpose = """
    Values that `willMigrate` keeps in a variable for `didMigrate` are nowhere else in between. If the app ends there,
    by a crash or by the system, the store has the new version already: the stage does not run again, and the values
    are gone. It happens to few, and to them for good.

    A bridge version has the old columns and the new ones side by side. Values are copied while both are on disk, and
    a kill at any moment repeats the copying from what is still there. schemagen generates it; in a manifest it is
    `from:` and `convert:`.
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
