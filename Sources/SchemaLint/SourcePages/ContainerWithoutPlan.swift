package import SchemaModel

extension Rule {
  package static let containerWithoutPlan = Rule(
    "container-without-plan", .warning, "A container on disk knows the migration plan",
    basis: .fact(.swiftData, "plan-is-optional", .certain), isAcceptable: true)
}

struct ContainerWithoutPlan: SourcePage {
  let rule = Rule.containerWithoutPlan

  let purpose = """
    A `ModelContainer` that is made without `migrationPlan:` does not run a single stage. What the engine infers by
    itself it does, from the store's version straight to the newest; what it does not infer makes the container fail,
    on devices with an older store and on no other. SwiftUI's `.modelContainer(for:)` takes no plan at all: make the
    container yourself and hand it over.

    Asked for only where there is a plan: with manifests of more than one version, or a `SchemaMigrationPlan` of the
    app's own. Tests, previews, debug builds, containers in memory and those of other models need none.
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
