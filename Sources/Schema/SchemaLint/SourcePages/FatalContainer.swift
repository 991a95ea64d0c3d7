package import SchemaModel

extension Rule {
  package static let fatalContainer = Rule(
    "fatal-container", .warning, "The app survives a container that cannot be made",
    basis: .fact(.swiftData, "apps-complaints", .certain), isAcceptable: true)
}

struct FatalContainer: SourcePage {
  let rule = Rule.fatalContainer

  let purpose = """
    Xcode's template calls `fatalError` if it cannot make the container. On a device whose store
    does not open, the app then crashes at every launch: the user cannot export anything or read
    what is wrong, and can only delete the app with all data. Show a view that says so, and keep
    the store: the next version can open it.

    The rule finds `try!` before a container, and `fatalError`, `preconditionFailure`, `exit`
    and `abort` in the `catch` or `else` of code that makes one on disk, itself or by a function
    of another file, and behind an `if let` of such code that returns. It ignores previews, debug
    builds and containers in memory.
    """

  let bad = [
    Example(
      """
      === App/TripApp.swift
      import SwiftData
      import SwiftUI

      @main
      struct TripApp: App {
        let container: ModelContainer = {
          do {
            return try ActiveSchema.container(configurations: [])
          } catch {
            ‹fatalError›("no container: \\(error)")
          }
        }()
      }

      let shared = ‹try!› ActiveSchema.container(configurations: [])

      let other = ‹try!› Store.make()
      === App/Store.swift
      import SwiftData

      enum Store {
        static func make(inMemory: Bool = false) throws -> ModelContainer {
          try ActiveSchema.container(
            configurations: [ModelConfiguration(isStoredInMemoryOnly: inMemory)])
        }
      }
      """,
      finds: [
        .init(
          "'fatalError' crashes the app at each launch, as long as its store does not open",
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]),
        .init(
          "'try!' crashes the app at each launch, as long as its store does not open",
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]),
        .init(
          "'try!' crashes the app at each launch, as long as its store does not open",
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]),
      ])
  ]

  let good = [
    Example(
      """
      === App/TripApp.swift
      import SwiftData
      import SwiftUI

      @main
      struct TripApp: App {
        let container = Result { try ActiveSchema.container(configurations: []) }
      }

      #Preview {
        TripList().modelContainer(try! ModelContainer(for: ActiveTrip.self))
      }

      let scratch = try! ModelContainer(
        for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))

      let seeded = try! Store.make(inMemory: true)
      === App/Store.swift
      import SwiftData

      enum Store {
        static func make(inMemory: Bool = false) throws -> ModelContainer {
          try ActiveSchema.container(
            configurations: [inMemory ? scratch : ModelConfiguration()])
        }

        static let scratch = ModelConfiguration(isStoredInMemoryOnly: true)
        static let seeded = try! make(inMemory: true)
      }
      """)
  ]
}
