package import RehearsalHarness
package import SchemaEvolution
package import SchemaModel

/// Makes a rehearsal's plan for a history: rows for each version, and the expected result for them on each path.
package struct RehearsalPlanner {
  package static let defaultSeed: UInt64 = 2_014

  private let evolution: Evolution
  private let seed: UInt64
  private let categories: Set<AdversarialCategory>
  private let scope: Scope

  /// The paths to rehearse: all of them, or those chosen from a long history.
  package struct Scope: Sendable {
    package var first: Int
    package var last: Int
    package var isStepsOnly: Bool

    package init(
      _ history: [SchemaVersion], from: VersionNumber? = nil, to: VersionNumber? = nil,
      isStepsOnly: Bool = false
    ) {
      first = from.flatMap { from in history.firstIndex { $0.number == from } } ?? 0
      last = to.flatMap { to in history.firstIndex { $0.number == to } } ?? history.count - 1
      self.isStepsOnly = isStepsOnly
    }

    var pairs: [(from: Int, to: Int)] {
      guard first < last else { return [] }
      return (first..<last).flatMap { from in
        ((from + 1)...(isStepsOnly ? from + 1 : last)).map { (from, $0) }
      }
    }

    func limit(_ history: [SchemaVersion]) -> String? {
      guard first > 0 || last < history.count - 1 || isStepsOnly else { return nil }
      let range = "\(history[first].number.name) to \(history[last].number.name)"
      return isStepsOnly
        ? "only single steps from \(range) were rehearsed, no path over several"
        : "only paths from \(range) were rehearsed"
    }
  }

  /// - Parameters:
  ///   - evolution: The history, which must have no errors.
  ///   - categories: The adversarial rows to make.
  ///   - scope: The paths; nil for all.
  package init(
    _ evolution: Evolution, seed: UInt64 = defaultSeed,
    categories: Set<AdversarialCategory> = Set(AdversarialCategory.allCases),
    scope: Scope? = nil
  ) {
    self.scope = scope ?? Scope(evolution.history)
    self.evolution = evolution
    self.seed = seed
    self.categories = categories
  }

  /// Makes the plan, which depends only on the history, the seed and the categories.
  package func plan() -> RehearsalPlan {
    let rowLineage = RowLineage(evolution.history)
    let pairs = scope.pairs
    let limit = scope.limit(evolution.history)
    let starts = Set(pairs.map(\.from))
    typealias Made = (rows: [PlannedRow], series: [PlannedSeries], limits: [String])
    let made = concurrentMap(evolution.history.count) { version -> Made in
      guard limit == nil || starts.contains(version) else { return ([], [], []) }
      return RowMaker(
        evolution: evolution, rowLineage: rowLineage, version: version, seed: seed,
        categories: categories
      ).make()
    }
    let versions = zip(evolution.history, made).map { version, made in
      PlannedVersion(name: version.number.name, rows: made.rows, series: made.series)
    }
    return RehearsalPlan(
      seed: seed, versions: versions, paths: PathPlanner(evolution, rowLineage).paths(pairs),
      limits: [limit].compactMap(\.self) + made.flatMap(\.limits))
  }
}
