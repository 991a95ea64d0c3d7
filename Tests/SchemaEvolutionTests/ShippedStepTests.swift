import SchemaModel
import Testing

@testable import SchemaEvolution

/// Steps that shipped before schemagen generated anything are recorded, and their losses stay visible.
@Suite struct ShippedStepTests {
  private static let shipped = ShippedVersions(released: [VersionNumber(1), VersionNumber(2)])
  private static let adopted = "\nidentity: shipped"

  // MARK: Losses that nobody has confirmed

  private static let before = """
    models:
      TripV1: { properties: { name: String, days: Int } }
      Stop: { properties: { id: Int, note: String?, flag: Bool } }
    """
  private static let after = """
    models:
      TripV2: { properties: { name: String, days: Int } }
      Stop: { properties: { id: Int, remark: String? } }
    drops: { TripV1: unconfirmed, Stop.note: unconfirmed, Stop.flag: unconfirmed }
    """

  /// One finding for the step names everything that is lost, what it may be now, and both answers.
  @Test func whatNobodyConfirmedIsAnError() throws {
    let evolution = try Manifests.evolution(Self.before, Self.after)
    let found = evolution.diagnostics
    #expect(found.map(\.rule.id) == ["unconfirmed-drop"])
    let finding = try #require(found.first)
    #expect(finding.severity == .error && finding.element == "V2" && !finding.rule.isAcceptable)
    #expect(
      finding.message
        == "V2 drops 1 model and 2 properties of V1 without confirmation")
    #expect(
      finding.help == [
        "models dropped with all rows: TripV1", "of Stop: flag, note",
        "'TripV2' may be V1's 'TripV1' under a new name (score 0.93): if it is, write 'renamedFrom: TripV1' "
          + "at the new element, and remove the entry",
        "for each element to drop, write the reason instead of 'unconfirmed'",
        "if V2 has shipped, record that: schemagen release V2",
      ])
    // An unconfirmed drop does not break the step: what depends on it is checked as well.
    #expect(evolution.isSound && !evolution.steps[0].stages.isEmpty)
  }

  @Test func aReasonConfirmsIt() throws {
    let after = Self.after.replacing("unconfirmed", with: "nobody used it")
    // An element that may be renamed needs more than a reason.
    #expect(
      try Manifests.evolution(Self.before, after).errors.map { $0.prefix(17) }
        == ["ambiguous-rename:", "ambiguous-rename:"])
    let told = after.replacing(
      "TripV1: nobody used it", with: "TripV1: { reason: nobody used it, notCarriedTo: TripV2 }"
    ).replacing(
      "note: nobody used it", with: "note: { reason: nobody used it, notCarriedTo: remark }")
    #expect(try Manifests.evolution(Self.before, told).findings == [])
    let some = Self.after.replacing("TripV1: unconfirmed", with: "TripV1: nobody used it")
    #expect(
      try Manifests.evolution(Self.before, some).finding(.unconfirmedDrop)?.message
        == "V2 drops 2 properties of V1 without confirmation")
  }

  /// Models that are renamed in each version lose all their rows.
  @Test func everyRowIsNamedAsSuch() throws {
    let evolution = try Manifests.evolution(
      "models: { TripV1: { properties: { name: String } } }",
      "models: { TripV2: { properties: { name: String } } }\ndrops: { TripV1: unconfirmed }")
    #expect(
      evolution.finding(.unconfirmedDrop)?.message
        == "V2 drops every row of V1 without confirmation")
  }

  /// A generated version that was adopted a second time has shipped as well.
  @Test(arguments: ["", adopted]) func whatShippedIsAWarning(_ identity: String) throws {
    let evolution = try Manifests.evolution(
      [Self.before, Self.after + identity], shipped: Self.shipped)
    let finding = try #require(evolution.finding(.unconfirmedDrop))
    #expect(finding.severity == .warning)
    #expect(
      finding.message
        == "V2 has shipped with this change: it drops 1 model and 2 properties of V1 without confirmation"
    )
    #expect(
      finding.help.last == "if you meant the removals, write the reason instead of 'unconfirmed'")
    #expect(
      finding.help.contains {
        $0.contains("write 'renamedFrom: TripV1' at the new element, remove the entry")
      })
  }

  // MARK: What the rules of today refuse

  static let refused = ClassificationExample.all.filter {
    $0.finding?.severity == .error && $0.finding?.rule == $0.kind.rawValue
  }

  /// Any shipped step is recorded as it was, with a warning and a plan.
  @Test(arguments: refused) func historyNeedsNoAnswers(_ example: ClassificationExample) throws {
    let versions = [example.old, example.new + Self.adopted]
    func errors(_ shipped: ShippedVersions, _ versions: [String]) throws -> Int {
      try Manifests.evolution(versions, cloudKit: example.cloudKit, shipped: shipped)
        .diagnostics.count { $0.rule.id == example.kind.rawValue && $0.severity == .error }
    }
    let recorded = try Manifests.evolution(
      versions, cloudKit: example.cloudKit, shipped: Self.shipped)
    let finding = try #require(recorded.finding(example.kind.rawValue))
    #expect(
      finding.severity == .warning && finding.message.hasPrefix("V2 has shipped with this change: ")
    )
    #expect(recorded.isSound && !recorded.steps[0].stages.isEmpty)
    // Steps that are unshipped, generated, or corrected since then are checked as usual.
    #expect(try errors(ShippedVersions(), versions) > 0)
    // The example's versions cannot sync.
    guard example.kind != .renamedUnderCloudKit else { return }
    #expect(try errors(Self.shipped, [example.old, example.new]) > 0)
    var corrected = Self.shipped
    corrected.corrected = [VersionNumber(2)]
    #expect(try errors(corrected, versions) > 0)
  }

  /// A finding stays visible until a person gives a reason. In an unshipped version it cannot be accepted.
  @Test func aReasonSettlesHistory() throws {
    let versions = [
      Manifests.one(),
      Manifests.one("x: Int") + Self.adopted
        + "\naccept: [{ rule: missing-default, element: A.x, reason: no store had rows then }]",
    ]
    let recorded = try Manifests.evolution(versions, shipped: Self.shipped)
    #expect(recorded.diagnostics.isEmpty)
    #expect(recorded.steps[0].accepted.map(\.finding.rule.id) == ["missing-default"])
    let open = try Manifests.evolution(versions)
    #expect(open.finding("missing-default")?.severity == .error)
  }

  @Test func thereAreKindsToRecord() { #expect(Self.refused.count > 20) }

  /// Errors in a manifest's step keys stay errors, since they are not history.
  @Test func mistakesInManifestsStayErrors() throws {
    let evolution = try Manifests.evolution(
      [
        Manifests.one("a: Int"),
        Manifests.one("a: { type: Int, fill: 1 }, b: { type: Int, renamedFrom: nowhere }")
          + Self.adopted,
      ], shipped: Self.shipped)
    #expect(evolution.errors.map { $0.prefix { $0 != ":" } } == ["unknown-source", "unused-hint"])
  }
}
