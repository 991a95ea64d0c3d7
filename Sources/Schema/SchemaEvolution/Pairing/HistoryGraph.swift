package import SchemaModel

/// A connection between an element of a step's older version and an element of the newer version that continues it.
///
/// An element that is split has several outgoing edges, and a merged one has several incoming edges. A new element has
/// no incoming edge, and a dropped one has no outgoing edge.
package struct ElementEdge: Sendable {
  package enum Kind: Sendable {
    case kept
    case renamed
    /// The newer element is made from the older one: rows from rows, a value from a value, or a case that replaces a
    /// dropped one.
    case converted
  }

  package let old: ElementPath
  package let new: ElementPath
  package let kind: Kind

  init(_ old: ElementPath, _ new: ElementPath, isMade: Bool = false) {
    self.old = old
    self.new = new
    let hasName = (old.member ?? old.owner) == (new.member ?? new.owner)
    kind = isMade ? .converted : hasName ? .kept : .renamed
  }
}

extension StepPairing {
  func edges(into owner: String) -> [ElementEdge] {
    guard let model = newModels[owner] else { return typeEdges(into: owner) }
    let isMade = predecessor(of: model) == nil
    return pairs(of: model).flatMap { pair in
      func edge(_ was: String?, _ now: String?, isMade: Bool = false) -> ElementEdge {
        ElementEdge(ElementPath(pair.old.name, was), ElementPath(owner, now), isMade: isMade)
      }
      return [edge(nil, nil, isMade: isMade)]
        + pair.properties.continued.map { edge($0.old.name, $0.new.name) }
        + pair.properties.converted.flatMap { sources, now in
          sources.map { edge($0.name, now.name, isMade: true) }
        }
    }
  }

  func edges(into element: ElementPath) -> [ElementEdge] {
    isUnchanged(element.owner)
      ? [ElementEdge(element, element)] : edges(into: element.owner).filter { $0.new == element }
  }

  private func typeEdges(into name: String) -> [ElementEdge] {
    guard let was = old.type(named: name), let now = new.type(named: name) else { return [] }
    let fields = Set(was.fields.map(\.name)).intersection(now.fields.map(\.name))
    return [ElementEdge(ElementPath(name), ElementPath(name))]
      + fields.map { ElementEdge(ElementPath(name, $0), ElementPath(name, $0)) }
      + CasePairing(name, from: old, to: new).links.map { link in
        ElementEdge(
          ElementPath(name, link.old.name), ElementPath(name, link.new.name),
          isMade: link.kind == .converted)
      }
  }
}

/// The connections between elements in all versions of a history: models, properties, cases and fields.
///
/// Nodes are the elements of each version, and edges come from each step's pairing. All code that follows elements
/// through versions uses this graph, so all results agree. Only the rehearsal's `RowLineage` reads the manifests
/// separately, on purpose, to check this graph.
package struct HistoryGraph: Sendable {
  let layouts: TypeLayouts
  let steps: [StepPairing]
  let models: [[String: Model]]

  var history: [SchemaVersion] { layouts.history }

  init(_ layouts: TypeLayouts, _ steps: [StepPairing]) {
    self.layouts = layouts
    self.steps = steps
    models =
      steps.map(\.oldModels)
      + layouts.history.suffix(1).map { Dictionary($0.models, keyedBy: \.name) }
  }

  /// The models of version `start` whose rows became rows of a later version's model.
  package func rows(of model: String, at index: Int, in start: Int) -> [String] {
    index == start
      ? [model]
      : steps[index - 1].edges(into: ElementPath(model)).flatMap {
        rows(of: $0.old.owner, at: index - 1, in: start)
      }
  }

  /// The property of version `start` that has the same values as a later version's property; `nil` if the values were
  /// converted in between.
  package func origin(of element: ElementPath, at index: Int, in start: Int) -> ElementPath? {
    guard index > start else { return history[start].property(at: element).map { _ in element } }
    let step = steps[index - 1]
    // Rows of several models had no common column.
    guard let model = step.newModels[element.owner], step.origins(of: model).count == 1,
      let edge = step.edges(into: element).first, edge.kind != .converted,
      let was = step.old.property(at: edge.old), let now = step.new.property(at: element),
      now.migration.fill == nil, now.keepsValues(of: was)
    else { return nil }
    return origin(of: edge.old, at: index - 1, in: start)
  }

  /// Whether an element and everything it is made from were added after version `last`.
  func isNew(_ element: ElementPath, at index: Int, after last: Int) -> Bool {
    guard index > last, history[index].contains(element) else { return false }
    return steps[index - 1].edges(into: element).allSatisfy {
      isNew($0.old, at: index - 1, after: last)
    }
  }
}

extension SchemaVersion {
  fileprivate func contains(_ element: ElementPath) -> Bool {
    guard let name = element.member else {
      return model(named: element.owner) != nil || type(named: element.owner) != nil
    }
    let type = type(named: element.owner)
    return property(at: element) != nil || type?.cases.contains { $0.name == name } == true
      || type?.fields.contains { $0.name == name } == true
  }
}

extension Property {
  /// Whether this property keeps every value of the property that it continues, without step keys.
  func keepsValues(of old: Property) -> Bool {
    switch (old.attribute, attribute) {
    case (let old?, let new?):
      // A value that becomes required does not count, because a default replaces nil.
      old.type == new.type || new.type == old.type.optionalized
    case (nil, nil): true
    default: false
    }
  }
}
