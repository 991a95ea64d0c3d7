package import SchemaModel

extension Rule {
  package static let unnamedCloudDatabase = Rule(
    "unnamed-cloud-database", .warning, "A configuration says which CloudKit database it is for",
    basis: .fact(.swiftData, "cloudkit-database-default", .certain), isAcceptable: true)
}

struct UnnamedCloudDatabase: SourcePage {
  let rule = Rule.unnamedCloudDatabase

  let purpose = """
    `ModelConfiguration` without `cloudKitDatabase:` means `.automatic`: in an app with the
    iCloud entitlement the store syncs with the first container that it lists. So does a store
    that was meant to stay local, also one in memory, and its models then have to follow
    CloudKit's rules, or the container does not open. Name the database: `.private("iCloud.com.example.Trips")`, or
    `.none`.

    The rule applies only if the store syncs (`cloudKit: private` in schemagen.yaml) or if a file
    of entitlements among the sources lists a container. Previews and debug builds need none.
    """

  let bad = [
    Example(
      """
      === Schemas/schemagen.yaml
      cloudKit: private
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let configuration = ‹ModelConfiguration›("Trips")
        return try ActiveSchema.container(configurations: [configuration])
      }

      let scratch = ‹ModelConfiguration›(isStoredInMemoryOnly: true)
      """,
      finds: [
        .init(
          "the configuration names no CloudKit database: it syncs with whichever container the app's entitlements list first",
          help: [
            "add 'cloudKitDatabase: .private(\"iCloud.…\")', or '.none' for a store that stays local"
          ]),
        .init(
          "the configuration names no CloudKit database: a store in memory is bound to the app's iCloud container too, and may not open",
          help: ["add 'cloudKitDatabase: .none'"]),
      ])
  ]

  let good = [
    Example(
      """
      === Schemas/schemagen.yaml
      cloudKit: private
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let configuration = ModelConfiguration(
          "Trips", cloudKitDatabase: .private("iCloud.com.example.Trips"))
        return try ActiveSchema.container(configurations: [configuration])
      }

      func makeScratchContainer() throws -> ModelContainer {
        try ModelContainer(
          for: ActiveSchema.schema,
          configurations: ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none))
      }
      """)
  ]
}
