internal import SchemaModel

/// The links between rows that are made from one row, after some of a model's properties became a separate model.
///
/// Each old row becomes one row of each model. If exactly one new relationship leads from one model to the other, it
/// must connect these two rows.
struct PartLinks: Sendable {
  struct End: Sendable, Equatable {
    let model: String
    let name: String
    let destination: String
    let isToMany: Bool

    var element: ElementPath { ElementPath(model, name) }
  }

  struct Pair: Sendable {
    let source: Model
    let one: Model
    /// The model that takes rows by `from:`.
    let part: Model
    let candidates: [[End]]
    let isTold: Bool

    /// The relationship that the step sets: the end to set, and both ends. `nil` if there is no relationship, or more
    /// than one.
    var link: (setting: End, ends: [End])? {
      guard !isTold, candidates.count == 1, let ends = candidates.first else { return nil }
      return ends.first { !$0.isToMany }.map { ($0, ends) } ?? (ends[0], ends)
    }

    var isLost: Bool { !isTold && link == nil }
  }

  private(set) var pairs: [Pair] = []

  init() {}

  init(_ pairing: StepPairing) {
    let sources = Set(pairing.changed.flatMap { $0.sources.map(\.value) }).sorted()
    pairs = sources.compactMap { pairing.oldModels[$0] }.flatMap { source -> [Pair] in
      let stays = pairing.newModels[source.name].flatMap { $0.sources.isEmpty ? [$0] : nil } ?? []
      // A model that cannot take the rows, because of its name, has a finding of its own.
      let takers = pairing.successors(of: source.name).filter { taker in
        pairing.oldModels[taker.name] == nil && !(taker.isRenamed && !stays.isEmpty)
      }
      let heirs = stays + takers.sorted { $0.name < $1.name }
      return heirs.indices.flatMap { place in
        heirs[(place + 1)...].compactMap { Self.pair(source, heirs[place], $0, pairing) }
      }
    }
  }

  /// Whether the step sets the relationship in all rows that come from a model of the older version.
  func isLinked(_ element: ElementPath, from source: String? = nil) -> Bool {
    pairs.contains { pair in
      (source == nil || source == pair.source.name)
        && pair.link?.ends.contains { $0.element == element } == true
    }
  }

  private static func pair(
    _ source: Model, _ one: Model, _ part: Model, _ pairing: StepPairing
  ) -> Pair? {
    let isKin = [(one, part), (part, one)].contains { model, other in
      model.ancestors { pairing.newModels[$0] }.contains { $0.name == other.name }
    }
    guard !isKin else { return nil }
    var ends: [(end: End, property: Property)] = []
    var isTold = false
    for (model, other) in [(one, part), (part, one)] {
      for property in model.properties where !property.isTransient {
        guard let relationship = property.relationship else { continue }
        let destination = relationship.destination.value
        let leads =
          destination == other.name
          || other.ancestors { pairing.newModels[$0] }.contains { $0.name == destination }
        guard leads else { continue }
        if property.migration.convert != nil || property.migration.fill != nil { isTold = true }
        guard destination == other.name, property.migration.isEmpty,
          !pairing.origins(of: model).contains(where: {
            $0.property(named: property.name)?.relationship != nil
          })
        else { continue }
        ends.append(
          (
            End(
              model: model.name, name: property.name, destination: destination,
              isToMany: relationship.cardinality.isMany), property
          ))
      }
    }
    return Pair(
      source: source, one: one, part: part, candidates: joined(ends, pairing.new), isTold: isTold)
  }

  /// Combines the two ends of a relationship, even if only the framework connects them.
  private static func joined(
    _ ends: [(end: End, property: Property)], _ version: SchemaVersion
  ) -> [[End]] {
    let inferred = ends.count > 1 ? InferredInverses(version).ends : []
    var found: [[End]] = []
    for (end, property) in ends {
      let place = found.firstIndex { others in
        others.contains { other in
          other.model == end.destination && other.destination == end.model
            && (property.relationship?.inverse?.value == other.name
              || inferred.contains {
                [$0.element, $1.element].contains(end.element)
                  && [$0.element, $1.element].contains(other.element)
              })
        }
      }
      if let place { found[place].append(end) } else { found.append([end]) }
    }
    return found
  }
}
