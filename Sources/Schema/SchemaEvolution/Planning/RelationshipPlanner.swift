internal import SchemaModel

/// Determines the relationships to set again because a model at one end is transferred.
struct RelationshipPlanner {
  let pairing: StepPairing

  func updates(_ bridgeNames: [String: [String: String]]) -> [RelationshipUpdate] {
    var found: [RelationshipUpdate] = []
    for model in pairing.changed {
      let isCarried = !model.sources.isEmpty
      for source in pairing.origins(of: model) {
        for property in model.properties {
          guard let relationship = property.relationship, property.migration.convert == nil else {
            continue
          }
          guard let was = predecessor(property, of: model, from: source),
            let before = was.relationship, isSettingSide(model, property, relationship)
          else { continue }
          let isDestinationCarried = before.destination != relationship.destination
          found.append(
            RelationshipUpdate(
              model: source.name,
              ownerLink: isCarried ? RowTransfer.link(to: model.name) : nil,
              source: was.name,
              target: bridgeNames[model.name]?[property.name] ?? property.name,
              destinationLink: isDestinationCarried
                ? RowTransfer.link(to: relationship.destination.value) : nil,
              isMany: before.cardinality.isMany,
              isSourceOptional: before.cardinality == .optionalMany
                || before.cardinality == .optionalOne,
              isTargetOptional: relationship.cardinality == .optionalMany))
        }
      }
    }
    return found + parts(bridgeNames)
  }

  private func parts(_ bridgeNames: [String: [String: String]]) -> [RelationshipUpdate] {
    pairing.partLinks.pairs.compactMap { pair in
      guard let end = pair.link?.setting else { return nil }
      func row(_ model: String) -> String? {
        model == pair.source.name ? nil : RowTransfer.link(to: model)
      }
      return RelationshipUpdate(
        model: pair.source.name, ownerLink: row(end.model), source: nil,
        target: bridgeNames[end.model]?[end.name] ?? end.name,
        destinationLink: row(end.destination), isMany: end.isToMany, isSourceOptional: false,
        isTargetOptional: false)
    }
  }

  /// The relationship whose links a newer relationship takes over because a model at one end is transferred; `nil` if
  /// there is none.
  private func predecessor(_ property: Property, of model: Model, from source: Model) -> Property? {
    guard property.relationship != nil, property.migration.convert == nil else { return nil }
    let name = property.migration.renamedFrom?.value ?? property.name
    guard let was = source.property(named: name), was.relationship != nil,
      !model.sources.isEmpty || pairing.isFollowed(was, property)
    else { return nil }
    return was
  }

  /// Whether the step sets this end of a relationship. Of two inverse ends, the step sets one that has old links, and
  /// the framework sets the other end.
  private func isSettingSide(
    _ model: Model, _ property: Property, _ relationship: Relationship
  ) -> Bool {
    guard let inverse = relationship.inverse,
      let destination = pairing.newModels[relationship.destination.value],
      let end = destination.property(named: inverse.value), let other = end.relationship
    else { return true }
    guard
      pairing.origins(of: destination).contains(where: {
        predecessor(end, of: destination, from: $0) != nil
      })
    else {
      return true
    }
    if relationship.cardinality.isMany != other.cardinality.isMany {
      return !relationship.cardinality.isMany
    }
    return (model.name, property.name) <= (relationship.destination.value, inverse.value)
  }
}
