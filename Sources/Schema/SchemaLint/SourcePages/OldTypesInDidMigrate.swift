package import SchemaModel

extension Rule {
  package static let oldTypesInDidMigrate = Rule(
    "old-types-in-did-migrate", "Each side of a stage uses the types of its own version",
    basis: .fact(.migration, "each-side-sees-its-own-types", .certain), isAcceptable: true)
}

struct OldTypesInDidMigrate: SourcePage {
  let rule = Rule.oldTypesInDidMigrate

  let purpose = """
    `willMigrate` works with the older version's types and `didMigrate` with the newer
    version's. With the other's types, a fetch fails, and creating a row of the newer version in
    `willMigrate` crashes the app. To copy values from one shape to the other, both must be on
    disk at the same time. A bridge version has both, and schemagen generates it for such a
    step.
    """

  let bad = [
    Example(
      """
      === App/Plan.swift
      import SwiftData

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] { [migrate] }

        static var migrate: MigrationStage {
          .custom(
            fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
            willMigrate: { context in
              context.insert(‹SchemaV2.Trip›(name: "First"))
              try context.save()
            },
            didMigrate: { context in
              let tickets = try context.fetch(FetchDescriptor<‹SchemaV1.Ticket›>())
              let trips = try context.fetch(FetchDescriptor<‹SchemaV1.Trip›>())
              print(tickets.count, trips.count)
            })
        }
      }
      """,
      finds: [
        .init(
          "'SchemaV2.Trip' does not exist yet when 'willMigrate' runs: it sees the types of 'SchemaV1' only",
          help: [
            "make and fill new rows in 'didMigrate', or on a bridge that has both versions' models"
          ]),
        .init(
          "'SchemaV1.Ticket' is gone when 'didMigrate' runs: it sees the types of 'SchemaV2' only",
          help: [
            "read old values in 'willMigrate', and write them to columns that both versions have"
          ]),
        .init(
          "'SchemaV1.Trip' is gone when 'didMigrate' runs: it sees the types of 'SchemaV2' only",
          help: [
            "to work on the new rows, write 'SchemaV2.Trip'",
            "read old values in 'willMigrate', and write them to columns that both versions have",
          ]),
      ])
  ]

  let good = [
    Example(
      """
      === App/Plan.swift
      import SwiftData

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] { [migrate] }

        static var migrate: MigrationStage {
          .custom(
            fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
            willMigrate: { context in
              try context.delete(model: SchemaV1.Ticket.self)
              try context.save()
            },
            didMigrate: { context in
              for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.days = 3 }
              try context.save()
            })
        }
      }
      """)
  ]
}
