import Foundation
import RehearsalHarness
import SchemaRehearsal
import Testing

/// How a rehearsal is divided over machines, and made one again.
@Suite struct ShardTests {
  private static func shards(_ count: Int) throws -> [Shard] {
    try (1...count).map { try Shard("\($0)/\(count)") }
  }

  @Test("All shards together are the whole, and no part is in two", arguments: [1, 2, 3, 5, 8, 40])
  func union(_ count: Int) throws {
    for versions in [1, 2, 4, 9, 33] {
      let plan = RehearsalPlan.ofAll(versions)
      let parts = try Self.shards(count).map { plan.shared($0, kills: true) }
      #expect(
        parts.flatMap(\.runPaths).map { [$0.from, $0.to] }.sorted(by: Self.precedes)
          == plan.paths.map { [$0.from, $0.to] })
      #expect(
        parts.flatMap(\.kills).map { [$0.from, $0.to] }.sorted(by: Self.precedes)
          == plan.kills.map { [$0.from, $0.to] }.sorted(by: Self.precedes))
      #expect(try Self.shards(count).flatMap { plan.shared($0, kills: false).kills } == [])
    }
    let names = (1...200).map { "customer \($0)/app.store" }
    #expect(
      try Self.shards(count).flatMap { $0.share(of: names) { $0 } }.sorted() == names.sorted())
  }

  private static func precedes(_ one: [Int], _ other: [Int]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }

  @Test("No shard has much more than another")
  func balance() throws {
    for count in 2...8 {
      let parts = try Self.shards(count).map { RehearsalPlan.ofAll(33).shared($0, kills: true) }
      let paths = parts.map(\.runPaths.count)
      // The largest indivisible part is the 32 paths from V1. Where the last units fit nowhere, shards get a little more.
      #expect((paths.max() ?? 0) * 20 <= max(32, (528 + count - 1) / count) * 21, "\(paths)")
      let kills = parts.map(\.kills.count)
      #expect((kills.max() ?? 0) <= (33 + count - 1) / count, "\(kills)")
    }
  }

  @Test("With one version more, most of what was there stays in its shard")
  func stability() throws {
    func places(_ versions: Int, _ count: Int) throws -> [String: Int] {
      var places: [String: Int] = [:]
      let plan = RehearsalPlan.ofAll(versions)
      for shard in try Self.shards(count) {
        let part = plan.shared(shard, kills: true)
        for start in part.starts { places["paths \(start)"] = shard.number }
        for kill in part.kills where kill.to == kill.from + 1 {
          places["kill \(kill.from)"] = shard.number
        }
      }
      return places
    }
    for count in 2...8 {
      let before = try places(33, count)
      let after = try places(34, count)
      let moved = before.filter { after[$0.key] != $0.value }
      #expect(moved.count * 3 < before.count, "\(count) shards: \(moved.count) of \(before.count)")
    }
  }

  @Test("A name decides, not its place among the others")
  func names() throws {
    let names = (1...50).map { "\($0).store" }
    for shard in try Self.shards(4) {
      #expect(
        Set(shard.share(of: names) { $0 }) == Set(shard.share(of: names.reversed()) { $0 }))
    }
    // Fixed for all time: a shard's report may be compared with that of last year.
    #expect(try Shard("2/4").share(of: ["a", "b", "c", "d", "e"]) { $0 } == ["c"])
  }

  @Test(
    "What is no shard is refused with what to write",
    arguments: [
      ("0/8", "the shards of 8 are 1/8 to 8/8"), ("9/8", "the shards of 8 are 1/8 to 8/8"),
      ("3/0", "there can be 1 to 256 shards, not 0"),
      ("1/257", "there can be 1 to 256 shards, not 257"),
      ("a/b", "such as 3/8"), ("-1/8", "such as 3/8"), ("+1/8", "such as 3/8"),
      ("3", "such as 3/8"), ("", "such as 3/8"), ("/", "such as 3/8"), ("1/2/3", "such as 3/8"),
      ("1 /8", "such as 3/8"), ("１/8", "such as 3/8"),
      ("1/99999999999999999999999", "such as 3/8"), ("99999999999999999999999/8", "such as 3/8"),
    ])
  func malformed(_ text: String, _ reason: String) {
    let error = #expect(throws: Shard.Malformed.self) { try Shard(text) }
    #expect(error?.description.contains(reason) == true)
  }

  // MARK: Merging

  /// The report of a shard, through its JSON.
  private static func report(
    _ shard: String, tool: String = "1.0.0", plan: String = "plan", kills: Bool = true,
    code: String = "struct A {}", stores: [(name: String, size: Int)] = [],
    _ result: RehearsalResult = RehearsalResult(versions: ["V1", "V2", "V3"])
  ) throws -> (file: String, report: ConservationReport) {
    let origin = ShardOrigin(
      try Shard(shard), tool: tool, plan: Data(plan.utf8), kills: kills,
      files: [ScratchPackage.File(path: "A.swift", contents: Array(code.utf8))], stores: stores)
    let json = ConservationReport(result, origin: origin).render(.json)
    return (
      "\(shard.replacing("/", with: "-")).json", try ConservationReport(json: Data(json.utf8))
    )
  }

  @Test("Parts come in the order of one run, whatever the order of the files")
  func order() throws {
    func path(_ from: String, _ to: String, _ store: String? = nil) -> PathResult {
      PathResult(from: from, to: to, store: store)
    }
    func kill(_ from: String, _ to: String) -> KillResult { KillResult(from: from, to: to) }
    let versions = ["V1", "V2", "V10"]
    let whole = RehearsalResult(
      versions: versions,
      paths: [
        path("V1", "V2"), path("V1", "V10"), path("V2", "V10"), path("V2", "V10", "a.store"),
        path("V1", "V2", "b.store"), path("V1", "V10", "b.store"),
      ],
      kills: [kill("V1", "V2"), kill("V2", "V10"), kill("V1", "V10")],
      stores: [
        StoreResult(store: "a.store", version: "V2"), StoreResult(store: "b.store", version: "V1"),
        StoreResult(store: "c.store", refusal: "cannot be opened"),
      ], limits: ["one", "two"], seconds: 9)
    var one = whole
    one.paths = [whole.paths[2], whole.paths[4], whole.paths[5]]
    one.kills = [whole.kills[0], whole.kills[2]]
    one.stores = [whole.stores![1]]
    var other = whole
    other.paths = [whole.paths[0], whole.paths[1], whole.paths[3]]
    other.kills = [whole.kills[1]]
    other.stores = [whole.stores![0], whole.stores![2]]
    other.seconds = 4
    let merged = try ConservationReport.merging([
      Self.report("2/2", other), Self.report("1/2", one),
    ])
    #expect(merged.render(.json) == ConservationReport(whole).render(.json))
    #expect(!merged.isSuccess)
  }

  @Test("A shard says which it is, and one to which nothing falls says so")
  func headline() throws {
    #expect(
      try Self.report("3/8").report.headline
        == "shard 3/8: 3 versions, 0 paths: nothing falls to this shard")
    let killed = RehearsalResult(
      versions: ["V1", "V2"], kills: [KillResult(from: "V1", to: "V2", kills: 3, survived: 3)])
    #expect(
      try Self.report("1/2", killed).report.headline
        == "shard 1/2: 2 versions, 0 paths, 3 kills: no unexpected data loss")
  }

  @Test("Reports that do not belong together are refused")
  func refusals() throws {
    func expect(
      _ parts: [(file: String, report: ConservationReport)], _ message: String,
      location: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: MergeFailure.self, sourceLocation: location) {
        try ConservationReport.merging(parts)
      }
      #expect(error?.message == message, sourceLocation: location)
      #expect(error?.help.isEmpty == false, sourceLocation: location)
    }
    expect([], "there is no report to merge")
    let whole = ConservationReport(RehearsalResult(versions: ["V1"]))
    expect(
      [("a.json", whole)], "'a.json' is the report of a whole rehearsal, not of a shard of one")
    expect(
      [try Self.report("1/2"), ("a.json", whole)],
      "'a.json' is the report of a whole rehearsal, not of a shard of one")
    expect([try Self.report("1/2")], "shard 2/2 is missing")
    expect([try Self.report("2/4")], "shards 1/4, 3/4, 4/4 are missing")
    expect(
      [try Self.report("1/2"), try Self.report("1/2")],
      "shard 1/2 is there twice, in '1-2.json' and in '1-2.json'")
    expect(
      [try Self.report("1/2"), try Self.report("2/3")],
      "'1-2.json' and '2-3.json' are shards 1/2 and 2/3")
    expect(
      [try Self.report("1/2"), try Self.report("2/2", tool: "1.1.0")],
      "'1-2.json' and '2-2.json' are by schemagen 1.0.0 and schemagen 1.1.0")
    let other = "'1-2.json' and '2-2.json' have rehearsed different manifests, code or options"
    expect([try Self.report("1/2"), try Self.report("2/2", plan: "more")], other)
    expect([try Self.report("1/2"), try Self.report("2/2", kills: false)], other)
    expect([try Self.report("1/2"), try Self.report("2/2", code: "struct B {}")], other)
    expect(
      [try Self.report("1/2", stores: [("a", 1)]), try Self.report("2/2", stores: [("a", 2)])],
      "'1-2.json' and '2-2.json' have rehearsed different stores")
  }
}
