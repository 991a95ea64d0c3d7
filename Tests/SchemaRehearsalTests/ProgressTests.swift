import SchemaRehearsal
import Testing

@testable import RehearsalHarness

/// The display during a rehearsal: lines in the order of its paths, whichever finishes first.
@Suite struct ProgressTests {
  private static func kill(_ from: Int, _ to: Int) -> RehearsalEvent {
    RehearsalEvent(
      from: "V\(from)", to: "V\(to)", kills: RehearsalEvent.Kills(count: 3, rows: 20))
  }

  private static func path(_ from: Int, _ to: Int, failures: Int = 0) -> RehearsalEvent {
    RehearsalEvent(from: "V\(from)", to: "V\(to)", failures: failures)
  }

  @Test("Progress is printed in a fixed order, whichever path finishes first")
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

  @Test("Progress is aligned to the longest name of a path")
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

  @Test("Stores are listed last, in their order, with their versions")
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

  @Test("If there are many paths and stores, only failing ones are listed")
  func many() {
    let names = (100...350).map { "\($0).store" }
    var progress = RehearsalProgress(RehearsalPlan.ofAll(20), kills: false, stores: names)
    var rows: [String] = []
    for from in 1..<20 {
      for to in (from + 1)...20 {
        rows += progress.take(Self.path(from, to, failures: to == 9 && from == 2 ? 1 : 0))
      }
    }
    for name in names {
      rows += progress.take(Self.store(name, failures: name == "200.store" ? 1 : 0))
    }
    #expect(rows == ["✗ V2 → V9    fails", "✗ 200.store  V1, 2 paths, fails"])
    #expect(progress.total == 190 + 251 && progress.done == progress.total)
  }
}
