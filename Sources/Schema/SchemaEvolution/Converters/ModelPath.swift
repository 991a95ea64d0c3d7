internal import SchemaModel

/// A model from one version to the newest, as its rows go on, with the properties that it inherits.
struct ModelPath {
  /// What a property's values are made of in a step.
  enum Origin {
    case continued(Property)
    case made(of: [Property])
    case nothing
  }

  /// The index of its first version.
  let start: Int
  /// The model's form in each version from there on.
  private(set) var models: [Model]
  /// For each step, how the properties go on; nil where nothing changes.
  private var steps: [PropertyPairing?] = []

  var newest: Model { models[models.count - 1] }

  /// Nil where the rows do not come so far as one model's.
  init?(of model: Model, from start: Int, in graph: HistoryGraph) {
    self.start = start
    models = [model]
    for (index, step) in graph.steps.enumerated().dropFirst(start) {
      guard let next = step.successor(of: newest.name) else { return nil }
      steps.append(
        next.superclass == nil && step.isUnchanged(next.name)
          ? nil
          : step.properties(
            from: graph.properties(of: newest, at: index),
            to: graph.properties(of: next, at: index + 1)))
      models.append(next)
    }
  }

  /// Where a property's values come from in the step to a version, which is counted from the first one.
  func origin(of property: Property, at level: Int) -> Origin {
    guard let step = steps[level - 1] else { return .continued(property) }
    let continued = step.continued.first { $0.new.name == property.name }
    if let continued { return .continued(continued.old) }
    let made = step.converted.first { $0.new.name == property.name }
    return made.map { .made(of: $0.sources) } ?? .nothing
  }

  /// The property that continues one of the version before.
  func successor(of property: Property, at level: Int) -> Property? {
    guard let step = steps[level - 1] else { return property }
    return step.continued.first { $0.old.name == property.name }?.new
  }

  /// The properties that are made of one of the version before.
  func conversions(of property: Property, at level: Int) -> [Property] {
    (steps[level - 1]?.converted ?? []).map(\.new).filter { new in
      new.migration.from.contains { $0.value == property.name }
    }
  }
}

extension HistoryGraph {
  /// A model's own properties after those that it inherits.
  func properties(of model: Model, at index: Int) -> [Property] {
    model.effectiveProperties(among: models[index])
  }

  func path(of model: String, from index: Int) -> ModelPath? {
    models[index][model].flatMap { ModelPath(of: $0, from: index, in: self) }
  }

  /// Whether rows that an older relationship leads to have converters to the entity at the newest one's end.
  func converts(_ old: Relationship, to new: Relationship, at index: Int) -> Bool {
    path(of: old.destination.value, from: index)?.newest.name == new.destination.value
  }
}

extension Attribute {
  /// What stands in for a value as the app means it: the default, or the fallback of JSON.
  var substitute: SwiftExpression? { encodes == nil ? defaultValue : fallback }
}
