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
    return EntityDiagram(tracks: evolution.tracks, versions: 0...2)
  }

  @Test(
    "A property's row in the diagram has an entry for each name or type that the property has had")
  func boxes() throws {
    let trip = try #require(diagram().boxes.first)
    #expect(trip.names.map(\.text) == ["Trip"] && trip.names[0].versions == 0...2)
    let rows = trip.rows.map { row in
      row.entries.map { entry in
        "\(entry.text) \(entry.versions.lowerBound)-\(entry.versions.upperBound)"
          + (entry.arrival.map { " \($0.rawValue)" } ?? "") + (entry.ends ? " ends" : "")
      }.joined(separator: " | ")
    }
    #expect(
      rows == [
        "id: UUID unique 0-2 ends", "km: Double 0-1 | metres: Double 2-2 changed ends",
        "old: String? 0-0 ends", "stops: [Stop] cascade ↔ trip 0-2 ends",
        "new: String? 2-2 added ends", "next: Trip? ↔ before 2-2 added ends",
        "before: [Trip] ↔ next 2-2 added ends",
      ])
  }

  @Test("A relationship and its inverse are drawn as one line")
  func lines() throws {
    let dot = EntityDiagram.dot(try evolution(Self.history).history[2], title: "a \"b\" & c")
    let lines = dot.split(separator: "\n").filter { $0.contains(" -> ") }
    #expect(
      lines == [
        "  \"Trip\" -> \"Stop\" [label=\"0..1 — *\"];",
        "  \"Trip\" -> \"Trip\" [label=\"0..1 — *\"];",
      ])
    #expect(dot.hasPrefix("digraph \"a \\\"b\\\" & c\" {\n"))
    #expect(dot.contains("metres: Double") && !dot.contains("km") && !dot.contains("old"))
  }

  @Test("A page marks what each version contains, and shows the newest version without a script")
  func page() throws {
    let page = try diagram().html
    for fragment in [
      "<span class=\"p off\" data-v=\"0-1\">km: Double</span>",
      "<span class=\"p\" data-v=\"2-2\" data-a=\"changed\">metres: Double</span>",
      "<span class=\"p off\" data-v=\"0-0\" data-e>old: String?</span>",
      "<div class=\"b\" data-v=\"0-2\"><div class=\"h\">",
    ] {
      #expect(page.contains(fragment), "\(fragment) in \(page)")
    }
    let evolution = try evolution(Self.history)
    let one = EntityDiagram(tracks: evolution.tracks, versions: 1...1).html
    #expect(one.contains("km: Double") && !one.contains("metres") && !one.contains("data-v"))
  }
}
