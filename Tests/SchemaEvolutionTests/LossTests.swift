import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution

/// Losses of shipped versions. An element that came after the last shipped version, with all its sources, is no loss.
@Suite struct LossTests {
  private static func one(_ properties: String, _ cases: String = "p", _ rest: String = "")
    -> String
  {
    Manifests.one(
      "k: T?, \(properties)", "", "types: { T: { enum: String, cases: [\(cases)] } }\n\(rest)")
  }

  /// `b` comes from `a`, which the second version adds. The fourth version drops `b` and a case of the second.
  private static let history = [
    one("x: String"), one("x: String, a: String?", "p, q"),
    one(
      "x: String, b: { type: String?, from: a, convert: '$0?.uppercased()', revert: $0 }", "p, q"),
    one("x: String", "p", "drops: { A.b: why, T.q: why }"),
    one("", "p", "drops: { A.x: why }"),
  ]

  @Test(
    "Removing an element is a loss for shipped versions that have it or its source",
    arguments: [
      ([1], ["A.x"]), ([1, 2], ["T.q", "A.b", "A.x"]), ([1, 3], ["T.q", "A.b", "A.x"]),
      ([4], ["A.x"]),
    ])
  func losses(_ shipped: [Int], _ elements: [String]) throws {
    let evolution = try Manifests.evolution(Self.history)
    #expect(evolution.errors == [])
    let losses = evolution.losses(ofShipped: Set(shipped.map { VersionNumber($0) }))
      .filter { $0.rule != "attribute-converted" }
    #expect(losses.map(\.element.description) == elements)
  }
}
