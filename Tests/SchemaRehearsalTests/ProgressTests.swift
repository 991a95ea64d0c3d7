import RehearsalHarness
import SchemaRehearsal
import Testing

/// What is shown while a rehearsal runs: rows in the order of its paths, whatever comes to its end first.
@Suite struct ProgressTests {
  private static func kill(_ from: Int, _ to: Int) -> RehearsalEvent {
    RehearsalEvent(
      from: "V\(from)", to: "V\(to)", kills: RehearsalEvent.Kills(count: 3, rows: 20))
  }

  private static func path(_ from: Int, _ to: Int, failures: Int = 0) -> RehearsalEvent {
    RehearsalEvent(from: "V\(from)", to: "V\(to)", failures: failures)
  }

  @Test("A row waits for those above it")
  func order() {
    var progress = RehearsalProgress(RehearsalPlan.ofAll(3), kills: true)
    #expect(progress.total == 6 && progress.done == 0)
    #expect(progress.take(Self.kill(1, 3)) == [])
    #expect(progress.take(Self.path(2, 3, failures: 2)) == [])
    #expect(progress.take(Self.kill(2, 3)) == [])
    #expect(progress.done == 3)
    #expect(
      progress.take(Self.kill(1, 2)) == [
        "✓ V1 → V2  killed 3 times, with 20 rows in the store",
        "✓ V2 → V3  killed 3 times, with 20 rows in the store",
        "✓ V1 → V3  killed 3 times, with 20 rows in the store",
      ])
    #expect(progress.take(Self.path(1, 2)) == ["✓ V1 → V2"])
    #expect(progress.take(Self.path(1, 3)) == ["✓ V1 → V3", "✗ V2 → V3  fails"])
    #expect(progress.done == progress.total)
  }

  @Test("What is said of a path begins where it begins for the longest name")
  func columns() {
    var progress = RehearsalProgress(
      RehearsalPlan.ofAll(10), kills: true, stores: ["app.store", "older/app.store"])
    #expect(
      progress.take(Self.kill(1, 2)) == ["✓ V1 → V2   killed 3 times, with 20 rows in the store"])
  }

  private static func store(_ name: String, failures: Int = 0) -> RehearsalEvent {
    RehearsalEvent(
      from: "V1", to: "V3", store: RehearsalEvent.Store(name: name, paths: 2), failures: failures)
  }

  @Test("Stores come after all else, in their order, and say of which version they are")
  func stores() {
    var progress = RehearsalProgress(
      RehearsalPlan.ofAll(2), kills: false, stores: ["a.store", "b/app.store", "c.store"])
    #expect(progress.total == 4)
    #expect(progress.take(Self.store("b/app.store", failures: 3)) == [])
    #expect(progress.take(Self.store("a.store")) == [])
    #expect(
      progress.take(Self.path(1, 2)) == [
        "✓ V1 → V2", "✓ a.store      V1, 2 paths", "✗ b/app.store  V1, 2 paths, fails",
      ])
    var unknown = Self.store("c.store", failures: 1)
    unknown.from = ""
    #expect(progress.take(unknown) == ["✗ c.store      fails"])
  }

  @Test("Many stores share a row for each hundred of them")
  func manyStores() {
    let names = (100...350).map { "\($0).store" }
    var progress = RehearsalProgress(RehearsalPlan.ofAll(1), kills: false, stores: names)
    var rows: [String] = []
    for name in names { rows += progress.take(Self.store(name)) }
    #expect(
      rows == [
        "✓ 100.store … 199.store  100 stores", "✓ 200.store … 299.store  100 stores",
        "✓ 300.store … 350.store  51 stores",
      ])
  }

  @Test("Many paths share a row for each version that they begin at")
  func many() {
    var progress = RehearsalProgress(RehearsalPlan.ofAll(20), kills: false)
    var rows: [String] = []
    for to in (2...20).reversed() { rows += progress.take(Self.path(1, to)) }
    for to in 3...20 { rows += progress.take(Self.path(2, to, failures: to == 9 ? 1 : 0)) }
    #expect(
      rows == ["✓ V1 → V2 … V20    19 paths", "✗ V2 → V3 … V20    18 paths, 1 of them fails"])
    #expect(progress.total == 190 && progress.done == 37)
  }
}
