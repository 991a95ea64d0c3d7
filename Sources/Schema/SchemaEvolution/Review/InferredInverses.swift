internal import ManagedModels
package import SchemaModel

/// Finds relationships that the framework treats as inverses without a declaration.
///
/// Links of one relationship then appear in the other. If one of the two is new, existing links are lost. Swift cannot
/// declare that a relationship has no inverse (docs/facts/identity.md#inverses-that-are-not-declared).
struct InferredInverses {
  struct End {
    var model: String
    var property: Property

    var name: String { property.name }
    var element: ElementPath { ElementPath(model, property.name) }
  }

  private let pairs: [(End, End)]

  init(_ version: SchemaVersion) {
    var ends: [End] = []
    var seen: [UndeclaredInverses.End] = []
    for model in version.models {
      for property in model.properties {
        guard let relationship = property.relationship else { continue }
        ends.append(End(model: model.name, property: property))
        seen.append(
          UndeclaredInverses.End(
            entity: model.name, name: property.name, destination: relationship.destination.value,
            isToMany: relationship.cardinality.isMany,
            isOptional: relationship.cardinality.isOptional,
            isJoined: relationship.inverse != nil))
      }
    }
    // The finding is about the end whose path sorts first.
    pairs = UndeclaredInverses(seen).pairs.map { one, other in
      ends[one].element < ends[other].element
        ? (ends[one], ends[other]) : (ends[other], ends[one])
    }.sorted { $0.0.element < $1.0.element }
  }

  /// The pairs. A to-many end comes before a to-one end.
  var ends: [(End, End)] {
    pairs.map { one, other in
      let isList = other.property.relationship?.cardinality.isMany ?? false
      return isList && one.property.relationship?.cardinality.isMany != true
        ? (other, one) : (one, other)
    }
  }

  func contains(_ element: ElementPath) -> Bool {
    pairs.contains { $0.element == element || $1.element == element }
  }

  /// Reports each pair in a version, which `place` names.
  ///
  /// - Parameter next: For a bridge, the version after it. Pairs that this version declares are not reported. An author
  ///   cannot influence a bridge.
  func diagnostics(in place: String, onTheWayTo next: SchemaVersion? = nil) -> [Diagnostic] {
    pairs.compactMap { end, other in
      let successor = next?.model(named: end.model)?.property(named: end.property.name)?
        .relationship
      if let successor, successor.destination.value == other.model,
        successor.inverse?.value == other.property.name
      {
        return nil
      }
      let join =
        "if the two are ends of one link, declare the inverse: "
        + "\(end.property.name): { …, inverse: \(other.property.name) }"
      return Diagnostic(
        .inferredInverse,
        "in \(place) '\(end.element)' and '\(other.element)' have no inverse, and SwiftData joins them into a pair",
        element: end.element, at: end.property.location,
        help: next == nil
          ? [join, "if the two are not ends of one link, give one of them another inverse"]
          : ["give one of the two relationships another inverse"])
    }
  }
}

extension SchemaVersion {
  /// Declares the inverses that the framework infers, which does not change the version's identity.
  ///
  /// Nothing is declared in a model with a relationship that is its own inverse, because a declared inverse would end
  /// that relationship's inference (docs/facts/identity.md#declared-inverse-ends-inference).
  ///
  /// - Returns: The declaring end and the other end of each pair.
  package mutating func declareInferredInverses() -> [(ElementPath, ElementPath)] {
    let own = Set(models.filter(\.hasOwnInverse).map(\.name))
    let ends = InferredInverses(self).ends.filter { one, other in
      !own.contains(one.model) && !own.contains(other.model)
    }
    return ends.map { one, other in
      declare(one, inverse: other.name, isWritten: true)
      declare(other, inverse: one.name, isWritten: false)
      return (one.element, other.element)
    }
  }

  private mutating func declare(
    _ end: InferredInverses.End, inverse: String, isWritten: Bool
  ) {
    guard let place = models.firstIndex(where: { $0.name == end.model }),
      let index = models[place].properties.firstIndex(where: { $0.name == end.name }),
      case .relationship(var relationship) = models[place].properties[index].kind
    else { return }
    relationship.inverse = Located(inverse, at: models[place].properties[index].location)
    relationship.declaresInverse = isWritten
    models[place].properties[index].kind = .relationship(relationship)
  }
}

extension Model {
  /// Whether the framework treats one of the model's relationships as its own inverse
  /// (docs/facts/identity.md#undeclared-inverse-examples).
  fileprivate var hasOwnInverse: Bool {
    let toItself = properties.compactMap(\.relationship).filter { $0.destination.value == name }
    guard toItself.count == 1, let only = toItself.first else { return false }
    return only.inverse == nil && only.cardinality.isOptional
  }
}
