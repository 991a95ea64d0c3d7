package import RehearsalHarness

extension RehearsalPlan {
  /// The plan with what falls to a shard: all paths from a version stay together, for they share the store of that
  /// version and the one that goes step by step. Paths and kill tests are each divided by themselves.
  ///
  /// - Parameter kills: Whether there are kill tests.
  package func shared(_ shard: Shard, kills isKilled: Bool) -> RehearsalPlan {
    var plan = self
    plan.part = Part(
      starts: shard.share(of: starts) {
        "paths from \(versions[$0].name)"
      } weight: {
        ends(from: $0).count
      },
      kills: isKilled
        ? shard.share(of: kills) { "kills \(versions[$0.from].name) \(versions[$0.to].name)" } : [])
    return plan
  }

  /// The paths that are run, in order.
  package var runPaths: [PlannedPath] {
    let starts = Set(starts)
    return paths.filter { starts.contains($0.from) }
  }
}
