package import SchemaModel

extension Rule {
  package static let storeDeletion = Rule(
    "store-deletion", "A store that does not open is not deleted",
    basis: .fact(.swiftData, "apps-complaints", .certain), isAcceptable: true)
}

struct StoreDeletion: SourcePage {
  let rule = Rule.storeDeletion

  let purpose = """
    If a container cannot be made, the store itself is nearly always intact: the migration plan
    is wrong, and a corrected app would open it. Code that deletes the store and starts again
    takes everything from those users, and hides it from you. Keep the file, tell the user that
    it could not be opened, and let the next version open it.

    The rule finds `removeItem`, `trashItem`, `destroyPersistentStore`, `deleteAllData()`,
    `erase()`, `unlink`, `replaceItemAt`, `write(to:)` over a store, `delete(model:)` without a
    predicate, a variable that holds one of these functions, and functions with such names, for example `resetDatabase()`. It looks in functions that make a
    container (there `delete(model:)` counts in a loop over models alone), in the `catch` of a `do`
    that makes one or reads rows, in the `else` of a condition that does, and in functions that such
    code calls: those of the same file and, where no container can be made, by their names those of
    other files. In the files that migrations call it finds deletions of what is called after a
    store. Several calls in one place are one finding. It ignores files named as temporary, debug
    builds and previews.
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
          "'removeItem' deletes all data when a container cannot be made",
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
