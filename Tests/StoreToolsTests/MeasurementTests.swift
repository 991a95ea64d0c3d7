import Foundation
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// One step, one store, and the measurement of one change.
struct MeasurementExample: Sendable, CustomTestStringConvertible {
  var name: String
  /// The text below `models:`, followed by types and other keys in column 0.
  var old: String
  var new: String
  var rows: [Row] = []
  var links: [Link] = []
  /// The change's rule and element.
  var change: String
  var outcome: RowMeasurements.Outcome
  var text: String
  var count: Int64?
  var examples: [String] = []

  struct Row: Sendable {
    var entity: String
    var values: [String: StoredValue]

    init(_ entity: String, _ values: [String: StoredValue] = [:]) {
      self.entity = entity
      self.values = values
    }
  }

  struct Link: Sendable {
    var source: (entity: String, key: Int64)
    var relationship: String
    var destinations: [(entity: String, key: Int64)]
  }

  var testDescription: String { name }
}

@Suite struct MeasurementTests {
  typealias Row = MeasurementExample.Row

  static func trips(_ property: String, _ rest: String = "") -> String {
    "  Trip:\n    properties:\n      id: Int\n      \(property)\n" + rest
  }

  /// Trips with one value each.
  static func values(_ values: [StoredValue], _ path: String = "x") -> [Row] {
    values.enumerated().map {
      Row("Trip", ["id": .integer(Int64($0.offset)), path: $0.element])
    }
  }

  static let attributes: [MeasurementExample] = [
    MeasurementExample(
      name: "nil in what becomes required", old: trips("x: Int?"), new: trips("x: Int"),
      rows: values([.integer(1), .null, .null]), change: "required-without-fill Trip.x",
      outcome: .fails, text: "2 of 3 rows hold nil", count: 2, examples: ["Trip 2", "Trip 3"]),
    MeasurementExample(
      name: "no nil in what becomes required", old: trips("x: Int?"), new: trips("x: Int"),
      rows: values([.integer(1)]), change: "required-without-fill Trip.x",
      outcome: .kept, text: "no row holds nil", count: 0),
    MeasurementExample(
      name: "nil with a default", old: trips("x: Int?"), new: trips("x: Int = 7"),
      rows: values([.integer(1), .null]), change: "attribute-made-required-defaulted Trip.x",
      outcome: .handled, text: "1 of 2 rows holds nil: the default takes its place", count: 1,
      examples: ["Trip 2"]),
    MeasurementExample(
      name: "nil with a fill", old: trips("x: Int?"), new: trips("x: { type: Int, fill: 7 }"),
      rows: values([.integer(1), .null]), change: "attribute-made-required-filled Trip.x",
      outcome: .handled, text: "1 of 2 rows holds nil: 'fill' takes its place", count: 1,
      examples: ["Trip 2"]),
    MeasurementExample(
      name: "required without a default", old: trips("x: Int"),
      new: trips("y: Int", "drops: { Trip.x: old }\n"),
      rows: values([.integer(1), .integer(2)]), change: "missing-default Trip.y",
      outcome: .fails, text: "2 rows would have no value", count: 2),
    MeasurementExample(
      name: "required without a default, and no row", old: trips("x: Int"),
      new: trips("x: Int\n      y: Int"), change: "missing-default Trip.y",
      outcome: .kept, text: "there are no rows", count: 0),
    MeasurementExample(
      name: "a new enum that is required", old: trips("x: Int"),
      new: trips("x: Int\n      s: S = S.a", "types: { S: { enum: String, cases: [a] } }\n"),
      rows: values([.integer(1)]), change: "null-trap Trip.s",
      outcome: .fails, text: "1 row would hold NULL, and reading such a row traps", count: 1),
    MeasurementExample(
      name: "an enum that becomes required",
      old: trips("s: S?", "types: { S: { enum: String, cases: [a] } }\n"),
      new: trips("s: S", "types: { S: { enum: String, cases: [a] } }\n"),
      rows: values([.text("a"), .null], "s.rawValue"), change: "enum-made-required Trip.s",
      outcome: .fails, text: "1 of 2 rows holds nil, and reading such a row traps", count: 1,
      examples: ["Trip 2"]),
    MeasurementExample(
      name: "a new default", old: trips("x: Int"), new: trips("x: Int\n      y: Int = 1"),
      rows: values([.integer(1)]), change: "defaulted-attribute-added Trip.y",
      outcome: .handled, text: "1 row gets the default anyway", count: 1),
    MeasurementExample(
      name: "a new fill", old: trips("x: Int"),
      new: trips("x: Int\n      y: { type: Int, fill: 1 }"),
      rows: values([.integer(1)]), change: "attribute-filled Trip.y",
      outcome: .handled, text: "'fill' gives 1 row a value", count: 1),
    MeasurementExample(
      name: "a conversion", old: trips("x: Int"),
      new: trips("y: { type: String, from: x, convert: '\"\\($0)\"' }"),
      rows: values([.integer(1), .integer(2)]), change: "attribute-converted Trip.y",
      outcome: .handled, text: "'convert' makes a value for 2 rows of 'x'", count: 2),
    MeasurementExample(
      name: "a drop that nobody acknowledged", old: trips("x: Int?"), new: trips("y: String?"),
      rows: values([.integer(1), .null, .integer(3)]), change: "attribute-removed Trip.x",
      outcome: .lost, text: "2 of 3 rows have a value, which is dropped", count: 2,
      examples: ["Trip 1", "Trip 3"]),
    MeasurementExample(
      name: "a drop that was acknowledged", old: trips("x: Int?"),
      new: trips("y: String?", "drops: { Trip.x: never read }\n"), rows: values([.integer(1)]),
      change: "attribute-removed Trip.x", outcome: .acknowledged,
      text: "1 of 1 row has a value, which is dropped", count: 1, examples: ["Trip 1"]),
    MeasurementExample(
      name: "a drop of nothing", old: trips("x: Int?"), new: trips("y: String?"),
      rows: values([.null]), change: "attribute-removed Trip.x", outcome: .kept,
      text: "no row has a value", count: 0),
    MeasurementExample(
      name: "a model that goes", old: trips("x: Int?") + "  Stop:\n    properties:\n      n: Int\n",
      new: trips("x: Int?"),
      rows: [Row("Stop", ["n": .integer(1)]), Row("Stop", ["n": .integer(2)])],
      change: "model-removed Stop", outcome: .lost, text: "2 rows are dropped", count: 2),
    MeasurementExample(
      name: "a model under another name", old: trips("x: Int?"),
      new: "  Tour:\n    renamedFrom: Trip\n    properties:\n      id: Int\n      x: Int?\n",
      rows: values([.integer(1)]), change: "model-renamed Tour", outcome: .handled,
      text: "1 row is carried over", count: 1),
  ]

  static func cast(
    _ old: String, _ new: String, _ kept: [StoredValue], _ lost: [StoredValue],
    _ rule: String = "number-type-changed"
  ) -> MeasurementExample {
    MeasurementExample(
      name: "\(old) as \(new)", old: trips("x: \(old)"), new: trips("x: \(new)"),
      rows: values(kept + lost), change: "\(rule) Trip.x", outcome: .lost,
      text: "\(lost.count) of \(kept.count + lost.count) rows", count: Int64(lost.count),
      examples: lost.indices.prefix(5).map { "Trip \(kept.count + $0 + 1)" })
  }

  static let casts: [MeasurementExample] = [
    cast(
      "Int", "Int16", [.integer(-32768), .integer(32767)], [.integer(32768), .integer(-32769)]),
    cast(
      "Int", "Int32", [.integer(2_147_483_647)], [.integer(2_147_483_648), .integer(.min)]),
    cast("Int", "Bool", [.integer(0), .integer(1)], [.integer(2), .integer(-1)]),
    cast(
      "Int", "Double", [.integer(1 << 53), .integer(.min)],
      [.integer((1 << 53) + 1), .integer(.max)]),
    cast("Int", "Float", [.integer(1 << 24)], [.integer((1 << 24) + 1)]),
    cast("Double", "Int", [.real(3), .real(-0.0)], [.real(3.5), .real(1e300), .real(9.3e18)]),
    cast("Double", "Float", [.real(0.5), .real(16_777_216)], [.real(0.1), .real(1e300)]),
    cast("Double", "Bool", [.real(0), .real(1)], [.real(0.5)]),
    cast("Double", "Decimal", [.real(0.1)], [.real(.infinity)]),
    cast("Decimal", "Double", [.real(0.5)], [.integer((1 << 53) + 1)]),
    cast("Decimal", "Int", [.integer(7), .real(7)], [.real(7.5), .text("99999999999999999999")]),
    cast("Float", "Int16", [.real(1)], [.real(40_000)]),
    cast("Int", "UInt64", [.integer(0)], [.integer(-1)], "number-range-changed"),
    cast("Int16", "UInt8", [.integer(255)], [.integer(256), .integer(-1)], "number-range-changed"),
  ]

  static let uniques: [MeasurementExample] = [
    MeasurementExample(
      name: "equal rows before a unique", old: trips("x: String?"),
      new: trips("x: { type: String?, unique: true }"),
      rows: values([.text("a"), .text("b"), .text("a"), .null, .null, .text("b"), .text("a")]),
      change: "unique-added Trip.x", outcome: .fails, text: "2 values are in 5 rows", count: 5,
      examples: ["Trip 1", "Trip 7", "Trip 2", "Trip 6"]),
    MeasurementExample(
      name: "no equal rows before a unique", old: trips("x: String?"),
      new: trips("x: { type: String?, unique: true }"),
      rows: values([.text("a"), .text("A"), .null, .null]), change: "unique-added Trip.x",
      outcome: .kept, text: "no two rows are equal", count: 0),
    MeasurementExample(
      name: "equal rows that are told apart", old: trips("x: String?"),
      new: trips("x: { type: String?, unique: true, dedupe: { latest: id } }"),
      rows: values([.text("a"), .text("b"), .text("a"), .text("a")]),
      change: "unique-deduped Trip.x", outcome: .handled,
      text: "1 value is in 3 rows: 'dedupe' keeps one row for each value, and 2 rows are dropped",
      count: 2,
      examples: ["Trip 1", "Trip 4"]),
    MeasurementExample(
      name: "equal rows under another name", old: trips("x: String"),
      new: trips("y: { type: String, renamedFrom: x, unique: true }"),
      rows: values([.text("a"), .text("a")]), change: "unique-added Trip.y", outcome: .fails,
      text: "1 value is in 2 rows", count: 2, examples: ["Trip 1", "Trip 2"]),
    MeasurementExample(
      name: "rows alike in two properties", old: trips("x: String"),
      new: trips("x: String", "    unique: [[id, x]]\n"),
      rows: values([.text("a"), .text("b")])
        + [
          Row("Trip", ["id": .integer(0), "x": .text("a")]),
          Row("Trip", ["id": .integer(0), "x": .text("c")]),
        ],
      change: "compound-unique-added Trip", outcome: .fails, text: "1 value is in 2 rows", count: 2,
      examples: ["Trip 1", "Trip 3"]),
    MeasurementExample(
      name: "a unique that all rows would break", old: trips("x: String"),
      new: trips("x: String\n      y: { type: Int, default: 1, unique: true }"),
      rows: values([.text("a"), .text("b")]), change: "unique-added Trip.y", outcome: .fails,
      text: "2 rows would get the same value", count: 2),
    MeasurementExample(
      name: "a unique that the only row does not break", old: trips("x: String"),
      new: trips("x: String\n      y: { type: Int, default: 1, unique: true }"),
      rows: values([.text("a")]), change: "unique-added Trip.y", outcome: .kept,
      text: "1 row: none is equal", count: 1),
    MeasurementExample(
      name: "a unique that nils would break", old: trips("x: { type: Int?, unique: true }"),
      new: trips("x: { type: Int, default: 1, unique: true }"),
      rows: values([.integer(1), .null, .null]), change: "unique-added Trip.x", outcome: .fails,
      text: "2 of 3 rows hold nil and would get the same value", count: 2,
      examples: ["Trip 2", "Trip 3"]),
  ]

  static let enumeration = "types: { S: { enum: String, cases: { a: a, b: 'say \"b\"' } } }\n"

  static let types: [MeasurementExample] = [
    MeasurementExample(
      name: "a case that rows have is gone", old: trips("s: S", enumeration),
      new: trips("s: S", "types: { S: { enum: String, cases: [a] } }\ndrops: { S.b: nobody }\n"),
      rows: values([.text("a"), .text("say \"b\""), .text("say \"b\"")], "s.rawValue"),
      change: "enum-case-removed S.b", outcome: .fails,
      text: "2 rows have the case, and cannot be read any more", count: 2,
      examples: ["Trip 2", "Trip 3"]),
    MeasurementExample(
      name: "another case takes the place of one", old: trips("s: S", enumeration),
      new: trips(
        "s: S",
        "types: { S: { enum: String, cases: [a] } }\n"
          + "drops: { S.b: { reason: it is a, replacedBy: a } }\n"),
      rows: values([.text("a"), .text("say \"b\"")], "s.rawValue"),
      change: "enum-case-replaced S.b", outcome: .handled,
      text: "1 row has the case, and gets another case", count: 1, examples: ["Trip 2"]),
    MeasurementExample(
      name: "a case has another name and raw value", old: trips("s: S", enumeration),
      new: trips(
        "s: S", "types: { S: { enum: String, cases: [a, c: { renamedFrom: b }] } }\n"),
      rows: values([.text("a"), .text("say \"b\"")], "s.rawValue"),
      change: "enum-case-carried S.c", outcome: .handled,
      text: "1 row has the case, and gets another case", count: 1, examples: ["Trip 2"]),
    MeasurementExample(
      name: "a case that no row has is gone", old: trips("s: S", enumeration),
      new: trips("s: S", "types: { S: { enum: String, cases: [a] } }\n"),
      rows: values([.text("a")], "s.rawValue"), change: "enum-case-removed S.b", outcome: .kept,
      text: "no row has the case", count: 0),
    MeasurementExample(
      name: "a case is called otherwise, and is the same in rows", old: trips("s: S", enumeration),
      new: trips("s: S", "types: { S: { enum: String, cases: { c: a, b: 'say \"b\"' } } }\n"),
      rows: values([.text("a")], "s.rawValue"), change: "enum-case-removed S.a", outcome: .kept,
      text: "no row has the case", count: 0),
    MeasurementExample(
      name: "a raw value changed",
      old: trips("s: S", "types: { S: { enum: Int, cases: { a: 1, b: 2 } } }\n"),
      new: trips("s: S", "types: { S: { enum: Int, cases: { a: 1, b: 3 } } }\n"),
      rows: values([.integer(1), .integer(2)], "s.rawValue"), change: "raw-value-changed S.b",
      outcome: .fails, text: "1 row has the case, and cannot be read any more", count: 1,
      examples: ["Trip 2"]),
    MeasurementExample(
      name: "another enum, which lacks a value", old: trips("s: S", enumeration),
      new: trips("s: T", "types: { T: { enum: String, cases: [a, z] } }\n"),
      rows: values([.text("a"), .text("say \"b\"")], "s.rawValue"),
      change: "raw-value-changed Trip.s", outcome: .fails,
      text: "1 of 2 rows has a value that means another case of T, or no case", count: 1,
      examples: ["Trip 2"]),
    MeasurementExample(
      name: "another enum, in which a value is another case",
      old: trips("s: S", "types: { S: { enum: Int, cases: { a: 1, b: 2 } } }\n"),
      new: trips("s: T", "types: { T: { enum: Int, cases: { z: 1, a: 3, b: 2 } } }\n"),
      rows: values([.integer(1), .integer(2)], "s.rawValue"),
      change: "raw-value-changed Trip.s", outcome: .fails,
      text: "1 of 2 rows has a value that means another case of T, or no case", count: 1,
      examples: ["Trip 1"]),
    MeasurementExample(
      name: "a struct loses a field",
      old: trips("p: P?", "types: { P: { struct: { a: Int, b: Int? } } }\n"),
      new: trips("p: P?", "types: { P: { struct: { a: Int } } }\n"),
      rows: [
        Row("Trip", ["id": .integer(1), "p.a": .integer(1), "p.b": .integer(2)]),
        Row("Trip", ["id": .integer(2), "p.a": .integer(1)]),
      ],
      change: "struct-field-removed P.b", outcome: .lost,
      text: "1 row has a value, which is dropped",
      count: 1, examples: ["Trip 1"]),
    MeasurementExample(
      name: "a struct gets a field that must be there",
      old: trips("p: P?", "types: { P: { struct: { a: Int } } }\n"),
      new: trips("p: P?", "types: { P: { struct: { a: Int, b: Int } } }\n"),
      rows: [
        Row("Trip", ["id": .integer(1), "p.a": .integer(1)]), Row("Trip", ["id": .integer(2)]),
      ],
      change: "struct-field-null-trap P.b", outcome: .unknown,
      text: "1 row has a value: it may not be readable afterwards", count: 1,
      examples: ["Trip 1"]),
    MeasurementExample(
      name: "another type altogether", old: trips("x: Int?"), new: trips("x: String?"),
      rows: values([.integer(1), .null]), change: "type-changed Trip.x", outcome: .fails,
      text: "the step fails whatever the rows hold; 1 of 2 rows has a value", count: 1),
    MeasurementExample(
      name: "other JSON", old: trips("x: { type: Data?, encodes: '[Int]' }"),
      new: trips("x: { type: Data?, encodes: '[String]' }"),
      rows: values([.blob(Data("[1]".utf8)), .null]), change: "encoded-type-changed Trip.x",
      outcome: .unknown,
      text: "1 of 2 rows has a value: it may not be readable afterwards",
      count: 1, examples: ["Trip 1"]),
  ]

  static func linked(_ trip: String, _ stop: String, _ rest: String = "") -> String {
    "  Trip:\n    properties:\n      id: Int\n\(trip)  Stop:\n    properties:\n      n: Int\n\(stop)"
      + rest
  }

  /// Two trips and three stops: two of the first trip, one of none.
  static let stops = [
    Row("Trip", ["id": .integer(1)]), Row("Trip", ["id": .integer(2)]),
    Row("Stop", ["n": .integer(1), "trip": .integer(1)]),
    Row("Stop", ["n": .integer(2), "trip": .integer(1)]), Row("Stop", ["n": .integer(3)]),
  ]
  static let many = "      stops: { relationship: '[Stop]', inverse: trip }\n"
  static let one = "      trip: { relationship: Trip? }\n"

  static let relationships: [MeasurementExample] = [
    MeasurementExample(
      name: "a link becomes mandatory", old: linked(many, one),
      new: linked(many, "      trip: { relationship: Trip }\n"), rows: stops,
      change: "relationship-made-required Stop.trip", outcome: .fails,
      text: "1 of 3 rows has no link", count: 1, examples: ["Stop 3"]),
    MeasurementExample(
      name: "a new mandatory link", old: linked("", ""),
      new: linked("", "      trip: { relationship: Trip }\n"),
      rows: [Row("Stop", ["n": .integer(1)])], change: "mandatory-relationship Stop.trip",
      outcome: .fails, text: "1 row would have no link", count: 1),
    MeasurementExample(
      name: "links that go", old: linked(many, one), new: linked("", ""), rows: stops,
      change: "relationship-removed Stop.trip", outcome: .lost,
      text: "2 of 3 rows have links, which are dropped", count: 2, examples: ["Stop 1", "Stop 2"]),
    MeasurementExample(
      name: "links that stay at the other end", old: linked(many, one),
      new: linked("", one, "drops: { Trip.stops: unused }\n"), rows: stops,
      change: "relationship-removed Trip.stops", outcome: .kept, text: "links stay in 'Stop.trip'",
      count: 1),
    MeasurementExample(
      name: "several of which one is wanted", old: linked(many, one),
      new: linked(
        "      stop: { relationship: Stop?, from: stops, convert: { function: first } }\n", one,
        ""),
      rows: stops, change: "relationship-filled Trip.stop", outcome: .handled,
      text: "'convert' makes a value for 2 rows of 'stops'; 1 of 2 rows leads to several", count: 2),
    MeasurementExample(
      name: "several where one is allowed", old: linked(many, one),
      new: linked("      stops: { relationship: 'Stop?', inverse: trip }\n", one), rows: stops,
      change: "to-many-to-one Trip.stops", outcome: .fails,
      text: "the step fails whatever the rows hold; 1 of 2 rows leads to several rows", count: 1,
      examples: ["Trip 1"]),
    MeasurementExample(
      name: "another destination", old: linked("", one),
      new: linked("", "      trip: { relationship: Stop? }\n"), rows: stops,
      change: "destination-changed Stop.trip", outcome: .lost,
      text: "2 of 3 rows have links, which would lead to other rows", count: 2,
      examples: ["Stop 1", "Stop 2"]),
    MeasurementExample(
      name: "several, with a new inverse", old: linked("", one),
      new: linked(
        "      stops: { relationship: '[Stop]' }\n",
        "      trip: { relationship: '[Trip]', inverse: stops }\n"), rows: stops,
      change: "to-one-to-many-new-inverse Stop.trip", outcome: .lost,
      text: "2 of 3 rows have links", count: 2, examples: ["Stop 1", "Stop 2"]),
    MeasurementExample(
      name: "narrower bounds", old: linked(many, one),
      new: linked("      stops: { relationship: '[Stop]', inverse: trip, maximum: 1 }\n", one),
      rows: stops, change: "relationship-narrowed Trip.stops", outcome: .fails,
      text: "1 of 2 rows is outside the new bounds", count: 1, examples: ["Trip 1"]),
    MeasurementExample(
      name: "rows that several lead to",
      old: linked("", "      trips: { relationship: '[Trip]', inverse: seen }\n")
        .replacingOccurrences(
          of: "id: Int\n", with: "id: Int\n      seen: { relationship: '[Stop]' }\n"),
      new: linked("", "      trips: { relationship: '[Trip]' }\n")
        .replacingOccurrences(
          of: "id: Int\n", with: "id: Int\n      seen: { relationship: '[Stop]' }\n"),
      rows: stops.map { Row($0.entity, $0.values.filter { $0.key != "trip" }) },
      links: [
        .init(source: ("Stop", 1), relationship: "trips", destinations: [("Trip", 1)]),
        .init(
          source: ("Stop", 2), relationship: "trips", destinations: [("Trip", 1), ("Trip", 2)]),
      ],
      change: "relationship-made-exclusive Stop.trips", outcome: .lost,
      text: "1 row is the target of several rows, and only one of the linking rows keeps its link",
      count: 1,
      examples: ["Trip 1"]),
  ]

  /// Writes the store of an example's first version.
  private func write(_ example: MeasurementExample, _ evolution: Evolution, to path: String) throws
  {
    let model = VersionModel.chain(of: evolution)[0].model
    let store = try StoreFile(at: .file(URL(filePath: path)))
    try store.create(model)
    try insert(example.rows, example.links, into: store)
  }

  private func insert(
    _ rows: [Row], _ links: [MeasurementExample.Link] = [], into store: StoreFile
  ) throws {
    var changes = StoreChanges()
    for row in rows {
      let key = try #require(try store.allocateKeys(of: row.entity, count: 1).first)
      let slots = store.layout(of: row.entity).slots
      #expect(row.values.keys.allSatisfy { name in slots.contains { $0.path == name } })
      changes.inserted.append(
        StoreRow(
          id: ObjectID(entity: row.entity, key: key),
          values: slots.map { row.values[$0.path] ?? .null }))
    }
    for link in links {
      changes.links.append(
        StoreChanges.Link(
          source: ObjectID(entity: link.source.entity, key: link.source.key),
          relationship: link.relationship,
          destinations: link.destinations.map { ObjectID(entity: $0.entity, key: $0.key) }))
    }
    try store.apply(changes)
  }

  private func evolution(_ versions: [String]) throws -> Evolution {
    let files = versions.enumerated().map { index, text in
      SourceFile(
        path: "S/V\(index + 1).yaml", text: "version: \(index + 1).0.0\nmodels:\n" + text)
    }
    let folder = SchemaFolder.read("S", fileSystem: MemoryFiles(files))
    return try #require(folder.evolution, "\(folder.diagnostics)")
  }

  @Test(
    "Measuring a change counts the rows that it affects",
    arguments: attributes + casts + uniques + types + relationships)
  func one(_ example: MeasurementExample) throws {
    try withTemporaryFolder { folder in
      let evolution = try evolution([example.old, example.new])
      let path = folder + "/one.store"
      try write(example, evolution, to: path)
      let before = try Stores.contents(folder)
      let measurements = try StoreMeasurement.measure(
        storeAt: URL(filePath: path), named: "one.store", in: evolution, from: nil)
      #expect(try Stores.contents(folder) == before)
      let changes = evolution.steps[0].changes.map { "\($0.ruleID) \($0.element)" }
      let place = try #require(
        evolution.steps[0].changes.indices.last { changes[$0] == example.change }, "\(changes)")
      let found = measurements.finding(
        stepTo: evolution.steps[0].new.number, change: place)
      #expect(found?.outcome == example.outcome, "\(String(describing: found))")
      #expect(found?.text.contains(example.text) == true, "\(String(describing: found))")
      #expect(found?.rows == example.count)
      #expect(found?.examples == example.examples)
      // Each format has the whole measurement, but no value of a row.
      let report = DiffReport(evolution, measurements: measurements)
      for format in DiffReport.Format.allCases {
        #expect(report.render(format).contains(example.outcome.rawValue))
      }
      #expect(report.gravestOutcome ?? .kept >= example.outcome)
    }
  }

  // MARK: Several steps

  private func measure(
    _ versions: [String], _ rows: [Row], from wanted: VersionNumber? = nil, index: Int = 0,
    work: (StoreFile) throws -> Void = { _ in }
  ) throws -> (measurements: RowMeasurements, evolution: Evolution) {
    try withTemporaryFolder { folder in
      let evolution = try evolution(versions)
      let path = folder + "/one.store"
      let model = VersionModel.history(of: evolution)[index].model
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(model)
        try insert(rows, into: store)
        try work(store)
      }
      let measurements = try StoreMeasurement.measure(
        storeAt: URL(filePath: path), named: "one.store", in: evolution, from: wanted)
      return (measurements, evolution)
    }
  }

  /// `rule element: outcome: text` of each finding of a step.
  private func lines(_ found: (measurements: RowMeasurements, evolution: Evolution), _ step: Int)
    -> [String]
  {
    let step = found.evolution.steps[step]
    return step.changes.enumerated().compactMap { index, change in
      found.measurements.finding(stepTo: step.new.number, change: index).map {
        "\(change.ruleID) \(change.element): \($0.outcome.rawValue): \($0.text)"
      }
    }
  }

  @Test("Values are followed through renames and stop at conversions")
  func severalSteps() throws {
    let found = try measure(
      [
        Self.trips("x: Int?\n      s: String?"),
        Self.trips("y: { type: Int?, renamedFrom: x }\n      s: { type: String, fill: '\"\"' }"),
        "  Tour:\n    renamedFrom: Trip\n    properties:\n      id: Int\n      y: Int?\n"
          + "      s: String\n      z: { type: Int?, from: y, convert: $0 }\n",
        "  Tour:\n    properties:\n      id: Int\n      y: Int\n      z: Int\n"
          + "drops: { Tour.s: unused }\n",
      ],
      [
        Row("Trip", ["id": .integer(1), "x": .integer(1)]),
        Row("Trip", ["id": .integer(2), "s": .text("a")]), Row("Trip", ["id": .integer(3)]),
      ])
    #expect(found.measurements.version == VersionNumber(1))
    #expect(
      lines(found, 0) == [
        "attribute-made-required-filled Trip.s: handled: 2 of 3 rows hold nil: 'fill' takes its place"
      ])
    #expect(
      lines(found, 1) == [
        "model-renamed Tour: handled: 3 rows are carried over",
        "attribute-converted Tour.z: handled: 'convert' makes a value for 3 rows of 'y'",
      ])
    #expect(
      Set(lines(found, 2)) == [
        "attribute-removed Tour.s: unknown: \(Self.made)",
        "required-without-fill Tour.y: fails: 2 of 3 rows hold nil",
        "required-without-fill Tour.z: unknown: \(Self.made)",
      ])
    // A later start shows less, and counts only what it shows.
    func shown(_ first: Int, _ last: Int) -> DiffReport {
      DiffReport(
        found.evolution, from: VersionNumber(first), to: VersionNumber(last),
        measurements: found.measurements)
    }
    #expect(shown(3, 4).gravestOutcome == .fails && shown(1, 3).gravestOutcome == .handled)
    #expect(shown(3, 4).render(.text).hasPrefix("one.store: of V1\n\nV3 → V4"))
  }

  static let made =
    "an earlier step makes the values: rows of this store do not have them yet"

  @Test("Measurement starts at the store's version and omits earlier steps")
  func laterVersion() throws {
    let versions = [
      Self.trips("x: Int?"), Self.trips("x: Int?\n      a: Int?"),
      Self.trips("x: Int\n      a: Int?"),
    ]
    let found = try measure(
      versions, [Row("Trip", ["id": .integer(1)])], index: 1)
    #expect(found.measurements.version == VersionNumber(2) && lines(found, 0).isEmpty)
    #expect(lines(found, 1) == ["required-without-fill Trip.x: fails: 1 of 1 row holds nil"])
    let text = DiffReport(found.evolution, measurements: found.measurements).render(.text)
    #expect(text.hasPrefix("one.store: of V2\n\nV2 → V3"), "\(text)")
  }

  @Test(
    "Of equal versions, measurement takes the one with the store's hashes, else the named one, else the first"
  )
  func sameToTheFramework() throws {
    let versions = [
      Self.trips("s: S", Self.enumeration + "identity: shipped\n"),
      Self.trips("s: S", "types: { S: { enum: String, cases: [a] } }\nidentity: shipped\n"),
    ]
    let rows = Self.values([.text("say \"b\"")], "s.rawValue")
    for index in [0, 1] {
      let known = try measure(versions, rows, index: index)
      #expect(known.measurements.version == VersionNumber(index + 1))
      #expect(known.measurements.notes.isEmpty)
    }
    let found = try measure(versions, rows, work: Stores.removeHashes)
    #expect(found.measurements.version == VersionNumber(1))
    try #require(found.measurements.notes.count == 1)
    #expect(found.measurements.notes[0].hasPrefix("the store may also be V2,"))
    let told = try measure(versions, rows, from: VersionNumber(2), work: Stores.removeHashes)
    #expect(told.measurements.version == VersionNumber(2) && told.measurements.notes.isEmpty)
  }

  @Test("A store of an unknown version or a bridge is refused")
  func refused() throws {
    try withTemporaryFolder { folder in
      _ = try Stores.write(folder + "/one.store")
      let versions = [
        Self.trips("x: Int?"),
        Self.trips("x: { type: String, from: x, convert: '\"\"' }"),
      ]
      let evolution = try evolution(versions)
      let bridge = try #require(evolution.chain.firstIndex { $0.isBridge })
      do {
        try StoreFile(at: .file(URL(filePath: folder + "/left.store")))
          .create(VersionModel.chain(of: evolution)[bridge].model)
      }
      for (name, reason) in [
        ("one", "it matches none of the versions"), ("left", "a migration was interrupted"),
      ] {
        do {
          _ = try StoreMeasurement.measure(
            storeAt: URL(filePath: "\(folder)/\(name).store"), named: name, in: evolution,
            from: nil)
          Issue.record("measured")
        } catch let refusal as StoreRefusal {
          #expect(refusal.reason.hasPrefix(reason))
        }
      }
    }
  }

  @Test("Links to missing rows are reported and count as nil")
  func orphans() throws {
    let found = try measure(
      [
        Self.linked(Self.many, Self.one),
        Self.linked(Self.many, "      trip: { relationship: Trip }\n"),
      ], Self.stops
    ) { store in
      try store.database.run("UPDATE ZSTOP SET ZTRIP = 77 WHERE Z_PK = 2")
    }
    #expect(found.measurements.notes == ["'Stop.trip' leads to no row in 1 row (Stop 2)"])
    #expect(
      lines(found, 0) == ["relationship-made-required Stop.trip: fails: 2 of 3 rows have no link"])
  }

  @Test("An accepted loss counts as acknowledged")
  func accepted() throws {
    let accept =
      "accept: [{ rule: number-type-changed, element: Trip.x, reason: only small ones }]\n"
    let found = try measure(
      [Self.trips("x: Int"), Self.trips("x: Int16", accept)],
      Self.values([.integer(70_000)]))
    #expect(
      lines(found, 0) == [
        "number-type-changed Trip.x: acknowledged: 1 of 1 row has a number that Int16 cannot hold"
      ])
  }

  @Test("Reports contain no values of rows")
  func privacy() throws {
    let found = try measure(
      [
        Self.trips("x: String?"),
        Self.trips("x: { type: String, unique: true }"),
      ], Self.values([.text("secret"), .text("secret"), .null]))
    for format in DiffReport.Format.allCases {
      let text = DiffReport(found.evolution, measurements: found.measurements).render(format)
      #expect(!text.contains("secret") && text.contains("Trip 2"), "\(text)")
    }
  }

  @Test("Rows of a subclass count as rows of its superclass")
  func subclasses() throws {
    let stops = "  Stop:\n    properties:\n      n: Int?\n  Layover:\n    inherits: Stop\n"
    let found = try measure(
      [
        stops + "    properties:\n      hours: Double?\n",
        stops.replacingOccurrences(of: "Int?", with: "Int")
          + "    properties:\n      hours: Double\n",
      ],
      [
        Row("Stop", ["n": .integer(1)]), Row("Stop"), Row("Layover", ["n": .integer(2)]),
        Row("Layover", ["hours": .real(2)]),
      ])
    #expect(
      Set(lines(found, 0)) == [
        "required-without-fill Stop.n: fails: 2 of 4 rows hold nil",
        "required-without-fill Layover.hours: fails: 1 of 2 rows holds nil",
      ])
  }

  @Test("After a fill the number of nil values is unknown")
  func filledOnTheWay() throws {
    let found = try measure(
      [
        Self.trips("o: Int?"), Self.trips("o: { type: Int?, fill: 3 }"),
        Self.trips("o: Int"),
      ], [Row("Trip", ["id": .integer(1)])])
    #expect(lines(found, 1) == ["required-without-fill Trip.o: unknown: \(Self.made)"])
  }

  @Test("Measuring randomly damaged stores never crashes, hangs or writes")
  func damaged() throws {
    let evolution = try evolution([
      Self.linked(Self.many, Self.one, "types: { S: { enum: String, cases: [a] } }\n")
        .replacingOccurrences(of: "id: Int", with: "id: Int\n      s: S?\n      x: Int?"),
      Self.linked(Self.many, "      trip: { relationship: Trip }\n")
        .replacingOccurrences(
          of: "id: Int", with: "id: Int\n      x: { type: Int16, unique: true }"),
    ])
    try withTemporaryFolder { folder in
      let path = folder + "/one.store"
      do {
        let store = try StoreFile(at: .file(URL(filePath: path)))
        try store.create(VersionModel.chain(of: evolution)[0].model)
        for _ in 0..<40 { try insert(Self.stops, into: store) }
      }
      let whole = try Data(contentsOf: URL(filePath: path))
      var random = SplitMix64(seed: 11)
      var measured = 0
      for _ in 0..<150 {
        var bytes = whole
        for _ in 0...random.below(30) {
          bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        try bytes.write(to: URL(filePath: path))
        let found = try? StoreMeasurement.measure(
          storeAt: URL(filePath: path), named: "one.store", in: evolution, from: nil)
        if found != nil { measured += 1 }
        _ = try? StoreAdoption.read(storeAt: URL(filePath: path), folder: "S")
        #expect(try Stores.contents(folder) == ["one.store": bytes])
      }
      #expect(measured > 0)
    }
  }
}
