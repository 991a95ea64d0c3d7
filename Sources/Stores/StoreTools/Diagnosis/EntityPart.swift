internal import ManagedModels
internal import StoreFormat

/// One property of an entity, as it is hashed.
enum EntityPart: Hashable, Sendable {
  case attribute(ManagedAttribute)
  case relationship(ManagedRelationship)

  var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// - Parameter owner: The entity that declares it.
  func hash(in owner: String) -> [UInt8] {
    switch self {
    case .attribute(let attribute): EntityHashParts.hash(of: attribute)
    case .relationship(let relationship):
      EntityHashParts.hash(of: relationship, declaredBy: owner)
    }
  }

  func named(_ name: String) -> EntityPart {
    switch self {
    case .attribute(var attribute):
      // An enum with raw values has its one column named like itself.
      if attribute.rawValueElement != nil { attribute.elements[0].name = name }
      attribute.name = name
      return .attribute(attribute)
    case .relationship(var relationship):
      relationship.name = name
      return .relationship(relationship)
    }
  }
}

extension ManagedEntity {
  /// Its own properties, sorted as they are hashed.
  var parts: [EntityPart] {
    (attributes.map(EntityPart.attribute) + relationships.map(EntityPart.relationship))
      .sorted { EntityHashParts.precedes($0.name, $1.name) }
  }

  /// Gives a property another name, in constraints too.
  mutating func rename(_ name: String, to new: String) {
    guard let part = parts.first(where: { $0.name == name })?.named(new) else { return }
    attributes.removeAll { [name, new].contains($0.name) }
    relationships.removeAll { [name, new].contains($0.name) }
    switch part {
    case .attribute(let attribute): attributes.append(attribute)
    case .relationship(let relationship): relationships.append(relationship)
    }
    uniqueness = uniqueness.map { $0.map { $0 == name ? new : $0 } }
  }
}
