package import SchemaModel

extension Rule {
  package static let containerWithoutPlan = Rule(
    "container-without-plan", .error, "A container on disk has the migration plan",
    basis: .fact(.swiftData, "plan-is-optional", .certain), isAcceptable: true)
}

struct ContainerWithoutPlan: SourcePage {
  let rule = Rule.containerWithoutPlan

  let purpose = """
    A `ModelContainer` without `migrationPlan:` runs no stage at all. The engine infers what it
    can, from the store's version directly to the newest. If it cannot infer a change, the
    container fails, but only on devices with an older store. SwiftUI's `.modelContainer(for:)`
    takes no plan: make the container yourself and pass it in.

    The rule applies only if there is a plan: manifests of more than one version, or a
    `SchemaMigrationPlan` in your app. Tests, previews, debug builds, containers in memory and
    containers of other models need none.
    """

  let bad = [
    Example(
      """
      === App/TripApp.swift
      import SwiftData
      import SwiftUI

      @main
      struct TripApp: App {
        var body: some Scene {
          WindowGroup { TripList() }
            .‹modelContainer›(for: ActiveTrip.self)
        }
      }

      func makeContainer() throws -> ModelContainer {
        try ‹ModelContainer›(for: ActiveTrip.self)
      }
      """,
      finds: [
        .init(
          "'modelContainer(for:)' takes no migration plan: a store of an older version cannot be opened",
          help: [
            "write 'modelContainer(container)', where 'container' is made by 'try ActiveSchema.container(configurations: […])'"
          ]),
        .init(
          "the container has no migration plan: a store of an older version cannot be opened",
          help: [
            "write 'ActiveSchema.container(configurations: […])', or add 'migrationPlan: MigrationPlan.self'"
          ]),
      ])
  ]

  let good = [
    Example(
      """
      === App/Containers.swift
      import SwiftData
      import SwiftUI

      func makeContainer() throws -> ModelContainer {
        try ModelContainer(for: ActiveSchema.schema, migrationPlan: MigrationPlan.self)
      }

      func makeScratchContainer() throws -> ModelContainer {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        return try ModelContainer(for: ActiveTrip.self, configurations: configuration)
      }

      #Preview {
        TripList().modelContainer(for: ActiveTrip.self)
      }
      """)
  ]
}
