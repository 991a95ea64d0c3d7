internal import Foundation
internal import ManagedModels
internal import SchemaProcesses
internal import StoreEngine
internal import StoreFormat

/// Kills the migration on one path at every possible point, and lets it run again.
struct KillTest {
  private let session: RehearsalSession
  private let from: Int
  private let to: Int
  private let empty: URL

  /// The most points to try. A migration with more points is reported as endless.
  private static let mostPoints = 10_000

  init(_ session: RehearsalSession, from: Int, to: Int, empty: URL) {
    self.session = session
    self.from = from
    self.to = to
    self.empty = empty
  }

  func run() -> KillResult {
    let clock = ContinuousClock()
    let start = clock.now
    var result = KillResult(from: session.name(from), to: session.name(to))
    do {
      try kill(&result)
    } catch {
      fail(&result, "the test to run", "\(error)")
    }
    result.failures = MigrationVerifier.condensed(result.failures)
    result.seconds = (clock.now - start).seconds
    session.tell(
      RehearsalEvent(
        from: result.from, to: result.to, failures: result.failures.count,
        kills: RehearsalEvent.Kills(count: result.kills, rows: result.rows)))
    return result
  }

  private func kill(_ result: inout KillResult) throws {
    let folder = try session.folder("kill-\(session.name(from))-\(session.name(to))")
    let base = folder.appending(path: "base.store")
    let version = session.plan.versions[from]
    // Adversarial values are for the other checks: here a migration must reach its end.
    let rows = version.rows.filter { row in
      row.category.map { ["duplicates", "cycles", "orphans"].contains($0) } ?? true
    }
    // Many rows make every kill slow. Only the tests of single steps have many rows, for kills between batches. Tests
    // of longer paths are for kills between stages, where a few rows suffice.
    let series = to == from + 1 ? version.series.filter { $0.steps.contains(from) } : []
    result.rows = try session.fill(base, from, empty: empty, with: rows, series: series).count
    guard let path = session.plan.path(from: from, to: to) else {
      throw RehearsalSession.Stopped(description: "the plan does not contain this path")
    }
    let undisturbed = folder.appending(path: "undisturbed.store")
    try session.copy(base, to: undisturbed)
    let outcome = try session.migrate(undisturbed, to: to)
    guard outcome.isSuccess else {
      return fail(&result, "an undisturbed migration to succeed", outcome.description)
    }
    let expected = try session.dump(undisturbed, to)
    let structure = try StoreFile(at: .file(undisturbed), isReadOnly: true).structure()
    var comparison = DumpComparison(on: path)
    let store = folder.appending(path: "killed.store")
    for point in 1...Self.mostPoints {
      try session.copy(base, to: store)
      let killed = try session.migrate(store, to: to, killAt: point)
      if killed.isSuccess { return }
      guard killed.end == .signal(SIGKILL) else {
        return fail(&result, "to die at point \(point)", killed.description)
      }
      result.kills += 1
      let place = Self.place(killed) ?? "point \(point)"
      let second = try session.migrate(store, to: to)
      guard second.isSuccess else {
        fail(&result, "to start again after a kill at \(place)", second.description)
        continue
      }
      let found = try session.dump(store, to)
      var differences = try comparison.differences(expected, found, on: path) {
        try session.migrated(base, as: undisturbed, to: to)
      }
      if try StoreFile(at: .file(store), isReadOnly: true).structure() != structure {
        differences.append(
          DumpComparison.Difference(
            entity: "all", place: .table, first: "the layout of an undisturbed run",
            second: "a different layout"))
      }
      if differences.isEmpty {
        result.survived += 1
        continue
      }
      result.failures += differences.map { difference in
        RehearsalFailure(
          .killDiffers, path: session.pathName(from, to), entity: difference.entity,
          row: difference.place.description, property: difference.property,
          expected: "undisturbed: \(difference.first)", found: difference.second,
          note: note(place, path))
      }
    }
    fail(&result, "an end", "none after \(Self.mostPoints) kills")
  }

  private func note(_ place: String, _ path: PlannedPath) -> String {
    path.hooks.isEmpty
      ? "killed at \(place)"
      : "killed at \(place); an 'after' hook does not run again after a kill, and hooks ran in "
        + path.hooks.joined(separator: ", ")
  }

  /// The store layer's last message before it died: `checkpoint 3: before migrating`.
  private static func place(_ outcome: ChildProcess.Outcome) -> String? {
    outcome.errors.split(separator: "\n").last { $0.hasPrefix("killed at ") }
      .map { String($0.dropFirst("killed at ".count)) }
  }

  private func fail(_ result: inout KillResult, _ expected: String, _ found: String) {
    result.failures.append(
      RehearsalFailure(
        .killDiffers, path: session.pathName(from, to), expected: expected, found: found))
  }
}
