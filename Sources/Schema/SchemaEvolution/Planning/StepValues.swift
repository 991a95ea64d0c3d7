package import SchemaModel

/// The values of rows after a step, as far as manifests define them, for tests that check a migrated store.
///
/// Only values with a column of their own are included. Results of the app's code, values that differ in each run, and
/// the engine's conversions are left out.
package struct StepValues: Sendable {
  package struct Change: Sendable {
    package let old: String
    package let new: String
    package let renamed: [String: String]
    package let left: [String]
    package let made: [Made]
  }

  package struct Made: Sendable {
    package let property: Property
    package let value: DerivedValue
    package let sources: [Property]
  }

  /// The newer version's changed models whose rows all come from one older model.
  package let changes: [Change]
  /// The older version's models whose rows cannot be followed.
  package let left: [String]
}

extension Evolution {
  /// The values after a step; `nil` if hooks may change any value.
  package func values(of step: VersionStep) -> StepValues? {
    step.plan.hooks.before || step.plan.hooks.after
      ? nil : ValueTeller(step.pairing, step.plan).values()
  }

  /// The models of each version whose rows a step changes, or about whose rows a step has an expectation.
  package var changedModels: [Set<String>] {
    // The number of each model, by name. A model has the same number as the older model from which all its rows come.
    var lines: [[String: Int]] = []
    var changed: Set<Int> = []
    var count = 0
    for version in versions {
      var own: [String: Int] = [:]
      for model in version.declared.models {
        let origins = version.step?.origins(of: model) ?? []
        let origin = origins.count == 1 ? lines.last?[origins[0].name] : nil
        own[model.name] = origin ?? count
        if origin == nil { count += 1 }
      }
      lines.append(own)
      guard let step = version.step else { continue }
      let models = values(of: step)?.changes.map(\.new) ?? []
      for model in models + version.declared.expectations.map(\.model.value) {
        if let line = own[model] { changed.insert(line) }
      }
    }
    return lines.map { line in Set(line.filter { changed.contains($0.value) }.keys) }
  }
}

/// Finds the values after one step.
private struct ValueTeller {
  private let pairing: StepPairing
  private let plan: StepPlan

  init(_ pairing: StepPairing, _ plan: StepPlan) {
    self.pairing = pairing
    self.plan = plan
  }

  func values() -> StepValues {
    StepValues(
      changes: pairing.changed.compactMap { model in
        let pairs = pairing.pairs(of: model)
        return pairs.count == 1 ? change(pairs[0]) : nil
      },
      left: pairing.old.models.map(\.name).filter { name in
        pairing.newModels[name].map { pairing.origins(of: $0).count != 1 } ?? true
      })
  }

  private func change(_ pair: ModelPairing) -> StepValues.Change? {
    let properties = pair.properties
    var renamed: [String: String] = [:]
    var left = (properties.removed + properties.consumed).map(\.name)
    var made: [StepValues.Made] = []
    let recased = Set(
      plan.rowUpdates.filter { $0.model == pair.new.name }.flatMap(\.cases).map(\.property))
    for (was, now) in properties.continued where was.attribute != nil {
      let value = filled(was, now)
      if keeps(was, now), !recased.contains(was.name), !recased.contains(now.name) {
        if was.name != now.name { renamed[was.name] = now.name }
      } else {
        left.append(was.name)
        made += value.flatMap { self.made(now, $0, pair) }.map { [$0] } ?? []
      }
    }
    for property in properties.converted.map(\.new) + properties.added {
      made += value(of: property, pair).flatMap { self.made(property, $0, pair) }.map { [$0] } ?? []
    }
    left = left.filter { isTold($0, in: pair.old, of: pairing.old) }
    guard pair.old.name != pair.new.name || !renamed.isEmpty || !left.isEmpty || !made.isEmpty
    else { return nil }
    return StepValues.Change(
      old: pair.old.name, new: pair.new.name, renamed: renamed, left: left, made: made)
  }

  private func keeps(_ was: Property, _ now: Property) -> Bool {
    now.migration.fill == nil && was.attribute?.former == now.attribute?.former
      && now.keepsValues(of: was)
  }

  private func filled(_ was: Property, _ now: Property) -> DerivedValue? {
    guard let old = was.attribute, let new = now.attribute, let fill = now.migration.fill?.value,
      old.type.unwrapped == new.type.unwrapped, old.former == nil, new.former == nil
    else { return nil }
    return .adapted(
      .property(was), from: old.type, to: new.type, canFail: false, substitute: pairing.fill(fill))
  }

  private func value(of property: Property, _ pair: ModelPairing) -> DerivedValue? {
    guard let attribute = property.attribute else { return nil }
    if let transfer = plan.transfers.first(where: {
      $0.source == pair.old.name && $0.target == pair.new.name
    }) {
      if let found = transfer.values.first(where: { $0.property == property.name }) {
        return found.value
      }
    } else {
      let column = plan.bridgeNames[pair.new.name]?[property.name] ?? property.name
      let update = plan.rowUpdates.first { $0.model == pair.new.name }
      if let found = update?.assignments.first(where: { $0.property == column }) {
        return found.value
      }
    }
    // A property that the migration does not set has the value of a new row.
    guard property.migration.from.isEmpty, property.migration.fill == nil else { return nil }
    if let value = attribute.defaultValue { return .storing(.expression(value), as: attribute) }
    return attribute.type.isOptional ? .nothing : nil
  }

  private func made(
    _ property: Property, _ value: DerivedValue, _ pair: ModelPairing
  ) -> StepValues.Made? {
    guard pairing.new.comparedType(of: property) != nil, value.isTellable,
      value.properties.allSatisfy({ isTold($0, in: pair.old, of: pairing.old) })
    else { return nil }
    let sources = pairing.old.properties(of: pair.old).filter {
      value.properties.contains($0.name)
    }
    return StepValues.Made(property: property, value: value, sources: sources)
  }

  private func isTold(_ property: String, in model: Model, of version: SchemaVersion) -> Bool {
    version.properties(of: model).contains {
      $0.name == property && version.comparedType(of: $0) != nil
    }
  }
}

extension DerivedValue {
  /// Whether the value only depends on columns and the manifest, and is the same in each run.
  fileprivate var isTellable: Bool {
    switch self {
    case .property, .column, .nothing: true
    case .expression(let expression): !expression.isVolatile
    case .converted(let values, .expression(let expression), _):
      !expression.isVolatile && values.allSatisfy(\.isTellable)
    case .adapted(let value, _, _, _, let substitute):
      value.isTellable && substitute?.isTellable != false
    case .former(let value, _), .required(let value, _): value.isTellable
    case .converted, .reverted, .field, .emptyList, .encoded, .links, .rows, .related: false
    }
  }
}
