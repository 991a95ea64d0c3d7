package import ManagedModels

/// `Schema`: the entities of one version, made from model classes.
public final class Schema: Codable, Hashable, Sendable {
  /// `Schema.Version`: Sendable since SDK 26.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    public let major: Int
    public let minor: Int
    public let patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    public var description: String { "\(major).\(minor).\(patch)" }
    public static func < (lhs: Version, rhs: Version) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }
  }

  /// What `@Model` writes for each stored property. `defaultValue` is an `Any?`: a default that
  /// leans on the property's type, such as `.current`, finds no such member there.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }
  }

  public let version: Version
  public let entities: [Entity]
  let graph: SchemaGraph
  /// What a store of this schema is laid out by.
  package var managedModel: ManagedModel { graph.model }

  public var entitiesByName: [String: Entity] {
    Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  init(graph: SchemaGraph, version: Version) {
    self.graph = graph
    self.version = version
    entities = graph.nodes.map { Entity($0) }
    for (entity, node) in zip(entities, graph.nodes) {
      entity.subentities = Set(node.subentities.map { entities[$0] })
    }
  }

  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(graph: SchemaGraph(types, version: version), version: version)
  }

  /// A schema of entities that other schemas have made: an entity knows its class.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(entities.map(\.node.shape.type), version: version)
  }

  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// Not here: a schema without its classes can hold no model.
  public init(from decoder: any Decoder) throws {
    throw SwiftDataError(
      .unsupportedFeature, "a Schema cannot be decoded: its model classes are not in it")
  }

  public func encode(to encoder: any Encoder) throws { try graph.model.encode(to: encoder) }
  public func hash(into hasher: inout Hasher) { hasher.combine(graph.model) }
  public static func == (lhs: Schema, rhs: Schema) -> Bool { lhs.graph.model == rhs.graph.model }
}

/// `SchemaProperty`: what attributes, relationships and indices have in common.
public protocol SchemaProperty: Codable, Hashable {
  var name: String { get }
  var isAttribute: Bool { get }
  var isRelationship: Bool { get }
  var isTransient: Bool { get }
}

extension SchemaProperty {
  public var isAttribute: Bool { self is Schema.Attribute }
  public var isRelationship: Bool { self is Schema.Relationship }
  public var isTransient: Bool { false }
}

extension Schema {
  /// `Schema.Entity`.
  public final class Entity: Codable, Hashable, @unchecked Sendable {
    let node: EntityNode
    // Set once, while the schema is made, before anybody else sees the entity.
    public internal(set) var subentities: Set<Entity> = []
    public let attributesByName: [String: Attribute]
    public let relationshipsByName: [String: Relationship]

    init(_ node: EntityNode) {
      self.node = node
      var attributes: [String: Attribute] = [:]
      var relationships: [String: Relationship] = [:]
      for (index, property) in node.shape.properties.enumerated() {
        if let link = node.links[index] {
          relationships[property.name] = Relationship(property, link)
        } else {
          attributes[property.name] = Attribute.described(property)
        }
      }
      attributesByName = attributes
      relationshipsByName = relationships
    }

    public init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "an Entity cannot be decoded: its model class is not in it")
    }

    public var name: String { node.shape.name }
    public var superentityName: String? { node.shape.superclass?.name }
    public var uniquenessConstraints: [[String]] { node.uniqueness }
    public var indices: [[String]] { node.shape.indexes.map(\.properties) }

    public func encode(to encoder: any Encoder) throws { try node.entity.encode(to: encoder) }
    public func hash(into hasher: inout Hasher) { hasher.combine(node.entity) }
    public static func == (lhs: Entity, rhs: Entity) -> Bool { lhs.node.entity == rhs.node.entity }
  }
}
