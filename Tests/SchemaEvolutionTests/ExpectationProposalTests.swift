import SchemaModel
import Testing

@testable import SchemaEvolution

/// What a rehearsal tries, to propose what holds of the last step.
@Suite struct ExpectationProposalTests {
  private func proposals(_ bodies: String...) throws -> [String] {
    let evolution = try Manifests.evolution(bodies)
    #expect(evolution.errors.isEmpty, "\(evolution.errors)")
    return evolution.proposals(of: try #require(evolution.steps.last)).map(\.text)
  }

  private static let types = """
    types:
      Kind: { enum: String, cases: [near, far] }
      Place: { struct: { x: Int } }
    """

  private static func trip(_ properties: String, _ rest: String = "") -> String {
    """
    models:
      Trip: { properties: { \(properties) } }
    \(rest)
    \(types)
    """
  }

  @Test("Rows stay, values stay, and what is converted is what the expression makes of it")
  func everyForm() throws {
    let old = Self.trip(
      """
      name: String, note: String?, kind: Kind, place: Place, list: "[Int]", price: Double, size: Int, \
      code: Int, rides: { relationship: "[Ride]" }, guide: { relationship: Person?, inverse: trips }, \
      photo: { type: Data, externalStorage: true }
      """,
      """
        Ride: { properties: { trip: { relationship: Trip?, inverse: rides } } }
        Person: { properties: { name: String, trips: { relationship: "[Trip]" } } }
      """)
    let new = Self.trip(
      """
      title: { type: String, renamedFrom: name }, note: String?, kind: Kind, place: Place, \
      list: "[Int]", cents: { type: Int, from: price, convert: Int($0 * 100), revert: Double($0) / 100 }, \
      half: { type: Int, from: size, convert: $0 / 2, revert: $0 * 2 }, \
      mark: { type: Int, from: code, convert: 'Int(String($0))!', revert: $0 }, \
      rides: { relationship: "[Ride]" }, guide: { relationship: Person?, inverse: trips }, more: Int?, \
      photo: { type: Data, externalStorage: true }
      """,
      """
        Ride: { properties: { trip: { relationship: Trip?, inverse: rides } } }
        Person: { properties: { name: String, trips: { relationship: "[Trip]" } } }
        Fresh: { properties: { name: String } }
      expect: [count(Ride) is unchanged]
      """)
    #expect(
      try proposals(old, new) == [
        "count(Trip) is unchanged", "Trip: new.title == old.name",
        "Trip: new.note == old.note", "Trip: new.kind == old.kind",
        // Not 'Int(old.price * 100)', which traps where a price is none.
        "Trip: new.cents == (Int(exactly: (old.price * 100).rounded(.towardZero)))",
        "Trip: new.half == (old.size / 2)", "no Trip without guide", "no Trip without more",
        "no Ride without trip", "count(Person) is unchanged", "Person: new.name == old.name",
      ])
  }

  @Test("Of rows that come from several models, and of code that nobody can repeat, less is said")
  func less() throws {
    let old = """
      models:
        A: { properties: { id: Int, x: Int } }
        B: { properties: { id: Int, x: Int } }
        C: { properties: { id: Int, made: Date } }
      """
    let new = """
      models:
        AB: { from: [A, B], properties: { id: Int, x: Int } }
        C: { properties: { id: Int, age: { type: Double, from: made, convert: $0.timeIntervalSinceNow, revert: Date() } } }
      """
    #expect(
      try proposals(old, new)
        == ["count(AB) is unchanged", "count(C) is unchanged", "C: new.id == old.id"])
  }

  @Test("An enum that had other cases is another type before the step")
  func formerEnums() throws {
    func version(_ cases: String, _ kind: String, _ rest: String = "") -> String {
      "models: { Trip: { properties: { id: Int, \(kind) } } }\ntypes: { Kind: { enum: String, cases: \(cases) } }\n\(rest)"
    }
    let found = try proposals(
      version("[near, far, gone]", "kind: Kind"),
      version(
        "[near, far]", "kind: Kind", "drops: { Kind.gone: { reason: none, replacedBy: far } }"))
    #expect(found.allSatisfy { !$0.contains("old.kind") }, "\(found)")
    #expect(found.contains("count(Trip) is unchanged"))
  }
}
