package import SchemaModel

extension Rule {
  package static let hardcodedVersion = Rule(
    "hardcoded-version", "App code uses active names, not versions",
    basis: .guide(.schemaMigration, "pitfall 3: hardcoding schema versions"), isAcceptable: true)
}

struct HardcodedVersion: SourcePage {
  let rule = Rule.hardcodedVersion

  let purpose = """
    `SchemaV2.Trip` is right until V3 exists. From then on the container holds V3's models, and
    code that fetches or inserts V2's still compiles and fails when it runs. `ActiveTrip` is
    always the newest version's model, so a new version changes manifests and nothing else. A
    type of the newest version is a warning. A type of an older version is an error: the
    container does not have it.

    The rule looks for every name that schemagen gives to a version, spelled as `names` in the
    configuration says: schemas, bridges, and models by alias. It does not look in comments or
    strings. If your app declares a type with such a name, the name means your type. The rule
    skips generated files, the folders `output`, `owned` and `tests`, files that import XCTest
    or Testing, and migrations: versions, plans and stages, with the functions that stages call
    in the same file.
    """

  let bad = [
    Example(
      """
      === App/TripList.swift
      import SwiftData
      import SwiftUI

      struct TripList: View {
        // SchemaV2.Trip in a comment is nobody's business.
        @Query(sort: \\‹SchemaV2.Trip›.name) private var trips: [‹TripV2›]

        var body: some View {
          Text("\\(trips.count) of SchemaV2.Trip, \\(String(describing: ‹TripV1›.self))")
        }
      }

      let schema = Schema(versionedSchema: ‹SchemaV2›.self)
      """,
      finds: [
        .init(
          "'SchemaV2.Trip' is a type of V2, and is out of date with the next version",
          help: ["write 'ActiveTrip'"], .warning),
        .init(
          "'TripV2' is a type of V2, and is out of date with the next version",
          help: ["write 'ActiveTrip'"], .warning),
        .init(
          "'TripV1' is a type of V1: stores of V2 do not have it", help: ["write 'ActiveTrip'"]),
        .init(
          "'SchemaV2' names one version, and is out of date with the next one",
          help: ["write 'ActiveSchema.Version'"], .warning),
      ],
      fixed: """
        === App/TripList.swift
        import SwiftData
        import SwiftUI

        struct TripList: View {
          // SchemaV2.Trip in a comment is nobody's business.
          @Query(sort: \\ActiveTrip.name) private var trips: [ActiveTrip]

          var body: some View {
            Text("\\(trips.count) of SchemaV2.Trip, \\(String(describing: ActiveTrip.self))")
          }
        }

        let schema = Schema(versionedSchema: ActiveSchema.Version.self)
        """),
    Example(
      """
      === App/Tickets.swift
      import SwiftData

      func tickets(in context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<‹SchemaV1.Ticket›>()).map(\\.code)
      }
      """,
      finds: [
        .init(
          "'SchemaV1.Ticket' is a type of V1: stores of V2 do not have it",
          help: ["V2 has no 'Ticket': move code that needs its rows into a migration"])
      ]),
  ]

  let good = [
    Example(
      """
      === App/TripList.swift
      import SwiftData
      import SwiftUI

      struct TripList: View {
        @Query(sort: \\ActiveTrip.name) private var trips: [ActiveTrip]

        var body: some View { Text("\\(trips.count)") }
      }
      """),
    Example(
      """
      === App/Route.swift
      import Network

      /// Names that only look like it, and a type of the app's own.
      struct TripV1 { var address: IPV4Address }
      enum Parser { case SchemaV1, ParserV2 }
      let trips: [TripV1] = []
      """),
  ]
}
