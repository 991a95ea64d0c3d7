import SchemaEvolution
import SchemaRendering
import Testing

@Suite struct DiagramTests {
  static let history = [
    """
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          km: Double
          old: String?
          stops: { relationship: "[Stop]", deleteRule: cascade, inverse: trip }
      Stop: { properties: { id: UUID, trip: { relationship: Trip? } } }
    """,
    """
    drops: { Trip.old: nobody reads it }
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          km: Double
          stops: { relationship: "[Stop]", deleteRule: cascade, inverse: trip }
      Stop: { properties: { id: UUID, trip: { relationship: Trip? } } }
    """,
    """
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          metres: { type: Double, renamedFrom: km }
          stops: { relationship: "[Stop]", deleteRule: cascade, inverse: trip }
          new: String?
          next: { relationship: Trip?, inverse: before }
          before: { relationship: "[Trip]" }
      Stop: { properties: { id: UUID, trip: { relationship: Trip? } } }
    """,
  ]

  private func diagram() throws -> EntityDiagram {
    let evolution = try evolution(Self.history)
    return EntityDiagram(evolution, tracks: evolution.tracks)
  }

  @Test("What changes has an entry for each form; what comes later takes a place that is free")
  func boxes() throws {
    let trip = try #require(diagram().boxes.first)
    #expect(trip.names.map(\.text) == ["Trip"] && trip.versions == 0...2)
    let rows = trip.rows.map { row in
      "\(row.place) "
        + row.entries.map { entry in
          "\(entry.text) \(entry.versions.lowerBound)-\(entry.versions.upperBound)"
            + (entry.arrival.map { " \($0.rawValue)" } ?? "") + (entry.ends ? " ends" : "")
        }.joined(separator: " | ")
    }
    #expect(
      rows == [
        "0 id: UUID unique 0-2 ends", "1 km: Double 0-1 | metres: Double 2-2 changed ends",
        "2 old: String? 0-0 ends", "3 stops: [Stop] cascade ↔ trip 0-2 ends",
        "2 new: String? 2-2 added ends", "4 next: Trip? ↔ before 2-2 added ends",
        "5 before: [Trip] ↔ next 2-2 added ends",
      ])
  }

  @Test("Two ends of a relationship are one line, from the side that has many on the other")
  func links() throws {
    let links = try diagram().links
    #expect(links.map(\.line) == [.init(0, 1), .init(0, 0)])
    #expect(links.map { $0.entries.map(\.text) } == [["0..1 — *"], ["0..1 — *"]])
    #expect(links[1].entries[0].versions == 2...2)
  }

  @Test("A drawing of one version has nothing of the others; one of all marks what holds when")
  func drawing() throws {
    let all = try diagram()
    let page = all.markup(DiagramLayout(rowsOf: all.graph), title: "T")
    #expect(page.contains("data-v=\"0-1\" data-e") == false)
    #expect(page.contains("data-v=\"2-2\" data-a=\"changed\""))
    #expect(page.contains("data-v=\"0-0\" data-e"))
    let evolution = try evolution(Self.history)
    let one = EntityDiagram(evolution, tracks: evolution.tracks, versions: 1...1)
    let svg = EntityDiagram.svg(one, DiagramLayout(rowsOf: one.graph), title: "a < b & \"c\"")
    #expect(svg.contains("km: Double") && !svg.contains("metres") && !svg.contains("old"))
    #expect(!svg.contains("data-v") && svg.contains("aria-label=\"a &lt; b &amp; &quot;c&quot;\""))
  }
}
