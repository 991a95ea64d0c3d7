package import SchemaModel

extension Rule {
  package static let activeInMigration = Rule(
    "active-in-migration", "A migration names its versions",
    basis: .fact(.swiftData, "migrations-name-their-versions", .likely), isAcceptable: true)
}

struct ActiveInMigration: SourcePage {
  let rule = Rule.activeInMigration

  let purpose = """
    In app code you use active names; in a migration you must name the version. `ActiveTrip` is
    V2's type today and V3's tomorrow, while the stage from V1 to V2 meets stores of V1 for
    years. With an active name it works until the next version, and then fails for exactly those
    users who skipped an update.

    The rule checks the files in the folder `owned`, versions and plans that you wrote by hand,
    and both sides of custom stages, with the functions that they call in the same file. A name
    that a version declares is that version's there. If it is clear which version's types a side
    sees, `--fix` writes them.
    """

  let bad = [
    Example(
      """
      === Schemas/Migrations/V1ToV2.swift
      import SwiftData

      enum V1ToV2 {
        static func after(_ context: ModelContext) throws {
          for trip in try context.fetch(FetchDescriptor<‹ActiveTrip›>()) { trip.days = 3 }
          try context.save()
        }
      }
      """,
      finds: [
        .init(
          "'ActiveTrip' means another type with every version, and 'didMigrate' always needs its own",
          help: ["write 'SchemaV2.Trip'"])
      ],
      fixed: """
        === Schemas/Migrations/V1ToV2.swift
        import SwiftData

        enum V1ToV2 {
          static func after(_ context: ModelContext) throws {
            for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.days = 3 }
            try context.save()
          }
        }
        """)
  ]

  let good = [
    Example(
      """
      === Schemas/Migrations/V1ToV2.swift
      import SwiftData

      enum V1ToV2 {
        static func after(_ context: ModelContext) throws {
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.days = 3 }
          try context.save()
        }
      }
      """)
  ]
}
