internal import SchemaModel

/// Finds relationships that nobody joined and that the framework joins all the same.
///
/// Between two models, one undeclared relationship each way becomes a pair, unless one is a mandatory to-one
/// (docs/facts/identity.md#undeclared-inverse-candidates). Links of the one then stand in the other, and where one
/// of them is new, links that were there are lost. Nothing in Swift says that a relationship has no inverse.
struct InferredInverses {
  private struct End {
    var model: String
    var property: Property
    var relationship: Relationship

    var element: ElementPath { ElementPath(model, property.name) }

    /// The model and the one at the other end.
    var way: [String] { [model, relationship.destination.value] }
  }

  private let open: [End]

  init(_ version: SchemaVersion) {
    let found = version.models.flatMap { model in
      model.properties.compactMap { property -> End? in
        guard let relationship = property.relationship, relationship.inverse == nil else {
          return nil
        }
        return End(model: model.name, property: property, relationship: relationship)
      }
    }
    // What is found does not depend on the manifest's order.
    open = found.sorted { $0.element < $1.element }
  }

  /// Whether the framework takes a relationship for another's inverse.
  func contains(_ element: ElementPath) -> Bool {
    pairs().contains { $0.element == element || $1.element == element }
  }

  /// A finding about each pair of a version, which `place` names.
  ///
  /// - Parameter next: For a bridge, the version that it leads to: what that joins may be joined before. An author
  ///   has no say in what a bridge joins.
  func diagnostics(in place: String, onTheWayTo next: SchemaVersion? = nil) -> [Diagnostic] {
    pairs().compactMap { end, other in
      let successor = next?.model(named: end.model)?.property(named: end.property.name)?
        .relationship
      if let successor, successor.destination.value == other.model,
        successor.inverse?.value == other.property.name
      {
        return nil
      }
      let join =
        "if they are two ends of one, say so: \(end.property.name): { …, inverse: \(other.property.name) }"
      return Diagnostic(
        .inferredInverse,
        "in \(place) nothing joins '\(end.element)' and '\(other.element)', but the framework does",
        element: end.element, at: end.property.location,
        help: (next == nil ? [join] : []) + ["else give one of them an inverse of its own"])
    }
  }

  private func pairs() -> [(End, End)] {
    // By the way that they lead: large versions have thousands.
    let ways = Dictionary(grouping: open.indices) { open[$0].way }
    return open.indices.compactMap { index in
      let end = open[index]
      let back = ways[end.way.reversed(), default: []].filter { $0 != index }
      guard back.count == 1, index < back[0], ways[end.way]?.count == 1,
        end.relationship.cardinality != .one, open[back[0]].relationship.cardinality != .one
      else { return nil }
      return (end, open[back[0]])
    }
  }
}
