import Foundation
import ManagedModels
import RehearsalHarness
import SchemaEvolution
import SchemaModel
import SchemaRehearsal
import TestSupport
import Testing

/// The rehearsal's program in processes of its own, on real stores. The store layer's inference replaces the runtime,
/// so only histories without code are migrated correctly.
@Suite(.enabled(if: Checkout.runsEverything)) struct ProgramTests {
  private struct History: Encodable {
    var manner: String
    var names: [String]
    var chain: [ManagedModel]
    var positions: [Int]
    var expected: [Expected] = []
  }

  /// The expectations as the stand-in reads them.
  private struct Expected: Encodable {
    var version: Int
    var manner: String
    var text: String
  }

  /// - Parameters:
  ///   - manner: How the stand-in migrates: `inferred`, `bridged`, …
  ///   - last: How many versions there are; the rest of the history is left out.
  private func rehearse(
    _ evolution: Evolution, manner: String, options: [String] = [],
    expected: [Expected] = []
  ) throws -> RehearsalResult {
    try withTemporaryFolder { folder in
      let history = History(
        manner: manner, names: evolution.history.map(\.number.name),
        chain: ManagedModel.chain(of: evolution), positions: evolution.positions,
        expected: expected)
      try JSONEncoder().encode(history).write(to: URL(filePath: folder + "/history.json"))
      let plan = RehearsalPlanner(evolution).plan()
      try RehearsalJSON.encode(plan)
        .write(to: URL(filePath: folder + "/plan.json"))
      let finished = try run(
        Checkout.products + "/rehearsal-stand-in",
        [
          "run", "--plan", folder + "/plan.json", "--work", folder + "/work", "--result",
          folder + "/result.json", "--jobs", "2",
        ] + options, environment: ["STAND_IN_HISTORY": folder + "/history.json"])
      #expect(finished.status == 0, "\(finished.errors)")
      return try RehearsalJSON.decode(
        RehearsalResult.self, from: Data(contentsOf: URL(filePath: folder + "/result.json")))
    }
  }

  private func shortened(_ manifests: [String], to count: Int) throws -> Evolution {
    try Histories.evolution(Array(manifests.prefix(count)))
  }

  private func shortened(_ folder: String, to count: Int) throws -> Evolution {
    let evolution = try Histories.evolution(folder)
    return AnalysisPipeline(
      history: Array(evolution.history.prefix(count)), configuration: evolution.configuration
    ).run()
  }

  /// Eight versions that only need inference: 28 paths, killed at each point of each step.
  @Test func lightweightHistory() throws {
    let result = try rehearse(shortened("Schemas/Ritualist", to: 8), manner: "inferred")
    #expect(result.paths.count == 28)
    #expect(result.paths.flatMap(\.failures) == [])
    #expect(result.kills.count == 8)
    #expect(result.kills.flatMap(\.failures) == [])
    #expect(result.kills.allSatisfy { $0.kills >= 3 && $0.survived == $0.kills })
    #expect(result.paths.allSatisfy { ($0.peakMemory ?? 0) > 1 << 20 })
    for path in result.paths {
      #expect(path[.conservation] == .passed)
      #expect(path[.structure] == .passed)
      #expect(path[.again] == .passed)
      #expect(path[.stepwise] != .failed)
    }
    #expect(ConservationReport(result).headline.contains("no unexpected data loss"))
  }

  private static let renaming = [
    "models: { A: { properties: { id: { type: Int, unique: true }, name: String } } }",
    "models: { A: { properties: { id: { type: Int, unique: true }, title: { type: String, default: '\"\"', from: name, convert: $0.uppercased() } } } }",
  ]

  /// With values moved in a bridge, in batches, no kill does harm.
  @Test func bridgeSurvivesKills() throws {
    let result = try rehearse(Histories.evolution(Self.renaming), manner: "bridged")
    #expect(result.isSuccess, "\(ConservationReport(result).render(.text))")
    let kill = try #require(result.kills.first)
    #expect(kill.rows > 600)
    // Two structural steps and three batches, three points each.
    #expect(kill.kills == 15)
    #expect(kill.survived == 15)
  }

  /// A function of the app that gives another value each time is not a failure if it contributes to a value.
  @Test func irreproducibleFunctions() throws {
    let result = try rehearse(Histories.evolution(Self.threeSteps), manner: "random")
    #expect(result.isSuccess, "\(ConservationReport(result).render(.text))")
    #expect(result.paths.contains { $0[.stepwise] == .passed })
  }

  private static let threeSteps =
    [
      "models: { A: { properties: { id: Int, name: String } } }",
      "models: { A: { properties: { id: Int, name: String, more: Int? } } }",
      "models: { A: { properties: { id: Int, more: Int?, title: { type: String, default: '\"\"', from: name, convert: { function: title } } } } }",
    ]

  /// Values kept in memory over the migration, as in many apps: without a kill everything is right, after one values
  /// are lost.
  @Test func stashDoesNotSurviveKills() throws {
    let result = try rehearse(Histories.evolution(Self.renaming), manner: "stashed")
    #expect(result.paths.flatMap(\.failures) == [])
    let kill = try #require(result.kills.first)
    #expect(kill.survived < kill.kills)
    #expect(kill.failures.contains { $0.kind == .killDiffers && $0.property == "title" })
    #expect(!result.isSuccess)
  }

  private static let plain = [
    "models: { A: { properties: { id: Int, name: String } } }",
    "models: { A: { properties: { id: Int, name: String, more: Int? } } }",
    "models: { A: { properties: { id: Int, name: String, more: Int?, most: Int? } } }",
  ]

  private static let allExpected = [
    Expected(version: 2, manner: "present", text: "no A without name"),
    Expected(version: 2, manner: "sameName", text: "A: new.name == old.name"),
  ]

  /// Each step's expectations are checked, on its own and as the last of a longer path.
  @Test func expectations() throws {
    let evolution = try Histories.evolution(Self.plain)
    let right = try rehearse(evolution, manner: "inferred", expected: Self.allExpected)
    #expect(right.isSuccess, "\(ConservationReport(right).render(.text))")
    func broken(_ manner: String) throws -> [String: [RehearsalFailure]] {
      let result = try rehearse(
        evolution, manner: manner, options: ["--no-kill"], expected: Self.allExpected)
      return Dictionary(
        uniqueKeysWithValues: result.paths.map { path in
          ("\(path.from) \(path.to)", path.failures.filter { $0.kind == .expectationBroken })
        })
    }
    let changed = try broken("changingTexts")
    // No expectation concerns names in the first step, and the second one changes what the first has changed.
    #expect(changed["V1 V2"] == [] && changed["V1 V3"] == [])
    let failure = try #require(changed["V2 V3"]?.first)
    #expect(changed["V2 V3"]?.count == 1)
    #expect(failure.expected == "A: new.name == old.name" && failure.entity == "A")
    #expect(failure.row?.hasPrefix("A ") == true, "\(failure)")
    #expect(failure.found == "the condition does not hold")
  }

  /// An expectation that crashes the process is reported by itself, and the others are still checked.
  @Test func trappingExpectation() throws {
    let result = try rehearse(
      shortened(Self.plain, to: 2), manner: "changingTexts", options: ["--no-kill"],
      expected: [
        Expected(version: 1, manner: "trap", text: "A: new.name! == old.name"),
        Expected(version: 1, manner: "sameName", text: "A: new.name == old.name"),
        Expected(version: 1, manner: "trap", text: "A: fatalError() == new.name"),
      ])
    let failures = result.paths[0].failures.filter { $0.kind == .expectationBroken }
    #expect(
      failures.map(\.expected) == [
        "A: new.name! == old.name", "A: new.name == old.name", "A: fatalError() == new.name",
      ])
    #expect(failures.map { $0.note != nil } == [true, false, true])
    #expect(failures[0].note?.contains("it traps") == true, "\(failures[0])")
  }

  @Test(
    arguments: [
      ("losingRows", RehearsalFailure.Kind.rowLost), ("changingTexts", .valueChanged),
      ("addingRows", .rowInvented), ("addingRows", .againDiffers),
    ]) func sabotageIsFound(_ manner: String, _ kind: RehearsalFailure.Kind) throws
  {
    let result = try rehearse(
      Histories.evolution(Self.plain), manner: manner, options: ["--no-kill"])
    #expect(result.kills == [])
    for path in result.paths { #expect(path.failures.contains { $0.kind == kind }) }
  }

  /// Reading entities opens the store again, and a change of rows by that is found.
  @Test func openingAgainForEntities() throws {
    let result = try rehearse(
      Histories.evolution(Self.plain.map { $0.replacing("A: {", with: "A: { entity: Thing,") }),
      manner: "addingRows", options: ["--no-kill"])
    for path in result.paths {
      #expect(path[.converters] == .passed)
      #expect(path[.again] == .failed)
    }
  }

  /// A migration that traps on one row: the row and the property are named, and the others are still checked.
  @Test func culpritsAreNamed() throws {
    let result = try rehearse(
      Histories.evolution(Self.plain), manner: "trappingOnHugeTexts", options: ["--no-kill"])
    for path in result.paths {
      let failure = try #require(path.failures.first)
      #expect(path.failures.count == 1)
      #expect(failure.kind == .migrationFailed)
      #expect(failure.row == "A huge-values")
      #expect(failure.category == "huge-values")
      #expect(failure.property == "name")
      #expect(failure.note?.contains("a text is too long") == true, "\(failure)")
      #expect(path[.conservation] == .passed)
      #expect(path[.stepwise] != .failed)
    }
  }

  /// Unique values, which two rows cannot both have, do not hide the property.
  @Test func culpritsAmongUniqueValuesAreNamed() throws {
    for name in ["String", "{ type: String, unique: true }"] {
      let old = "id: { type: Int, unique: true }, name: \(name), rest: Int"
      let result = try rehearse(
        Histories.evolution([
          "models: { A: { properties: { \(old) } } }",
          "models: { A: { properties: { \(old), more: Int? } } }",
        ]), manner: "trappingOnHugeTexts", options: ["--no-kill"])
      let failures = result.paths.flatMap(\.failures)
      #expect(failures.map(\.row) == ["A huge-values"])
      #expect(failures.map(\.property) == ["name"])
    }
  }

  private static func moods(_ cases: String, _ properties: String, _ more: String = "") -> String {
    """
    models: { A: { properties: { id: Int, name: String, mood: Mood\(properties) } } }
    types: { Mood: { enum: String, cases: \(cases) } }
    \(more)

    """
  }

  /// A removed case fails only the paths to versions without it, and the other rows are still judged.
  @Test func removedCasesFail() throws {
    let evolution = try Histories.evolution([
      Self.moods("[calm, lost]", ""), Self.moods("[calm, lost]", ", more: Int?"),
      Self.moods("[calm]", ", more: Int?, most: Int?", "drops: { Mood.lost: nobody chose it }"),
    ])
    let result = try rehearse(evolution, manner: "inferred", options: ["--no-kill"])
    for path in result.paths {
      #expect(path.failures.map(\.kind) == (path.to == "V2" ? [] : [.caseUnreadable]), "\(path)")
      #expect(path[.stepwise] != .failed)
    }
    let text = ConservationReport(result).render(.text)
    #expect(text.contains("'Mood.lost'"))
    #expect(text.contains("--without removed-cases"))
  }

  @Test func misuse() throws {
    try withTemporaryFolder { folder in
      let history = History(manner: "inferred", names: [], chain: [], positions: [])
      try JSONEncoder().encode(history).write(to: URL(filePath: folder + "/history.json"))
      for arguments in [
        [], ["walk"], ["migrate"], ["migrate", "--store", "x", "--to", "V9"], ["run", "--plan"],
      ] {
        let finished = try run(
          Checkout.products + "/rehearsal-stand-in", arguments,
          environment: ["STAND_IN_HISTORY": folder + "/history.json"])
        #expect(finished.status == 2)
        #expect(!finished.errors.isEmpty)
      }
    }
  }
}
