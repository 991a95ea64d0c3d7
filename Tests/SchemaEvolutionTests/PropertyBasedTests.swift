import SchemaModel
import TestSupport
import Testing

@testable import SchemaEvolution

/// Invariants of any history, tested on random ones. A failure names its seed.
@Suite struct PropertyBasedTests {
  static let seeds = Checkout.seeds(300)

  private func applied(_ differences: [Difference], to version: SchemaVersion) -> SchemaVersion {
    var version = version
    for difference in differences { difference.apply(to: &version) }
    return version
  }

  /// The generator is useful only if most of its histories are sound and use bridges.
  @Test func mostHistoriesAreSound() {
    let evolutions = Self.seeds.map {
      AnalysisPipeline(history: HistoryGenerator.history(seed: $0)).run()
    }
    let sound = evolutions.filter { $0.errors.isEmpty }
    #expect(sound.count > Self.seeds.count * 2 / 3, "\(sound.count)")
    #expect(sound.count { $0.chain.contains(where: \.isBridge) } > Self.seeds.count / 3)
    #expect(
      sound.count { $0.stages.contains(where: \.isBarrier) } > Self.seeds.count / 300)
    #expect(
      sound.count { $0.steps.contains { !$0.plan.relationshipUpdates.isEmpty } }
        > Self.seeds.count / 30)
  }

  @Test(arguments: seeds) func nothingDiffersFromItself(_ seed: Int) {
    for version in HistoryGenerator.history(seed: seed) {
      let version = version.withoutStep
      #expect(SchemaDiffer().differences(from: version, to: version) == [], "seed \(seed)")
      let other = version.shuffled(seed: seed)
      #expect(SchemaDiffer().differences(from: version, to: other) == [], "seed \(seed)")
    }
  }

  @Test(arguments: seeds) func differencesLeadToTheNewer(_ seed: Int) {
    let history = HistoryGenerator.history(seed: seed)
    for (old, new) in zip(history, history.dropFirst()) {
      let differences = SchemaDiffer().differences(from: old, to: new)
      #expect(applied(differences, to: old).canonical == new.canonical, "seed \(seed)")
    }
    // Any two versions are compared in both directions, as if nothing were declared.
    for old in history {
      for new in history.map(\.withoutStep) {
        let differences = SchemaDiffer().differences(from: old, to: new)
        #expect(applied(differences, to: old).canonical == new.canonical, "seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds) func orderChangesNothing(_ seed: Int) {
    let history = HistoryGenerator.history(seed: seed)
    let shuffled = history.enumerated().map { $0.element.shuffled(seed: seed &+ $0.offset) }
    let first = AnalysisPipeline(history: history).run()
    let second = AnalysisPipeline(history: shuffled).run()
    for (one, other) in zip(first.steps, second.steps) {
      #expect(one.changes.map(\.key).sorted() == other.changes.map(\.key).sorted(), "seed \(seed)")
      #expect(one.mechanism == other.mechanism, "seed \(seed)")
      #expect(one.plan.bridges == other.plan.bridges, "seed \(seed)")
    }
    #expect(Set(first.findings) == Set(second.findings), "seed \(seed)")
    #expect(first.identities.map(\.full) == second.identities.map(\.full), "seed \(seed)")
    #expect(first.stages.map(\.isBarrier) == second.stages.map(\.isBarrier), "seed \(seed)")
  }

  /// Adding a version changes neither the structure nor the stages of those before it.
  @Test(arguments: seeds) func shippedVersionsStay(_ seed: Int) {
    let history = HistoryGenerator.history(seed: seed)
    let whole = AnalysisPipeline(history: history).run()
    guard whole.errors.isEmpty else { return }
    for count in 1..<history.count {
      let part = AnalysisPipeline(history: Array(history.prefix(count))).run()
      guard part.errors.isEmpty else { continue }
      for (before, after) in zip(part.chain, whole.chain) {
        #expect(before.name == after.name, "seed \(seed)")
        #expect(before.identifier == after.identifier, "seed \(seed)")
        #expect(before.schema == after.schema, "seed \(seed)")
      }
      #expect(part.identities == Array(whole.identities.prefix(part.chain.count)), "seed \(seed)")
      for (before, after) in zip(part.stages, whole.stages) {
        #expect(before.isCustom == after.isCustom, "seed \(seed)")
        #expect(before.isBarrier == after.isBarrier, "seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds) func allHolds(_ seed: Int) {
    let evolution = AnalysisPipeline(history: HistoryGenerator.history(seed: seed)).run()
    #expect(Invariants.broken(evolution) == [], "seed \(seed)")
    #expect(Invariants.inverses(evolution) == [], "seed \(seed)")
  }

  static let renames: [(old: String, new: String)] = [
    ("a: Int, b: String", "b: { type: Int, renamedFrom: a }, a: { type: String, renamedFrom: b }"),
    ("a: Int, b: String", "b: { type: Int, renamedFrom: a }, c: { type: String, renamedFrom: b }"),
    ("b: String, a: Int", "b: { type: Int, renamedFrom: a }, c: { type: String, renamedFrom: b }"),
    (
      "a: Int, b: String, c: Date",
      "b: { type: Int, renamedFrom: a }, c: { type: String, renamedFrom: b }, a: { type: Date, renamedFrom: c }"
    ),
    (
      "a: Int, b: String",
      "b: { type: Int, from: a, convert: $0 }, c: { type: String, renamedFrom: b }"
    ),
    ("a: Int, c: String", "b: { type: Int?, renamedFrom: a }, a: Date"),
  ]

  /// Swapped names, with constraints that follow them.
  @Test(arguments: renames) func renamesInARow(_ old: String, _ new: String) throws {
    let versions = try Manifests.versions([
      Manifests.one(old, "unique: [[a, id]], index: [[a]]"),
      Manifests.one(new, "unique: [[id, b]], index: [[id], [b]]"),
    ])
    let differences = SchemaDiffer().differences(from: versions[0], to: versions[1])
    #expect(applied(differences, to: versions[0]).canonical == versions[1].canonical)
  }

  @Test func modelsThatChangeNames() throws {
    let versions = try Manifests.versions([
      Manifests.two("x: Int", "y: String"),
      """
      models:
        B: { renamedFrom: A, properties: { id: Int, x: Int? } }
        C: { renamedFrom: B, properties: { id: Int, y: String? } }
      """,
    ])
    let differences = SchemaDiffer().differences(from: versions[0], to: versions[1])
    #expect(applied(differences, to: versions[0]).canonical == versions[1].canonical)
  }
}

extension SchemaChange {
  fileprivate var key: String { "\(kind.rawValue) \(element) \(detail) \(mechanism) \(effect)" }
}
