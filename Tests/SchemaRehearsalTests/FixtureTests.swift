import Foundation
import ManagedModels
import RehearsalHarness
import SchemaEvolution
import SchemaModel
import SchemaRehearsal
import TestSupport
import Testing

@Suite struct FixtureTests {
  private static let manifests = [
    """
    models:
      Habit:
        properties:
          name: String
          kind: Kind = Kind.binary
          goal: Double?
          seen: UInt16 = 0
          total: UInt32 = 0
          since: Date = Date.distantPast
          isOn: Bool = true
          data: Data?
          id: UUID?
          tags: "[String] = []"
          mood: Mood?
          place: Place?
          plan: { type: Data, default: Data(), encodes: Place, fallback: 'Place(street: "")' }
          category: { relationship: Category?, inverse: habits }
      Category: { properties: { title: String, habits: { relationship: '[Habit]' } } }
    types:
      Kind: { enum: String, cases: [binary, numeric] }
      Mood: { enum: none, cases: [glad, sad] }
      Place: { struct: { street: String, number: 'Int?' } }
    """
  ]

  private func read(_ text: String) throws -> Fixture {
    let evolution = try Histories.evolution(Self.manifests)
    return Fixture(SourceFile(path: "rows.json", text: text), for: evolution.history)
  }

  @Test func valuesOfAllKinds() throws {
    let fixture = try read(
      """
      { "V1": {
        "Habit": [
          { "$label": "run", "name": "Run", "kind": "numeric", "goal": 2.5,
            "seen": 65535, "total": 4294967295, "since": "2001-01-01T00:01:00Z",
            "isOn": false, "data": "AQI=", "id": "00000000-0000-0000-0000-0000000000FF",
            "tags": ["a", "b"], "mood": "sad", "place": { "street": "Main", "number": null },
            "plan": "{\\"street\\": \\"x\\"}", "category": "@sport" },
          { "name": "Walk" }
        ],
        "Category": [ { "$label": "sport", "title": "Sport" } ]
      } }
      """)
    #expect(fixture.diagnostics == [])
    let rows = try #require(fixture.rows[0])
    let run = try #require(rows.first { $0.label == "run" })
    #expect(run.values["name"] == .stored(.text("Run")))
    #expect(run.values["kind.rawValue"] == .stored(.text("numeric")))
    #expect(run.values["goal"] == .stored(.real(2.5)))
    #expect(run.values["seen"] == .stored(.integer(65_535)))
    #expect(run.values["total"] == .stored(.integer(4_294_967_295)))
    #expect(run.values["since"] == .stored(.real(60)))
    #expect(run.values["isOn"] == .stored(.integer(0)))
    #expect(run.values["data"] == .stored(.blob(Data([1, 2]))))
    #expect(run.values["id"] == .stored(.blob(Data(repeating: 0, count: 15) + [0xFF])))
    #expect(run.values["tags"] == .archived([.text("a"), .text("b")], of: .string))
    #expect(run.values["mood.sad"] == .stored(.text("{}")))
    #expect(run.values["place.street"] == .stored(.text("Main")))
    #expect(run.values["place.number"] == nil)
    #expect(run.links == ["category": ["sport"]])
    let walk = try #require(rows.first { $0.label == "Habit fixture 2" })
    #expect(walk.values["kind.rawValue"] == .stored(.text("binary")))
    #expect(walk.values["tags"] == .modelDefault)
  }

  /// A link may be written at either end; it stands where the store keeps it.
  @Test func linksFromTheOtherEnd() throws {
    let fixture = try read(
      """
      V1:
        Category: [{ $label: sport, title: Sport, habits: ["@run"] }]
        Habit: [{ $label: run, name: Run }]
      """)
    #expect(fixture.diagnostics == [])
    #expect(fixture.rows[0]?.first { $0.label == "run" }?.links == ["category": ["sport"]])
    #expect(fixture.rows[0]?.first { $0.label == "sport" }?.links == [:])
  }

  static let bad: [(text: String, message: String)] = [
    ("", "the file is empty, or holds nothing but comments"),
    ("[]", "a fixture is a mapping from versions, not a list"),
    ("{ V7: {} }", "there is no version 'V7'"),
    ("{ V1: { Habbit: [] } }", "V1 has no model 'Habbit'"),
    ("{ V1: { Habit: {} } }", "'Habit' is a list of rows, not a mapping"),
    ("{ V1: { Habit: [1] } }", "a row is a mapping from properties, not text"),
    ("{ V1: { Habit: [{ nam: x, name: y }] } }", "'Habit' has no property 'nam' in V1"),
    ("{ V1: { Habit: [{}] } }", "'Habit.name' is required and missing"),
    ("{ V1: { Habit: [{ name: null }] } }", "'Habit.name': it is required and cannot be null"),
    ("{ V1: { Habit: [{ name: x, goal: y }] } }", "'Habit.goal': 'y' is not a number"),
    (
      "{ V1: { Habit: [{ name: x, seen: 65536 }] } }",
      "'Habit.seen': '65536' is not a whole number"
    ),
    (
      "{ V1: { Habit: [{ name: x, kind: y }] } }",
      "'Habit.kind': no case of 'Kind' has this raw value"
    ),
    ("{ V1: { Habit: [{ name: x, mood: y }] } }", "'Habit.mood': 'Mood' has no case 'y'"),
    ("{ V1: { Habit: [{ name: x, tags: y }] } }", "'Habit.tags': it is a list, not text"),
    (
      "{ V1: { Habit: [{ name: x, place: { stret: y } }] } }",
      "'Habit.place': 'Place' has no field 'stret'"
    ),
    ("{ V1: { Habit: [{ name: x, plan: {} }] } }", "'Habit.plan': it is stored as JSON"),
    (
      "{ V1: { Habit: [{ name: x, category: y }] } }", "a link is '@' and a label, as in \"@sport\""
    ),
    ("{ V1: { Habit: [{ name: x, category: '@y' }] } }", "no row has the label 'y'"),
    (
      "{ V1: { Habit: [{ $label: a, name: x, category: '@a' }] } }",
      "'category' leads to 'Category', and 'a' is a 'Habit'"
    ),
    (
      "{ V1: { Habit: [{ $label: a, name: x }, { $label: a, name: y }] } }",
      "the label 'a' is taken"
    ),
    ("{ V1: { Habit: [{ $label: a b, name: x }] } }", "a label is one word"),
  ]

  @Test(arguments: bad) func whatDoesNotFit(_ text: String, _ message: String) throws {
    let diagnostics = try read(text).diagnostics
    #expect(diagnostics.map(\.message) == [message])
    #expect(diagnostics.allSatisfy { $0.location?.file == "rows.json" })
  }

  /// The code is compiled with the newest enums: no row can be made with a case that they lack.
  @Test(arguments: [
    (
      "String", "'Habit.mood': a newer version no longer has the case of 'Mood' with this raw value"
    ),
    ("none", "'Habit.mood': a newer version no longer has 'Mood.sad'"),
  ])
  func caseOfThisVersionOnly(_ raw: String, _ message: String) throws {
    func version(_ cases: String, _ more: String = "") -> String {
      """
      models: { Habit: { properties: { name: String, mood: Mood?\(more) } } }
      types: { Mood: { enum: \(raw), cases: \(cases) } }

      """
    }
    let evolution = try Histories.evolution([
      version("[glad, sad]"),
      version("[glad]", ", more: Int?") + "drops: { Mood.sad: nobody was }\n",
    ])
    for (name, isKnown) in [("sad", true), ("bad", false)] {
      let text = "{ V1: { Habit: [{ name: x, mood: \(name) }] } }"
      let found = Fixture(SourceFile(path: "rows.json", text: text), for: evolution.history)
        .diagnostics
      #expect(found.count == 1 && found[0].message.hasPrefix(message) == isKnown, "\(found)")
    }
  }

  @Test func suggestions() throws {
    #expect(try read("{ V1: { Habbit: [] } }").diagnostics.first?.help == ["did you mean 'Habit'?"])
    #expect(Fixture(missing: "x.json").diagnostics.first?.message == "there is no fixture 'x.json'")
  }

  /// A user's rows stand in the plan as they were written, and generated rows make room for them.
  @Test func rowsAreTakenAsTheyAre() throws {
    let evolution = try Histories.evolution([
      "models: { A: { properties: { id: { type: Int, unique: true } } } }",
      "models: { A: { properties: { id: { type: Int, unique: true }, more: Int? } } }",
    ])
    let plain = RehearsalPlanner(evolution).plan()
    guard case .stored(.integer(let taken))? = plain.versions[0].rows[0].values["id"] else {
      Issue.record("the first row has no id")
      return
    }
    let fixture = Fixture(
      SourceFile(path: "rows.json", text: "{ V1: { A: [{ $label: mine, id: \(taken) }] } }"),
      for: evolution.history)
    let rows = RehearsalPlanner(evolution, fixture: fixture).plan().versions[0].rows
    #expect(rows.first?.label == "mine")
    #expect(rows.first?.values["id"] == .stored(.integer(taken)))
    let ids = rows.map { $0.values["id"] }
    #expect(Set(ids).count == ids.count)
  }
}
