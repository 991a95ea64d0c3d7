import SchemaModel
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// A part of a model becomes a model of its own: its rows are linked to the rest, or the step is refused.
@Suite struct PartLinksTests {
  private static let old =
    "models: { Trip: { properties: { title: String, image: Data?, next: { relationship: \"Trip?\" } } } }"

  /// - Parameter part: More properties of `Photo`.
  private static func new(_ trip: String, _ part: String, _ top: String = "", name: String = "")
    -> String
  {
    let heading = name.isEmpty ? "Trip: {" : "\(name): { renamedFrom: Trip,"
    return """
      models:
        \(heading) properties: { title: String, next: { relationship: "\(name.isEmpty ? "Trip" : name)?" }\(trip) } }
        Photo: { from: Trip, properties: { data: { type: Data?, from: image, convert: $0 }\(part) } }
      \(top)
      """
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// The line that sets the links.
    var line: String

    var testDescription: String { name }
  }

  static let linked: [Case] = [
    Case(
      name: "from the old model", text: new(", photo: { relationship: \"Photo?\" }", ""),
      line: "row.photo = row.carriedToPhoto"),
    Case(
      name: "from the part", text: new("", ", trip: { relationship: \"Trip?\" }"),
      line: "row.carriedToPhoto?.trip = row"),
    Case(
      name: "that must be there", text: new("", ", trip: { relationship: Trip }"),
      line: "row.carriedToPhoto?.trip = row"),
    Case(
      name: "that the old model must have", text: new(", photo: { relationship: Photo }", ""),
      line: "row.photo = row.carriedToPhoto"),
    Case(
      name: "from both",
      text: new(
        ", photo: { relationship: \"Photo?\", inverse: trip, deleteRule: cascade }",
        ", trip: { relationship: \"Trip?\" }"), line: "row.photo = row.carriedToPhoto"),
    Case(
      name: "a list and its owner",
      text: new(
        ", photos: { relationship: \"[Photo]\", inverse: trip }",
        ", trip: { relationship: \"Trip?\" }"), line: "row.carriedToPhoto?.trip = row"),
    Case(
      name: "a list alone", text: new(", photos: { relationship: \"[Photo]\" }", ""),
      line: "row.photos = [row.carriedToPhoto].compactMap(\\.self)"),
    Case(
      name: "a list of owners", text: new("", ", trips: { relationship: \"[Trip]?\" }"),
      line: "row.carriedToPhoto?.trips = [row]"),
    Case(
      name: "beside a rename",
      text: new("", ", trip: { relationship: \"Journey?\" }", name: "Journey"),
      line: "row.carriedToPhoto?.trip = row.carriedToJourney"),
    Case(
      name: "two parts of what goes",
      text: """
        models:
          Text: { from: Trip, properties: { title: String, photo: { relationship: "Photo?" } } }
          Photo: { from: Trip, properties: { data: { type: Data?, from: image, convert: $0 } } }
        drops: { Trip.next: why }
        """, line: "row.carriedToText?.photo = row.carriedToPhoto"),
  ]

  @Test(arguments: linked) func areLinked(_ example: Case) throws {
    let evolution = try Manifests.evolution(Self.old, example.text)
    #expect(evolution.errors == [])
    #expect(Invariants.broken(evolution) == [])
    let lines = RowFunctions(evolution.steps[0], evolution).functions.flatMap(\.body)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    #expect(lines.contains { $0 == example.line }, "\(lines)")
    #expect(
      evolution.losses(ofShipped: [VersionNumber(1)]).allSatisfy { $0.rule != "unlinked-rows" })
  }

  static let unlinked: [Case] = [
    Case(name: "nothing between them", text: new("", ""), line: "no new relationship links"),
    Case(
      name: "only what was there", text: new("", ", next: { relationship: \"Trip?\" }"),
      line: "no new relationship links"),
    Case(
      name: "two that are no inverses",
      text: new(
        ", photo: { relationship: \"Photo?\", inverse: trip }, cover: { relationship: \"Photo?\", inverse: coverOf }",
        ", trip: { relationship: \"Trip?\" }, coverOf: { relationship: \"Trip?\" }"),
      line: "both link"),
  ]

  @Test(arguments: unlinked) func areRefused(_ example: Case) throws {
    let evolution = try Manifests.evolution(Self.old, example.text)
    let finding = try #require(evolution.finding(.unlinkedRows))
    #expect(finding.severity == .error)
    #expect(finding.message.contains(example.line))
    let losses = evolution.losses(ofShipped: [VersionNumber(1)])
    #expect(losses.contains { $0.rule == "unlinked-rows" })
    // With a reason it is accepted, and remains a loss that needs an approval.
    let accepted = try Manifests.evolution(
      Self.old, example.text + "\naccept: [{ rule: unlinked-rows, element: Photo, reason: why }]")
    #expect(accepted.errors == [])
    #expect(accepted.losses(ofShipped: [VersionNumber(1)]).contains { $0.rule == "unlinked-rows" })
  }

  /// The suggested edit is all that is missing.
  @Test func theHelpLinks() throws {
    let help = try #require(
      try Manifests.evolution(Self.old, Self.new("", "")).finding(.unlinkedRows)?.help.first)
    let edit = try #require(
      help.split(separator: "by itself: ").last?.split(separator: " at '").first)
    #expect(try Manifests.evolution(Self.old, Self.new(", \(edit)", "")).errors == [])
    let several = try #require(
      try Manifests.evolution(Self.old, Self.unlinked[2].text).finding(.unlinkedRows)?.help[1])
    let function = try #require(several.split(separator: "row.carriedToPhoto: ").last)
    let text = Self.unlinked[2].text.replacing(
      "photo: { relationship: \"Photo?\", inverse: trip }", with: function)
    #expect(try Manifests.evolution(Self.old, text).errors == [])
  }

  /// The links that an author's function sets are known.
  @Test func aFunctionSays() throws {
    let evolution = try Manifests.evolution(
      Self.old,
      Self.new(
        ", photo: { relationship: \"Photo?\", from: image, convert: { function: photo } }", ""))
    #expect(evolution.errors == [])
    #expect(evolution.steps[0].plan.relationshipUpdates.isEmpty)
  }

  /// Merged models have no parts.
  @Test func whatIsMergedIsWhole() throws {
    let evolution = try Manifests.evolution(
      Manifests.two(), "models: { C: { from: [A, B], properties: { id: Int } } }")
    #expect(evolution.errors == [])
  }

  /// For a shipped step it is a warning.
  @Test func whatHasShipped() throws {
    let evolution = try Manifests.evolution(
      [Self.old, Self.new("", "")],
      shipped: ShippedVersions(released: [VersionNumber(1), VersionNumber(2)]))
    #expect(evolution.errors == [])
    #expect(evolution.finding(.unlinkedRows)?.severity == .warning)
  }
}
