import RehearsalHarness
import SchemaModel
import SchemaRehearsal
import Testing

/// What a rehearsal writes into the newest manifest.
@Suite struct ExpectationRecordingTests {
  private static let proposals = [
    Expectation(model: Located("Trip"), .unchangedCount),
    Expectation(model: Located("Trip"), .present("note")),
    Expectation(
      model: Located("Trip"), .holds(try! SwiftExpression("new.title == old.name ?? \"a: b\""))),
    Expectation(
      model: Located("Trip"), .holds(try! SwiftExpression("new.title == max(old.name, old.more)"))),
  ]

  private func result(
    _ broken: [(from: String, to: String, text: String)] = [],
    _ more: RehearsalFailure? = nil
  ) -> RehearsalResult {
    var result = RehearsalResult(versions: ["V1", "V2", "V3"], limits: [])
    for (from, to) in [("V1", "V2"), ("V1", "V3"), ("V2", "V3")] {
      var path = PathResult(from: from, to: to, store: nil)
      path.failures = broken.filter { $0.from == from && $0.to == to }.map {
        RehearsalFailure(.expectationBroken, path: "\(from) → \(to)", expected: $0.text)
      }
      result.paths.append(path)
    }
    if let more { result.paths[0].failures.append(more) }
    return result
  }

  @Test func whatNoRowContradicts() {
    var found = result([("V1", "V3", "no Trip without note")])
    let recording = ExpectationRecording(Self.proposals, in: &found)
    #expect(
      recording.held.map(\.text)
        == [
          "count(Trip) is unchanged", "Trip: new.title == old.name ?? \"a: b\"",
          "Trip: new.title == max(old.name, old.more)",
        ])
    // Nobody has asserted it.
    #expect(found.isSuccess)
  }

  @Test("What an older step is expected to do is no proposal")
  func sameTextElsewhere() {
    var found = result([("V1", "V2", "count(Trip) is unchanged")])
    #expect(ExpectationRecording(Self.proposals, in: &found).held == Self.proposals)
    #expect(!found.isSuccess && found.paths[0].failures.count == 1)
  }

  @Test("Where something else fails, nobody knows what holds")
  func failed() {
    var found = result([], RehearsalFailure(.rowLost, path: "V1 → V2"))
    let recording = ExpectationRecording(Self.proposals, in: &found)
    #expect(recording.held.isEmpty && !recording.isWhole)
  }

  private func written(_ manifest: String) -> String? {
    var found = result()
    return ExpectationRecording(Self.proposals, in: &found).added(
      to: SourceFile(path: "V3.yaml", text: manifest))
  }

  private static let models = "version: 3.0.0\nmodels:\n  Trip: { properties: { title: String } }\n"
  private static let lines =
    "- count(Trip) is unchanged\n  - no Trip without note\n  - Trip: 'new.title == old.name ?? \"a: b\"'\n  "
    + "- Trip: 'new.title == max(old.name, old.more)'\n"

  @Test func written() {
    #expect(written(Self.models) == Self.models + "expect:\n  " + Self.lines)
    #expect(
      written(Self.models + "expect:\n  - Trip: new.title != \"\" # mine\n")
        == Self.models + "expect:\n  - Trip: new.title != \"\" # mine\n  " + Self.lines)
    let hooks = "hooks: [before] # as it was\n"
    #expect(written(Self.models + hooks) == Self.models + "expect:\n  " + Self.lines + hooks)
    #expect(
      written(Self.models + "expect: [no Trip without title]\n")
        == Self.models
        + "expect: [no Trip without title, count(Trip) is unchanged, no Trip without note, "
        + "Trip: 'new.title == old.name ?? \"a: b\"', "
        + "Trip: 'new.title == max(old.name, old.more)']\n")
    // What cannot be edited is left to its author.
    #expect(written("version: 3.0.0\nmodels: [\n") == nil)
  }
}
