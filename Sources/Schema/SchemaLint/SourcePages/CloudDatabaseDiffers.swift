package import SchemaModel

extension Rule {
  package static let cloudDatabaseDiffers = Rule(
    "cloud-database-differs", .error, "Code and schemagen.yaml agree on whether the store syncs",
    basis: .fact(.swiftData, "cloudkit-database-default", .certain), isAcceptable: true)
}

struct CloudDatabaseDiffers: SourcePage {
  let rule = Rule.cloudDatabaseDiffers

  let purpose = """
    Whether a store syncs is decided in code: by `cloudKitDatabase:` of its configuration or, where
    that says nothing, by the app's entitlements. schemagen does not run that code. It checks
    CloudKit's rules, and compares production with a release, only if schemagen.yaml has
    `cloudKit: private`. Without it a rename passes as lightweight, and is refused on devices
    (134110). With it, and `.none` in code, everything is checked for a store that never syncs.
    """

  let bad = [
    Example(
      """
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let configuration = ‹ModelConfiguration›(
          "Trips", cloudKitDatabase: .private("iCloud.com.example.Trips"))
        return try ActiveSchema.container(configurations: [configuration])
      }
      """,
      finds: [
        .init(
          "the store syncs with CloudKit, and schemagen.yaml says that it does not: a change that CloudKit refuses passes all checks",
          help: [
            "write 'cloudKit: private' and 'cloud: { container: iCloud.com.example.Trips }' in Schemas/schemagen.yaml"
          ])
      ]),
    Example(
      """
      === Schemas/schemagen.yaml
      cloudKit: private
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let configuration = ‹ModelConfiguration›("Trips", cloudKitDatabase: .none)
        return try ActiveSchema.container(configurations: [configuration])
      }
      """,
      finds: [
        .init(
          "the store does not sync, and schemagen.yaml says that it does",
          help: [
            "write 'cloudKitDatabase: .private(\"iCloud.…\")', or take 'cloudKit: private' out of Schemas/schemagen.yaml"
          ])
      ]),
    Example(
      """
      === Schemas/schemagen.yaml
      cloudKit: private
      cloud: { container: iCloud.com.example.Trips }
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let configuration = ‹ModelConfiguration›(
          "Trips", cloudKitDatabase: .private("iCloud.com.example.Trip"))
        return try ActiveSchema.container(configurations: [configuration])
      }
      """,
      finds: [
        .init(
          "the store syncs with 'iCloud.com.example.Trip', and schemagen.yaml names 'iCloud.com.example.Trips': production of another container is compared",
          help: [
            "correct one of them: 'cloud: { container: iCloud.com.example.Trip }' in Schemas/schemagen.yaml"
          ])
      ]),
  ]

  let good = [
    Example(
      """
      === Schemas/schemagen.yaml
      cloudKit: private
      === App/Containers.swift
      import SwiftData

      func makeContainer() throws -> ModelContainer {
        let synced = ModelConfiguration(
          "Trips", cloudKitDatabase: .private("iCloud.com.example.Trips"))
        let local = ModelConfiguration("Drafts", cloudKitDatabase: .none)
        return try ActiveSchema.container(configurations: [synced, local])
      }
      """)
  ]
}
