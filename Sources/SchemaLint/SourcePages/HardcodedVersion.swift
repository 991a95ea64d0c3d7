package import SchemaModel

extension Rule {
  package static let hardcodedVersion = Rule(
    "hardcoded-version", "App code names the newest version by its active names",
    basis: .guide(.schemaMigration, "pitfall 3: hardcoding schema versions"), isAcceptable: true)
}

struct HardcodedVersion: SourcePage {
  let rule = Rule.hardcodedVersion

  let purpose = """
    `SchemaV2.Trip` is right until there is a V3. Then the container holds V3's models, and code that fetches or
    inserts V2's compiles as before and fails when it runs. `ActiveTrip` is always the newest version's model, so that
    a new version is a change of manifests and of nothing else. A type of the newest version is a warning, one of an
    older version an error: the container does not have it.

    Every name that schemagen gives to a version is looked for, as the configuration's `names` spell it: of schemas,
    bridges, and of models by alias. It is looked for where Swift has names, so never in comments and texts, and a
    type of that name which the app declares itself is the app's. Not looked at are generated files, the folders
    `output`, `owned` and `tests`, files that import XCTest or Testing, and what belongs to migrations: versions,
    plans and stages, with the functions of the same file that stages call.
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
          "'SchemaV2.Trip' is a type of V2, which the next version leaves behind",
          help: ["write 'ActiveTrip'"], .warning),
        .init(
          "'TripV2' is a type of V2, which the next version leaves behind",
          help: ["write 'ActiveTrip'"], .warning),
        .init(
          "'TripV1' is a type of V1: stores of V2 do not have it", help: ["write 'ActiveTrip'"]),
        .init(
          "'SchemaV2' is one version, which the next one leaves behind",
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
          help: ["V2 has no 'Ticket': what needs its rows belongs into a migration"])
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
