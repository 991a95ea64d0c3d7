package import SchemaModel

extension Rule {
  package static let capturedModels = Rule(
    "captured-models", "A stage does not pass rows from one closure to the other",
    basis: .fact(.migration, "each-side-sees-its-own-types", .certain), isAcceptable: true)
}

struct CapturedModels: SourcePage {
  let rule = Rule.capturedModels

  let purpose = """
    Rows that `willMigrate` fetches belong to its context and to the older version's types. When
    `didMigrate` runs, both are gone: reading such a row fails, and changes to it are lost.
    Plain values survive from one closure to the other, but not if the app ends in between: see
    `stashed-values`.
    """

  let bad = [
    Example(
      """
      === App/Stage.swift
      import SwiftData

      enum Stage {
        nonisolated(unsafe) private static var old: [SchemaV1.Trip] = []

        static var migrate: MigrationStage {
          .custom(
            fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
            willMigrate: { context in
              ‹old› = try context.fetch(FetchDescriptor<SchemaV1.Trip>())
            },
            didMigrate: { context in
              for trip in old { context.insert(SchemaV2.Trip(name: trip.name)) }
              try context.save()
            })
        }
      }
      """,
      finds: [
        .init(
          "'old' takes rows of the older version to 'didMigrate', where they no longer exist",
          help: [
            "keep old and new side by side in a bridge version, and copy the values in 'willMigrate'"
          ])
      ])
  ]

  let good = [
    Example(
      """
      === App/Stage.swift
      import SwiftData

      enum Stage {
        static var migrate: MigrationStage {
          .custom(
            fromVersion: SchemaV1ToV2.self, toVersion: SchemaV2.self,
            willMigrate: { context in
              for trip in try context.fetch(FetchDescriptor<SchemaV1ToV2.Trip>()) {
                trip.days = trip.name.count
              }
              try context.save()
            }, didMigrate: nil)
        }
      }
      """)
  ]
}
