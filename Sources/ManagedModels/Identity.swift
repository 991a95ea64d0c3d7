/// What Core Data's checksum of a model is made of: two models with equal identities are one version.
///
/// Entity names, superentities and uniqueness constraints; names, optionality and hash modifiers of
/// properties; attribute types, external storage, preservation on deletion, composite elements;
/// destinations, inverses and bounds of relationships. Not: defaults, original names, delete rules,
/// indexes, the version identifier and any order of declaration (docs/facts/identity.md#the-hash-of-an-entity).
public struct ModelIdentity: Hashable, Sendable {
  /// By name.
  public let entities: [String: EntityIdentity]
}

/// What the hash of one entity is made of.
public struct EntityIdentity: Hashable, Sendable {
  /// The entity without all that is not hashed, in an order of its own.
  private let hashed: ManagedEntity

  init(_ entity: ManagedEntity) {
    var hashed = entity
    hashed.indexes = []
    // The order inside a constraint stays: it is hashed
    // (docs/facts/identity.md#constraint-in-hash).
    hashed.uniqueness = Set(entity.uniqueness).sorted { $0.lexicographicallyPrecedes($1) }
    hashed.attributes = entity.attributes.map(\.hashed).sorted { $0.name < $1.name }
    hashed.relationships = entity.relationships.map(\.hashed).sorted { $0.name < $1.name }
    self.hashed = hashed
  }
}

extension ManagedModel {
  /// By what a store of this model is recognised.
  public var identity: ModelIdentity {
    ModelIdentity(
      entities: Dictionary(entities.map { ($0.name, $0.identity) }) { first, _ in first })
  }
}

extension ManagedEntity {
  /// The entity's part of its model's identity.
  public var identity: EntityIdentity { EntityIdentity(self) }
}

extension ManagedAttribute {
  fileprivate var hashed: ManagedAttribute {
    var hashed = self
    hashed.originalName = nil
    hashed.defaultValue = nil
    hashed.elements = elements.map(\.hashed).sorted { $0.name < $1.name }
    return hashed
  }
}

extension ManagedRelationship {
  fileprivate var hashed: ManagedRelationship {
    var hashed = self
    hashed.originalName = nil
    hashed.deleteRule = .nullify
    // Core Data writes "to one" as a maximum of 1 (measured in the model caches of Apple-written stores).
    if !isToMany { hashed.maximumCount = 1 }
    // Of a list it says nothing here: Core Data's caches have it as declared, other models as true.
    if isToMany { hashed.isOptional = true }
    return hashed
  }
}
