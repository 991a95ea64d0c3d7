internal import SchemaModel

/// A model from one version to the newest, following its rows. Inherited properties are included.
struct ModelPath {
  enum Origin {
    case continued(Property)
    case made(of: [Property])
    case nothing
  }

  let start: Int
  private(set) var models: [Model]
  /// The pairing of properties in each step; `nil` if nothing changes.
  private var steps: [PropertyPairing?] = []

  var newest: Model { models[models.count - 1] }

  /// Returns `nil` if the rows do not all reach the newest version in one model.
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

  /// The origin of a property's values in the step to a version. `level` counts versions from the path's start.
  func origin(of property: Property, at level: Int) -> Origin {
    guard let step = steps[level - 1] else { return .continued(property) }
    let continued = step.continued.first { $0.new.name == property.name }
    if let continued { return .continued(continued.old) }
    let made = step.converted.first { $0.new.name == property.name }
    return made.map { .made(of: $0.sources) } ?? .nothing
  }

  func successor(of property: Property, at level: Int) -> Property? {
    guard let step = steps[level - 1] else { return property }
    return step.continued.first { $0.old.name == property.name }?.new
  }

  func conversions(of property: Property, at level: Int) -> [Property] {
    (steps[level - 1]?.converted ?? []).map(\.new).filter { new in
      new.migration.from.contains { $0.value == property.name }
    }
  }
}

extension HistoryGraph {
  func properties(of model: Model, at index: Int) -> [Property] {
    model.effectiveProperties(among: models[index])
  }

  func path(of model: String, from index: Int) -> ModelPath? {
    models[index][model].flatMap { ModelPath(of: $0, from: index, in: self) }
  }

  /// Whether an older relationship's destination rows have converters to the entity of the newest relationship.
  func converts(_ old: Relationship, to new: Relationship, at index: Int) -> Bool {
    path(of: old.destination.value, from: index)?.newest.name == new.destination.value
  }
}

extension Attribute {
  /// The substitute for a missing value as the app sees it: the default, or the fallback of JSON.
  var substitute: SwiftExpression? { encodes == nil ? defaultValue : fallback }
}
