package import SchemaModel

extension Rule {
  package static let storeDeletion = Rule(
    "store-deletion", "A store that cannot be opened is kept",
    basis: .fact(.swiftData, "apps-complaints", .certain), isAcceptable: true)
}

struct StoreDeletion: SourcePage {
  let rule = Rule.storeDeletion

  let purpose = """
    When a container cannot be made, the store is nearly always whole: the plan is wrong, and a fixed app would open
    it. Code that deletes the store and begins anew takes everything from people to whom it happens, and hides from
    you that it does. Keep the file, say that it could not be opened, and let the next version open it.

    Found is `removeItem`, `trashItem`, `destroyPersistentStore`, `deleteAllData()` and `erase()`, and a function that
    is called like one, such as `resetDatabase()`: in a function that makes a container, in the `catch` of a `do` that
    makes one or reads rows, behind the `else` of a condition that does, and in functions of the same file that such
    code calls. Several in one place are one finding. Files whose names say that they are temporary, debug builds and
    previews are left aside.
    """

  let bad = [
    Example(
      """
      === App/Containers.swift
      import Foundation
      import SwiftData

      func makeContainer(at url: URL) throws -> ModelContainer {
        let configuration = ModelConfiguration(url: url)
        do {
          return try ActiveSchema.container(configurations: [configuration])
        } catch {
          wipe(url)
          return try ActiveSchema.container(configurations: [configuration])
        }
      }

      private func wipe(_ url: URL) {
        try? FileManager.default.‹removeItem›(at: url)
      }
      """,
      finds: [
        .init(
          "'removeItem' throws all data away when a container cannot be made",
          help: [
            "keep the store, say that it could not be opened, and fix the migration",
            "if no store is deleted: // schemagen:accept store-deletion: REASON",
          ])
      ])
  ]

  let good = [
    Example(
      """
      === App/Containers.swift
      import Foundation
      import SwiftData

      func makeContainer(at url: URL) throws -> ModelContainer {
        try ActiveSchema.container(configurations: [ModelConfiguration(url: url)])
      }

      func clearCache(at url: URL) throws {
        try FileManager.default.removeItem(at: url)
      }
      """)
  ]
}
