package import SchemaModel

/// What a launch can hold of an expectation. It sees the store before all steps and after all of them, and nothing
/// between: what it compares must have come to the step, and must have stayed since, as it was.
package struct LaunchExpectation: Sendable {
  /// An older version, as the expectation's model and properties were there.
  package struct Origin: Sendable {
    /// Its index in the history.
    package let version: Int
    package let models: [String]
    /// What properties were called there, by the names that the expectation has for them.
    package let names: [String: String]
  }

  package let expectation: Expectation
  /// The index of the version that the step leads to.
  package let step: Int
  /// What the model is called in the newest version.
  package let model: String
  /// What properties are called in the newest version, by the names that the expectation has for them.
  package let names: [String: String]
  /// The newest first; none are needed for what speaks of the row after the step alone.
  package let origins: [Origin]
}

extension Evolution {
  /// Every expectation that a launch can hold for stores of at least one version, in the order of the history.
  package var launchExpectations: [LaunchExpectation] {
    guard history.contains(where: { !$0.expectations.isEmpty }) else { return [] }
    return ExpectationReach(self).all
  }
}

/// Follows models and properties from a step to the newest version, and back to older ones.
private struct ExpectationReach {
  private typealias Field = RowProvenance.Field

  private let evolution: Evolution
  private let newest: Int
  /// By the version where the way begins, what each later one is made of.
  private let ways: [[RowProvenance]]

  init(_ evolution: Evolution) {
    self.evolution = evolution
    newest = evolution.history.count - 1
    ways = evolution.history.indices.map { RowProvenance.versions(of: evolution, from: $0) }
  }

  var all: [LaunchExpectation] {
    evolution.steps.flatMap { step in
      evolution.history[step.to].expectations.compactMap { reached($0, step) }
    }
  }

  private func reached(_ expectation: Expectation, _ step: VersionStep) -> LaunchExpectation? {
    guard let model = evolution.history[step.to].model(named: expectation.model.value),
      let target = successor(of: model.name, since: step.to),
      case let sight = Sight(expectation, evolution.history[step.to].properties(of: model)),
      staysQuiet(sight, model.name, since: step.to)
    else { return nil }
    var names: [String: String] = [:]
    for name in expectation.names.new.union(expectation.present) {
      guard let current = current(name, of: model.name, since: step.to, in: target) else {
        return nil
      }
      names[name] = current
    }
    let origins = origins(of: expectation, sight, model, step, target)
    if origins.isEmpty, expectation.needsOrigin { return nil }
    return LaunchExpectation(
      expectation: expectation, step: step.to, model: target, names: names, origins: origins)
  }

  /// What of the rows an expectation looks at.
  private enum Sight {
    case number, values, links
    /// Values, and which row had which: a row that is carried over to another table has another key there.
    case valuesOfRows

    /// - Parameter properties: The model's, inherited ones too.
    init(_ expectation: Expectation, _ properties: [Property]) {
      switch expectation.claim {
      case .unchangedCount: self = .number
      case .present(let name):
        let isLink = properties.contains { $0.name == name && $0.relationship != nil }
        self = isLink ? .links : .valuesOfRows
      case .holds: self = expectation.names.old.isEmpty ? .values : .valuesOfRows
      }
    }
  }

  /// Whether a step leaves some models' rows as they are, as far as anybody can know.
  ///
  /// - Parameter models: What they are called before and after it.
  private func isQuiet(_ step: VersionStep, _ sight: Sight, _ models: Set<String>) -> Bool {
    let plan = step.plan
    // What code of the app's does is seen by nobody.
    if plan.hooks.before || plan.hooks.after { return false }
    let keepsCases = plan.rowUpdates.allSatisfy { $0.cases.isEmpty || !models.contains($0.model) }
    switch sight {
    case .number: return plan.dedupes.isEmpty
    case .values: return keepsCases
    case .links:
      return plan.transfers.isEmpty && plan.relationshipUpdates.isEmpty && plan.dedupes.isEmpty
    case .valuesOfRows:
      return keepsCases
        && !plan.transfers.contains { models.contains($0.source) || models.contains($0.target) }
    }
  }

  private func staysQuiet(_ sight: Sight, _ model: String, since version: Int) -> Bool {
    var models = family(of: model, in: version)
    return evolution.steps[version...].allSatisfy { step in
      let provenance = provenance(of: step.to, from: step.from)
      let next = evolution.history[step.to].models.map(\.name).filter {
        !models.isDisjoint(with: provenance.rows(of: $0))
      }
      defer { models = Set(next) }
      return isQuiet(step, sight, models.union(next))
    }
  }

  // MARK: To the newest version

  /// The newest version's model that has a model's rows, all of them and no others.
  private func successor(of model: String, since version: Int) -> String? {
    let now = provenance(of: newest, from: version)
    let found = evolution.history[newest].models.filter { now.rows(of: $0.name) == [model] }
    guard let target = found.first?.name, found.count == 1,
      origins(ofFamily: target, in: newest, from: version) == family(of: model, in: version)
    else { return nil }
    return target
  }

  /// What a property is called in the newest version; nil where its values are others there, or not in one column.
  private func current(
    _ property: String, of model: String, since version: Int, in target: String
  ) -> String? {
    let now = provenance(of: newest, from: version)
    guard let field = field(property, of: model, in: version),
      let current = properties(of: target, in: newest).first(where: {
        now.origin(of: $0.field) == field.field
      }), isSameColumn(field.property, version, current.property, newest)
    else { return nil }
    return current.property.name
  }

  // MARK: From older versions

  private func origins(
    of expectation: Expectation, _ sight: Sight, _ model: Model, _ step: VersionStep,
    _ target: String
  ) -> [LaunchExpectation.Origin] {
    if case .holds = expectation.claim, expectation.names.old.isEmpty { return [] }
    let sources = evolution.origins(of: model, in: step)
    var found: [LaunchExpectation.Origin] = []
    var names = sources.reduce(into: Set<String>()) {
      $0.formUnion(family(of: $1.name, in: step.from))
    }
    for version in stride(from: step.from, through: 0, by: -1) {
      if version < step.from {
        let provenance = provenance(of: version + 1, from: version)
        let older = Set(names.flatMap { provenance.rows(of: $0) })
        // What is not quiet hides everything before it.
        guard isQuiet(evolution.steps[version], sight, older.union(names)) else { break }
        names = older
      }
      guard let models = models(of: sources, in: step.from, from: version) else { continue }
      switch expectation.claim {
      case .unchangedCount:
        found.append(LaunchExpectation.Origin(version: version, models: models, names: [:]))
      case .present(let property):
        guard let former = evolution.former(of: property, in: model, step) else {
          // The step gives each row its value.
          found.append(LaunchExpectation.Origin(version: version, models: models, names: [:]))
          continue
        }
        found +=
          origin(
            [(property, former)], version, models, sources, model, step, target
          ).map { [$0] } ?? []
      case .holds:
        let names = expectation.names.old.sorted().map { ($0, $0) }
        found += origin(names, version, models, sources, model, step, target).map { [$0] } ?? []
      }
    }
    return found
  }

  /// A version's models whose rows are those of some models of a later one, all of them and no others.
  private func models(of sources: [Model], in later: Int, from version: Int) -> [String]? {
    let provenance = provenance(of: later, from: version)
    var models: [String] = []
    for source in sources {
      let rows = provenance.rows(of: source.name)
      guard rows.count == 1,
        origins(ofFamily: source.name, in: later, from: version)
          == family(of: rows[0], in: version)
      else { return nil }
      models.append(rows[0])
    }
    return models.isEmpty ? nil : models
  }

  /// A version whose rows can be told apart by their keys until the newest, with what the step's old properties
  /// were called there; nil where that cannot be said of every one.
  private func origin(
    _ names: [(name: String, old: String)], _ version: Int, _ models: [String],
    _ sources: [Model], _ model: Model, _ step: VersionStep, _ target: String
  ) -> LaunchExpectation.Origin? {
    let family = family(of: model.name, in: step.to)
    guard models.count == 1, sources.count == 1,
      !step.plan.transfers.contains(where: { family.contains($0.target) }),
      origins(ofFamily: target, in: newest, from: version)
        .isSubset(of: self.family(of: models[0], in: version)),
      provenance(of: newest, from: version).rows(of: root(of: target, in: newest))
        == [root(of: models[0], in: version)]
    else { return nil }
    let provenance = provenance(of: step.from, from: version)
    var found: [String: String] = [:]
    for (name, old) in names {
      guard let field = field(old, of: sources[0].name, in: step.from),
        let origin = provenance.origin(of: field.field),
        let was = evolution.history[version].model(named: origin.model)?
          .property(named: origin.property),
        isSameColumn(was, version, field.property, step.from)
      else { return nil }
      found[name] = origin.property
    }
    return LaunchExpectation.Origin(version: version, models: models, names: found)
  }

  // MARK: Models and properties

  private func provenance(of version: Int, from origin: Int) -> RowProvenance {
    ways[origin][version - origin]
  }

  /// A model and those below it, whose rows are its rows too.
  private func family(of model: String, in version: Int) -> Set<String> {
    let version = evolution.history[version]
    return Set(
      version.models.filter { member in
        member.name == model
          || member.ancestors { version.model(named: $0) }.contains { $0.name == model }
      }.map(\.name))
  }

  /// The models of an older version that rows of a model and of those below it come from.
  private func origins(ofFamily model: String, in version: Int, from origin: Int) -> Set<String> {
    let provenance = provenance(of: version, from: origin)
    return Set(family(of: model, in: version).flatMap { provenance.rows(of: $0) })
  }

  /// The model whose table a model's rows are in.
  private func root(of model: String, in version: Int) -> String {
    let version = evolution.history[version]
    return version.model(named: model)?.ancestors { version.model(named: $0) }.last?.name ?? model
  }

  /// The properties that rows of a model have, each where it is declared.
  private func properties(
    of model: String, in version: Int
  ) -> [(field: RowProvenance.Field, property: Property)] {
    let version = evolution.history[version]
    guard let model = version.model(named: model) else { return [] }
    return ([model] + model.ancestors { version.model(named: $0) }).flatMap { owner in
      owner.properties.map { (Field(owner.name, $0.name), $0) }
    }
  }

  private func field(
    _ property: String, of model: String, in version: Int
  ) -> (field: RowProvenance.Field, property: Property)? {
    properties(of: model, in: version).first { $0.property.name == property }
  }

  /// Whether two versions have a property in one column each, and in columns that read alike.
  private func isSameColumn(_ a: Property, _ first: Int, _ b: Property, _ second: Int) -> Bool {
    func column(_ property: Property, _ version: Int) -> StorageType.Primitive? {
      evolution.history[version].comparedType(of: property)
    }
    if let one = a.relationship, let other = b.relationship {
      return !one.cardinality.isMany && !other.cardinality.isMany
    }
    return column(a, first) != nil && column(a, first) == column(b, second)
  }
}

extension Expectation {
  /// The property that rows must have.
  fileprivate var present: Set<String> {
    if case .present(let property) = claim { return [property] }
    return []
  }

  /// Whether there is nothing to say without the row before.
  fileprivate var needsOrigin: Bool {
    if case .holds = claim { return !names.old.isEmpty }
    return true
  }
}
