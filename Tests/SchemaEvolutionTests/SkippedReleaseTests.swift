import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution

/// A store that skips a release gets the result of each step: hazards are found, and barrier stages inserted where
/// needed.
@Suite struct SkippedReleaseTests {
  private static func one(
    _ properties: String = "", _ keys: String = "", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var versions: [String]
    /// `V1–V3 element`
    var hazards: [String]
    /// Versions from which a barrier stage leads to the next.
    var stops: [String]

    var testDescription: String { name }
  }

  private static let drop = "drops: { A.x: gone }"

  static let cases: [Case] = [
    Case(
      name: "a name comes back", versions: [one("x: Int?"), one("", "", drop), one("x: Int?")],
      hazards: ["V1–V3 A.x"], stops: ["SchemaV2"]),
    Case(
      name: "a name comes back with another type",
      versions: [one("x: Int?"), one("", "", drop), one("x: String?")],
      hazards: ["V1–V3 A.x"], stops: ["SchemaV2"]),
    Case(
      name: "a name comes back late",
      versions: [one("x: Int?"), one("", "", drop), one("y: Int?"), one("x: Int?, y: Int?")],
      hazards: ["V1–V4 A.x"], stops: ["SchemaV3"]),
    Case(
      name: "a relationship comes back",
      versions: [
        Manifests.two("x: { relationship: B? }", ""), Manifests.two("", "", drop),
        Manifests.two("x: { relationship: B? }", ""),
      ], hazards: ["V1–V3 A.x"], stops: ["SchemaV2"]),
    Case(
      name: "a name comes back as a relationship",
      versions: [
        Manifests.two("x: Int?", ""), Manifests.two("", "", drop),
        Manifests.two("x: { relationship: B? }", ""),
      ], hazards: [], stops: []),
    Case(
      name: "a model comes back",
      versions: [
        Manifests.two("", "y: Int?"), one("", "", "drops: { B: gone }"),
        Manifests.two("", "y: Int?"),
      ],
      hazards: ["V1–V3 B"], stops: ["SchemaV2"]),
    Case(
      name: "an inverse that is new before one becomes many",
      versions: [
        Manifests.two("x: { relationship: B? }", ""),
        Manifests.two("x: { relationship: B?, inverse: y }", "y: { relationship: '[A]' }")
          + "accept: [{ rule: inverse-changed, element: A.x, reason: tried }]",
        Manifests.two("x: { relationship: '[B]', inverse: y }", "y: { relationship: '[A]' }"),
      ],
      hazards: ["V1–V3 A.x"], stops: ["SchemaV2"]),
    Case(
      name: "a chain of renames",
      versions: [
        one("x: Int"), one("y: { type: Int, renamedFrom: x }"),
        one("z: { type: Int, renamedFrom: y }"),
      ], hazards: [], stops: []),
    Case(
      name: "a renamed one's old name is used again later",
      versions: [
        one("x: Int?"), one("y: { type: Int?, renamedFrom: x }"), one("y: Int?, z: Int?"),
      ],
      hazards: [], stops: []),
    Case(
      name: "a default that only a middle version has",
      versions: [one(), one("x: Int = 1"), one("x: Int = 2")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "a default that goes",
      versions: [one(), one("x: Int = 1"), one("x: Int")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "a default, then optional",
      versions: [one(), one("x: Int = 1"), one("x: Int?")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "numbers there and back",
      versions: [one("x: Int"), one("x: Bool"), one("x: Int")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "numbers twice",
      versions: [one("x: Double"), one("x: Int"), one("x: Decimal")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "optional, required, optional",
      versions: [one("x: Int?"), one("x: Int = 0"), one("x: Int? = 0")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "required with different defaults",
      versions: [one("x: Int?"), one("x: Int = 0"), one("x: Int = 1")], hazards: ["V1–V3 A.x"],
      stops: ["SchemaV2"]),
    Case(
      name: "required stays required",
      versions: [one("x: Int?"), one("x: Int = 0"), one("x: Int = 0, y: Int?")], hazards: [],
      stops: []),
    Case(
      name: "two hazards, one stop",
      versions: [
        one("x: Int?, y: Int?"), one("", "", "drops: { A.x: gone, A.y: gone }"),
        one("x: Int?, y: Int?"),
      ], hazards: ["V1–V3 A.x", "V1–V3 A.y"], stops: ["SchemaV2"]),
    Case(
      name: "two hazards that overlap, one stop",
      versions: [
        one("x: Int?, y: Int?"), one("y: Int?", "", drop),
        one("x: Int?", "", "drops: { A.y: { reason: gone, notCarriedTo: x } }"),
        one("x: Int?, y: Int?"),
      ], hazards: ["V1–V3 A.x", "V1–V4 A.x", "V1–V4 A.y", "V2–V4 A.y"], stops: ["SchemaV2"]),
    Case(
      name: "two hazards one after the other, two stops",
      versions: [
        one("x: Int?"), one("", "", drop), one("x: Int?"), one("", "", drop), one("x: Int?"),
      ],
      hazards: ["V1–V3 A.x", "V1–V5 A.x", "V3–V5 A.x"], stops: ["SchemaV2", "SchemaV4"]),
    Case(
      name: "a stop that is there already",
      versions: [
        one("x: Int?, z: Int?"), one("z: Int?", "", drop),
        one("x: Int?, z: { type: Int, fill: 0 }"),
      ],
      hazards: [], stops: []),
    Case(
      name: "a bridge is a stop",
      versions: [
        one("x: Int?"), one("", "", drop), one("x: Int?, z: { type: UUID, fill: UUID() }"),
      ],
      hazards: ["V1–V2to3 A.x"], stops: ["SchemaV2"]),
    Case(
      name: "fields of a struct that come and stay",
      versions: [
        one("x: T?", "", "types: { T: { struct: { a: Int } } }"),
        one("x: T?", "", "types: { T: { struct: { a: Int, b: Int? } } }"),
        one("x: T?", "", "types: { T: { struct: { a: Int, b: Int?, c: Int? } } }"),
      ], hazards: [], stops: []),
    Case(
      name: "a struct's field comes back",
      versions: [
        one("x: T?", "", "types: { T: { struct: { a: Int, b: Int? } } }"),
        one("x: T?", "", "types: { T: { struct: { a: Int } } }\ndrops: { T.b: gone }"),
        one("x: T?", "", "types: { T: { struct: { a: Int, b: Int? } } }"),
      ], hazards: ["V1–V3 A.x"], stops: ["SchemaV2"]),
  ]

  @Test(arguments: cases) func stops(_ example: Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    #expect(evolution.errors == [])
    func label(_ number: VersionNumber) -> String? {
      evolution.chain.first { $0.identifier == number }?
        .name.replacing("Schema", with: "").replacing("ToV", with: "to")
    }
    let hazards = evolution.hazards.map {
      "\(label($0.from) ?? "?")–\(label($0.to) ?? "?") \($0.element)"
    }
    #expect(hazards.sorted() == example.hazards.sorted())
    #expect(evolution.stops == example.stops)
    #expect(Invariants.broken(evolution) == [])
  }

  /// Every barrier stage says what it is for, and every hazard names its barrier stage.
  @Test(arguments: cases) func stopsSayWhy(_ example: Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    for stage in evolution.stages where stage.isBarrier {
      for reason in stage.barrierReasons {
        #expect(reason.from <= stage.from.identifier && stage.to.identifier <= reason.to)
        #expect(reason.stepwise != reason.direct)
      }
    }
  }

  /// On random chains, no smaller set of barrier stages is sufficient.
  @Test(arguments: Checkout.seeds(300)) func stopsAreFewest(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) &+ 0x5EED)
    let count = 3 + random.below(6)
    let choices = [
      "", "x: Int?", "x: Int? = 1", "x: Int = 0", "x: Int = 1", "x: Double = 0", "x: String?",
    ]
    let others = ["", "y: Int?", "y: Int = 1"]
    let chain = try (0..<count).map { index in
      let body = Self.one(
        [random.pick(choices), random.pick(others)].filter { !$0.isEmpty }
          .joined(separator: ", "))
      let schema = try Manifests.versions([body])[0]
      return ChainVersion(
        role: .version, name: "V\(index)", identifier: VersionNumber(index), schema: schema)
    }
    let isCustom = (0..<count - 1).map { _ in random.chance(20) }
    let planner = StagePlanner(chain: chain, isCustom: isCustom)
    let free = isCustom.indices.filter { !isCustom[$0] }
    func suffices(_ stops: Set<Int>) -> Bool {
      planner.hazards.allSatisfy { hazard in
        hazard.stages.contains { isCustom[$0] || stops.contains($0) }
      }
    }
    var fewest = Int.max
    for mask in 0..<(1 << free.count) {
      let stops = free.indices.filter { mask & (1 << $0) != 0 }.map { free[$0] }
      if stops.count < fewest, suffices(Set(stops)) { fewest = stops.count }
    }
    #expect(suffices(Set(planner.barriers)), "seed \(seed)")
    #expect(planner.barriers.count == fewest, "seed \(seed)")
    #expect(planner.barriers.allSatisfy { !isCustom[$0] }, "seed \(seed)")
  }

  /// A hazard is a difference between one inference and the steps, computed here without the planner's shortcuts.
  @Test(arguments: Checkout.seeds(300)) func hazardsAreAllThere(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) &+ 0xACE)
    let choices = ["", "x: Int?", "x: Int? = 1", "x: Int = 0", "x: Int = 1", "x: Double = 0"]
    let chain = try (0..<(3 + random.below(4))).map { index in
      let schema = try Manifests.versions([Self.one(random.pick(choices))])[0]
      return ChainVersion(
        role: .version, name: "V\(index)", identifier: VersionNumber(index), schema: schema)
    }
    let forms = chain.map { StoredModel($0.schema.models[0], StorageTypes(version: $0.schema)) }
    let planner = StagePlanner(
      chain: chain, isCustom: Array(repeating: false, count: chain.count - 1))
    for from in forms.indices {
      var stepwise = Inference.identity(forms[from])
      for to in forms.indices.dropFirst(from + 1) {
        let step = Inference.provenances(from: forms[to - 1], to: forms[to])
        stepwise = Inference.compose(stepwise, step)
        let direct = Inference.provenances(from: forms[from], to: forms[to])
        let isHazard =
          stepwise["x"] != direct["x"]
          && !(stepwise["x"]?.description.hasPrefix("a failure") ?? false)
        let isFound = planner.hazards.contains { $0.stages == from..<to }
        #expect(isHazard == isFound, "seed \(seed): \(from) → \(to)")
      }
    }
  }
}
