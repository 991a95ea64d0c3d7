package import SchemaModel

extension Rule {
  package static let swallowedErrorInStage = Rule(
    "swallowed-error-in-stage", .warning, "A failed stage is not hidden",
    basis: .fact(.migration, "save-and-rethrow", .certain), isAcceptable: true)
}

struct SwallowedErrorInStage: SourcePage {
  let rule = Rule.swallowedErrorInStage

  let purpose = """
    A stage that throws stops the migration and leaves the store as it was, so a corrected app
    can try again. With `try?`, the stage goes on as if nothing had happened, the store gets the
    new version, and nobody ever tries the failed work again. `try!` crashes the app instead, at
    every launch. Write `try`, in the stage and in the functions that it calls.
    """

  let bad = [
    Example(
      """
      === App/Stage.swift
      import SwiftData

      let migrate = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          ‹try?› context.delete(model: SchemaV1.Ticket.self)
          ‹try!› context.save()
        }, didMigrate: nil)
      """,
      finds: [
        .init(
          "'try?' hides a failure: the stage goes on, and the store has the new version",
          help: ["write 'try': an error that 'willMigrate' throws stops the migration"]),
        .init(
          "'try!' crashes the app at each launch, as long as the stage fails",
          help: ["write 'try': an error that 'willMigrate' throws stops the migration"]),
      ])
  ]

  let good = [
    Example(
      """
      === App/Stage.swift
      import SwiftData

      let migrate = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          try context.delete(model: SchemaV1.Ticket.self)
          try context.save()
        }, didMigrate: nil)
      """)
  ]
}
