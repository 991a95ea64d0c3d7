import Foundation
import ManagedModels
import StoreFormat
import Testing

@testable import RehearsalHarness

/// The rows in memory for which an expectation holds, and those for which it does not.
@Suite struct ExpectationCheckTests {
  private typealias Expectation = RehearsalHarness.Expectation

  private static func table(
    _ entity: String, in lineage: [String]? = nil, _ slots: [String],
    _ rows: [(Int64, [StoredValue])], links: [Int64: [String: [ObjectID]]] = [:]
  ) -> StoreDump.Table {
    StoreDump.Table(
      entity: entity, lineage: lineage, slots: slots, destinations: ["owner": "Person"],
      rows: rows.map { StoreDump.Row(key: $0.0, values: $0.1, links: links[$0.0] ?? [:]) })
  }

  private static let before = StoreDump([
    table(
      "Trip", ["price", "note"],
      [
        (1, [.real(1.5), .text("a")]), (2, [.real(2), .null]), (3, [.real(3), .text("c")]),
      ], links: [1: ["owner": [id("Person", 1)]]]),
    table("Tour", in: ["Trip", "Tour"], ["price", "note"], [(4, [.real(4), .text("d")])]),
  ])

  private static func id(_ entity: String, _ key: Int64) -> ObjectID {
    ObjectID(entity: entity, key: key)
  }

  private func broken(
    _ claim: Expectation.Claim, in after: StoreDump, origins: [Int64: Int64] = [:]
  ) -> [String] {
    let check = ExpectationCheck(
      before: Self.before, after: after,
      origins: Dictionary(
        uniqueKeysWithValues: (origins.isEmpty ? [1: 1, 2: 2, 3: 3] : origins).map {
          (Self.id("Journey", $0.key), Self.id("Trip", $0.value))
        } + [(Self.id("Tour", 4), Self.id("Tour", 4))]))
    return check.broken(Expectation(version: "V2", model: "Journey", text: "it", claim: claim))
      .map {
        "\($0.row.map { "\($0.entity) \($0.key)" } ?? ""): \($0.found)"
          + ($0.isUnreadable ? ", unreadable" : "")
      }
  }

  private static func after(
    _ rows: [(Int64, [StoredValue])], links: [Int64: [String: [ObjectID]]] = [:]
  ) -> StoreDump {
    StoreDump([
      table("Journey", ["cents", "note"], rows, links: links),
      table(
        "Tour", in: ["Journey", "Tour"], ["cents", "note"], [(4, [.integer(400), .text("d")])]),
    ])
  }

  private static let right: [(Int64, [StoredValue])] = [
    (1, [.integer(150), .text("a")]), (2, [.integer(200), .null]),
    (3, [.integer(300), .text("c")]),
  ]

  private static let priced = Expectation.Claim.holds { old, new in
    guard let old else { return true }
    return try Double(new.value("cents", as: Int.self)) == old.value("price", as: Double.self) * 100
  }

  @Test func values() {
    #expect(broken(Self.priced, in: Self.after(Self.right)) == [])
    var rows = Self.right
    rows[2].1[0] = .integer(301)
    #expect(broken(Self.priced, in: Self.after(rows)) == ["Journey 3: the condition does not hold"])
    // A row of a submodel is one of the model's rows.
    let other = StoreDump([
      Self.table("Tour", in: ["Journey", "Tour"], ["cents", "note"], [(4, [.integer(1), .null])])
    ])
    #expect(broken(Self.priced, in: other) == ["Tour 4: the condition does not hold"])
    // Rows are compared with their source rows, whatever their keys.
    rows[2].1[0] = .integer(300)
    #expect(
      broken(Self.priced, in: Self.after(rows), origins: [1: 2, 2: 1, 3: 3])
        == ["Journey 1: the condition does not hold", "Journey 2: the condition does not hold"])
    // A row without a source row is left out.
    rows.append((9, [.integer(1), .null]))
    #expect(broken(Self.priced, in: Self.after(rows)) == [])
  }

  @Test func valuesOfAnotherType() {
    var rows = Self.right
    rows[1].1[0] = .text("none")
    #expect(
      broken(Self.priced, in: Self.after(rows))
        == ["Journey 2: 'cents' holds a string, not Int, unreadable"])
  }

  @Test func presence() {
    let claim = Expectation.Claim.present("note", before: "note")
    #expect(broken(claim, in: Self.after(Self.right)) == [], "the second one had none before")
    var rows = Self.right
    rows[0].1[1] = .null
    #expect(broken(claim, in: Self.after(rows)) == ["Journey 1: none"])
    #expect(
      broken(.present("note", before: nil), in: Self.after(rows))
        == ["Journey 1: none", "Journey 2: none"], "a new property has it to give")
    #expect(
      broken(.present("owner", before: "owner"), in: Self.after(Self.right)) == ["Journey 1: none"])
    let links: [Int64: [String: [ObjectID]]] = [1: ["owner": [Self.id("Person", 7)]]]
    #expect(
      broken(.present("owner", before: "owner"), in: Self.after(Self.right, links: links)) == [])
  }
}
