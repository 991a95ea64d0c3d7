internal import SchemaModel

/// The models of a history, and how the rows of each go on from version to version.
struct Lineage: Sendable {
  let history: [SchemaVersion]
  let pairings: [StepPairing]
  let layouts: TypeLayouts
  /// For each version, its models by name.
  let models: [[String: Model]]
  /// For each step, the models that do not change.
  private let unchanged: [Set<String>]
  /// Whether the newest version sorts a list, by a property that may have come any way.
  private let sortsLists: Bool
  /// Whether an attribute is made of linked rows somewhere, by what those have in one version.
  private let convertsLinks: Bool

  init(_ layouts: TypeLayouts, pairings: [StepPairing]) {
    self.layouts = layouts
    history = layouts.history
    self.pairings = pairings
    models = history.map { version in
      Dictionary(version.models, keyedBy: \.name)
    }
    unchanged = pairings.map(\.unchanged)
    sortsLists =
      history.last?.models.contains { model in
        model.properties.contains { !$0.mapping.sortedBy.isEmpty }
      } ?? false
    convertsLinks = pairings.contains { pairing in
      pairing.changed.contains { model in
        pairing.pairs(of: model).contains { pair in
          pair.properties.converted.contains { sources, new in
            new.attribute != nil && sources.contains { $0.relationship != nil }
          }
        }
      }
    }
  }

  /// A model's own properties after those that it inherits.
  func properties(of model: Model, at index: Int) -> [Property] {
    model.effectiveProperties(among: models[index])
  }

  /// The enum in the user file of the step that leads to a version.
  func name(ofStepTo version: Int) -> String {
    StepPairing.name(history[version - 1].number, history[version].number)
  }

  /// The model's form in each version from its own to the newest; nil when its rows do not come so far.
  func path(of model: Model, from index: Int) -> [Model]? {
    var path = [model]
    for pairing in pairings[index...] {
      guard let current = path.last else { return nil }
      if let same = pairing.newModels[current.name], same.sources.isEmpty {
        path.append(same)
        continue
      }
      let successors = pairing.successors(of: current.name)
      guard successors.count == 1 else { return nil }
      path.append(successors[0])
    }
    return path
  }

  /// Whether a model is in two neighbouring versions the same, so that its properties go on as they are.
  func isSame(_ model: Model, since index: Int) -> Bool {
    model.superclass == nil && unchanged[index].contains(model.name)
  }

  /// For each model of a path that begins in a version, whether it is the same as the one before it.
  func sameness(of path: [Model], from index: Int) -> [Bool] {
    path.indices.map { $0 > 0 && isSame(path[$0], since: index + $0 - 1) }
  }

  /// Whether a model and what it says about related models are the same in the next version.
  func isUnchanged(_ model: Model, at index: Int) -> Bool {
    guard isSame(model, since: index) else { return false }
    if convertsLinks, !pairings[index].changed.isEmpty { return false }
    return model.properties.allSatisfy { property in
      guard let relationship = property.relationship, property.mapping.form != .omit else {
        return true
      }
      let name = relationship.destination.value
      if unchanged[index].contains(name) { return true }
      guard let was = models[index][name], let now = models[index + 1][name] else { return false }
      return now.sources.isEmpty && was.entity == now.entity
        && was.property(named: "id") == now.property(named: "id")
        && was.hasUniqueness(among: models[index]) == now.hasUniqueness(among: models[index + 1])
        && !sortsLists
    }
  }

  /// Whether rows that an older relationship leads to have converters to the entity at the newest one's end.
  func converts(_ old: Relationship, to new: Relationship, at index: Int) -> Bool {
    guard let destination = models[index][old.destination.value] else { return false }
    return path(of: destination, from: index)?.last?.name == new.destination.value
  }
}

extension Attribute {
  /// What stands in for a value as the app means it: the default, or the fallback of JSON.
  var substitute: SwiftExpression? { encodes == nil ? defaultValue : fallback }
}
