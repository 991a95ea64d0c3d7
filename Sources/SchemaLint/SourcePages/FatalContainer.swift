package import SchemaModel

extension Rule {
  package static let fatalContainer = Rule(
    "fatal-container", .warning, "A container that cannot be made does not end the app",
    basis: .fact(.swiftData, "apps-complaints", .certain), isAcceptable: true)
}

struct FatalContainer: SourcePage {
  let rule = Rule.fatalContainer

  let purpose = """
    Xcode's template ends the app with `fatalError` when its container cannot be made. On a device whose store does not
    open, the app then ends at every launch: nobody can export anything, read what is wrong, or do more than delete the
    app, with all its data. Show a view that says so, and keep the store: the next version can open it.

    Found are `try!` before a container, and `fatalError`, `preconditionFailure`, `exit` and `abort` in the `catch`, or
    behind the `else`, of code that makes one on disk. Previews, debug builds and containers in memory are left aside.
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
      """,
      finds: [
        .init(
          "'fatalError' ends the app at each launch, as long as its store cannot be opened",
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]),
        .init(
          "'try!' ends the app at each launch, as long as its store cannot be opened",
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
      """)
  ]
}
