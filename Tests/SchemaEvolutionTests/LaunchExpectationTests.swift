import SchemaModel
import Testing

@testable import SchemaEvolution

/// Which expectations a launch can hold, which sees a store before all steps and after all of them.
@Suite struct LaunchExpectationTests {
  /// What is held, as `V2 Trip cents: cents <- V1 Trip price: price`.
  private func held(_ bodies: String...) throws -> [String] {
    let evolution = try Manifests.evolution(bodies)
    #expect(evolution.errors.allSatisfy { $0.hasPrefix("empty-version") }, "\(evolution.errors)")
    func names(_ names: [String: String]) -> String {
      names.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }
    return evolution.launchExpectations.map { held in
      let origins = held.origins.map { origin in
        let version = evolution.history[origin.version].number.label
        return " <- V\(version) \(origin.models.joined(separator: "+"))\(names(origin.names))"
      }
      let step = evolution.history[held.step].number.label
      return "V\(step) \(held.model)\(names(held.names))\(origins.joined())"
    }
  }

  private static func trip(_ properties: String, _ rest: String = "") -> String {
    "models: { Trip: { properties: { \(properties) } } }\n\(rest)"
  }

  private static let v1 = trip("price: Double, note: String?, name: String")
  /// Converts the price.
  private static let cents =
    "cents: { type: Int, from: price, convert: 'Int($0)', revert: 'Double($0)' }"
  private static let worth = "expect: [{ Trip: 'new.cents == Int(old.price)' }]"

  @Test("A step is held for the version before it, and what is new in it for every older one")
  func oneStep() throws {
    let v2 = Self.trip(
      "\(Self.cents), note: String?, name: String",
      """
      expect:
        - count(Trip) is unchanged
        - no Trip without note
        - Trip: new.cents == Int(old.price)
        - Trip: new.cents >= 0
      """)
    #expect(
      try held(Self.v1, v2) == [
        "V2 Trip <- V1 Trip", "V2 Trip note=note <- V1 Trip note=note",
        "V2 Trip cents=cents <- V1 Trip price=price", "V2 Trip cents=cents",
      ])
  }

  @Test(
    "Rows that a later or an older step carries over have other keys, but their number and values")
  func carriedOver() throws {
    let v2 = Self.trip(
      "\(Self.cents), note: String?, name: String",
      "expect: [{ Trip: 'new.cents == Int(old.price)' }, { Trip: new.cents > 0 }, count(Trip) is unchanged]"
    )
    let v3 = """
      models: { Tour: { renamedFrom: Trip, properties: { cents: Int, note: String?, name: String } } }
      """
    let found = try held(Self.v1, v2, v3)
    #expect(found == ["V2 Tour cents=cents", "V2 Tour <- V1 Trip"])
    let equal = Self.trip(
      "cents: Int, note: String?, name: { type: String, unique: true, dedupe: { latest: name } }")
    let merged = try held(Self.v1, v2, equal)
    #expect(merged == ["V2 Trip cents=cents <- V1 Trip price=price", "V2 Trip cents=cents"])
  }

  @Test("Names are followed to the newest version and back to the oldest")
  func names() throws {
    let v2 = """
      models: { Trip: { properties: { cost: { type: Double, renamedFrom: price }, name: String } } }
      drops: { Trip.note: of no use }
      """
    let v3 = """
      models: { Trip: { properties: { cents: { type: Int, from: cost, convert: 'Int($0)', revert: 'Double($0)' }, name: String } } }
      expect: [{ Trip: 'new.cents == Int(old.cost)' }, count(Trip) is unchanged]
      """
    let v4 = """
      models: { Trip: { properties: { amount: { type: Int, renamedFrom: cents }, name: String } } }
      """
    let found = try held(Self.v1, v2, v3, v4)
    #expect(
      found == [
        "V3 Trip cents=amount <- V2 Trip cost=cost <- V1 Trip cost=price",
        "V3 Trip <- V2 Trip <- V1 Trip",
      ])
  }

  @Test(
    "What a later step makes of the values, or of the rows, takes the expectation out of sight",
    arguments: [
      // Converted once more, filled, dropped, of another type, transient.
      trip(
        "cents: { type: String, from: cents, convert: '\"\\($0)\"', revert: 'Int($0) ?? 0' }, note: String?, name: String"
      ),
      trip("note: String?, name: String", "drops: { Trip.cents: of no use }"),
      trip("cents: Double, note: String?, name: String"),
      // Code of the app's.
      trip("cents: Int, note: String?, name: String", "hooks: [after]"),
      trip("cents: Int, note: String?, name: String", "hooks: [before]"),
      // Rows that go, come or are made anew.
      "models: { Tour: { from: Trip, properties: { cents: Int, note: String?, name: String } } }",
      "models: { Other: { properties: { cents: Int } } }\ndrops: { Trip: of no use }",
    ])
  func outOfSight(later: String) throws {
    let v2 = Self.trip("\(Self.cents), note: String?, name: String", Self.worth)
    let evolution = try Manifests.evolution([Self.v1, v2, later])
    #expect(evolution.launchExpectations.isEmpty, "\(evolution.errors)")
  }

  @Test("What an older step makes of the values hides what was before it")
  func older() throws {
    let v2 = Self.trip(
      "price: { type: Double, from: price, convert: $0 * 2, revert: $0 / 2 }, note: String?, name: String"
    )
    let v3 = Self.trip(
      "\(Self.cents), note: String?, name: String",
      "expect: [{ Trip: 'new.cents == Int(old.price)' }, count(Trip) is unchanged, no Trip without note]"
    )
    #expect(
      try held(Self.v1, v2, v3) == [
        "V3 Trip cents=cents <- V2 Trip price=price",
        "V3 Trip <- V2 Trip <- V1 Trip",
        "V3 Trip note=note <- V2 Trip note=note <- V1 Trip note=note",
      ])
    let hooked = v2 + "hooks: [after]\n"
    #expect(
      try held(Self.v1, hooked, v3) == [
        "V3 Trip cents=cents <- V2 Trip price=price", "V3 Trip <- V2 Trip",
        "V3 Trip note=note <- V2 Trip note=note",
      ])
  }

  @Test(
    "A property that the step makes is asked of every row, and one that came on the way of none")
  func presence() throws {
    let before = Self.trip("price: Double")
    let v2 = Self.trip("price: Double, note: String?")
    let v3 = Self.trip(
      "price: Double, note: String?, code: { type: String?, fill: '\"x\"' }",
      "expect: [no Trip without code, no Trip without note]")
    #expect(
      try held(before, v2, v3) == [
        "V3 Trip code=code <- V2 Trip <- V1 Trip", "V3 Trip note=note <- V2 Trip note=note",
      ])
  }

  @Test("Links to one row can be seen in a column, links to many cannot")
  func links() throws {
    func version(_ rest: String = "") -> String {
      """
      models:
        Trip: { properties: { name: String, owner: { relationship: "Person?" }, stops: { relationship: "[Stop]", inverse: trip } } }
        Person: { properties: { name: String, trips: { relationship: "[Trip]", inverse: owner } } }
        Stop: { properties: { name: String, trip: { relationship: "Trip?" } } }
      \(rest)
      """
    }
    #expect(
      try held(version(), version("expect: [no Trip without owner, no Trip without stops]"))
        == ["V2 Trip owner=owner <- V1 Trip owner=owner"])
  }

  @Test("Rows of a class are those of its subclasses too, and keys are those of a table")
  func inheritance() throws {
    func version(_ sub: String, _ rest: String = "") -> String {
      """
      models:
        Trip: { properties: { name: String } }
        \(sub)
      \(rest)
      """
    }
    let tour = "Tour: { inherits: Trip, properties: { length: Int } }"
    let expect = "expect: [{ Tour: new.name == old.name }, count(Trip) is unchanged]"
    #expect(
      try held(version(tour), version(tour, expect)) == [
        "V2 Tour name=name <- V1 Tour name=name", "V2 Trip <- V1 Trip",
      ])
    // One more subclass later has no rows of old ones.
    let walk = "\(tour)\n  Walk: { inherits: Trip, properties: { steps: Int } }"
    #expect(try held(version(tour), version(tour, expect), version(walk)).count == 2)
    // Rows of a subclass that goes are rows of the class that go.
    #expect(
      try held(
        version(tour), version(tour, "expect: [count(Trip) is unchanged]"),
        version("", "drops: { Tour: of no use }"))
        == [])
  }

  @Test("Rows that are merged have a number, and no row before")
  func merged() throws {
    let v1 = """
      models: { Trip: { properties: { name: String } }, Tour: { properties: { name: String } } }
      """
    let v2 = """
      models: { Way: { from: [Trip, Tour], properties: { name: String } } }
      expect: [count(Way) is unchanged]
      """
    let found = try held(v1, v2)
    #expect(found == ["V2 Way <- V1 Trip+Tour"])
  }

  @Test("An enum whose cases are renamed has other values in its column")
  func cases() throws {
    let v1 =
      "models: { A: { properties: { mood: Mood } } }\ntypes: { Mood: { enum: String, cases: [calm, wild] } }"
    let v2 = "\(v1)\nexpect: [{ A: new.mood == old.mood }]"
    #expect(try held(v1, v2) == ["V2 A mood=mood <- V1 A mood=mood"])
    let v3 =
      "models: { A: { properties: { mood: Mood } } }\ntypes: { Mood: { enum: String, cases: [calm, { feral: { renamedFrom: wild } }] } }"
    #expect(try held(v1, v2, v3) == [])
  }
}
