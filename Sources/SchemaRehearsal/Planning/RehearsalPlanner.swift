package import RehearsalHarness
package import SchemaEvolution
internal import SchemaModel

/// Makes a rehearsal's plan of a history: rows for each version, and what must become of them on each way.
package struct RehearsalPlanner {
  /// What rows are made from unless somebody says otherwise.
  package static let defaultSeed: UInt64 = 2_014

  private let evolution: Evolution
  private let seed: UInt64
  private let categories: Set<AdversarialCategory>
  private let fixture: Fixture

  /// - Parameters:
  ///   - evolution: Free of errors.
  ///   - categories: The adversarial rows to make.
  ///   - fixture: Rows of the user's, beside the generated ones.
  package init(
    _ evolution: Evolution, seed: UInt64 = defaultSeed,
    categories: Set<AdversarialCategory> = Set(AdversarialCategory.allCases),
    fixture: Fixture = Fixture()
  ) {
    self.evolution = evolution
    self.seed = seed
    self.categories = categories
    self.fixture = fixture
  }

  /// The plan; a function of the history, the seed, the categories and the fixture.
  package func plan() -> RehearsalPlan {
    let rowLineage = RowLineage(evolution.history)
    let made = concurrentMap(evolution.history.count) { version in
      RowMaker(
        evolution: evolution, rowLineage: rowLineage, version: version, seed: seed,
        categories: categories, given: fixture.rows[version] ?? []
      ).make()
    }
    let versions = evolution.history.indices.map { index in
      let version = evolution.history[index]
      return PlannedVersion(
        name: version.number.name, number: version.number.description,
        schema: evolution.configuration.names.schema(version.number), summary: version.summary,
        entities: version.models.sorted { $0.name < $1.name }.map { model in
          PlannedEntity(
            name: model.name, superentity: model.superclass?.value,
            converts: evolution.converters[index][model.name]?.entity)
        },
        rows: made[index].rows, series: made[index].series)
    }
    return RehearsalPlan(
      seed: seed, versions: versions, paths: PathPlanner(evolution, rowLineage).paths(),
      limits: made.flatMap(\.limits))
  }
}
