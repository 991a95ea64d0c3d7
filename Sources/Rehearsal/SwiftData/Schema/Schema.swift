package import ManagedModels

/// `Schema`: the entities of one version, created from model classes. Sendable since SDK 26, like its versions and
/// entities.
public final class Schema: Codable, Hashable {
  /// `Schema.Version`: Sendable since SDK 26.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable {
    /// The major number.
    public let major: Int
    /// The minor number.
    public let minor: Int
    /// The patch number.
    public let patch: Int

    /// Creates the version with these numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    public var description: String { "\(major).\(minor).\(patch)" }
    public static func < (lhs: Version, rhs: Version) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }
  }

  /// The description that `@Model` writes for each stored property. `defaultValue` is an `Any?`, so a default such as
  /// `.current`, which needs the property's type, does not compile.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

    /// Creates the description of a stored property that `@Model` found.
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

  /// The version's number, which is not used to recognise stores.
  public let version: Version
  /// The entities, including those that relationships lead to.
  public let entities: [Entity]
  let graph: SchemaGraph
  package var managedModel: ManagedModel { graph.model }

  /// The entities by name.
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

  /// Creates the schema of model classes, including those that relationships lead to.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(graph: SchemaGraph(types, version: version), version: version)
  }

  /// Creates the schema of model classes (SDK 26), including those that relationships lead to.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// Creates a schema with the classes of other schemas' entities.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(entities.map(\.node.shape.type), version: version)
  }

  /// Creates the schema of a version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(graph: SchemaGraph.of(versionedSchema), version: versionedSchema.versionIdentifier)
  }

  /// Always throws, since a schema without its classes cannot hold models.
  public init(from decoder: any Decoder) throws {
    throw SwiftDataError(
      .unsupportedFeature, "a Schema cannot be decoded, because its model classes are not encoded")
  }

  public func encode(to encoder: any Encoder) throws { try graph.model.encode(to: encoder) }
  public func hash(into hasher: inout Hasher) { hasher.combine(graph.model) }
  public static func == (lhs: Schema, rhs: Schema) -> Bool { lhs.graph.model == rhs.graph.model }
}

/// `SchemaProperty`: the common parts of attributes, relationships and indexes.
public protocol SchemaProperty: Codable, Hashable {
  /// The property's name.
  var name: String { get }
  /// Whether it is an attribute.
  var isAttribute: Bool { get }
  /// Whether it is a relationship.
  var isRelationship: Bool { get }
  /// Whether it is not stored.
  var isTransient: Bool { get }
}

extension SchemaProperty {
  /// Whether it is an attribute.
  public var isAttribute: Bool { self is Schema.Attribute }
  /// Whether it is a relationship.
  public var isRelationship: Bool { self is Schema.Relationship }
  /// Whether it is not stored.
  public var isTransient: Bool { false }
}

extension Schema {
  /// `Schema.Entity`.
  public final class Entity: Codable, Hashable {
    let node: EntityNode
    /// The entities that inherit from this one.
    // Set once, while the schema is created, before any other code sees the entity.
    public internal(set) var subentities: Set<Entity> = []
    /// The attributes by name.
    public let attributesByName: [String: Attribute]
    /// The relationships by name.
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
        .unsupportedFeature, "an Entity cannot be decoded, because its model class is not encoded")
    }

    /// The entity's name, which is the class's name.
    public var name: String { node.shape.name }
    /// The name of the entity from which this one inherits; `nil` if there is none.
    public var superentityName: String? { node.shape.superclass?.name }
    /// Groups of properties; two rows must not have equal values in a group.
    public var uniquenessConstraints: [[String]] { node.uniqueness }
    /// Groups of properties that are indexed.
    public var indices: [[String]] { node.shape.indexes.map(\.properties) }

    public func encode(to encoder: any Encoder) throws { try node.entity.encode(to: encoder) }
    public func hash(into hasher: inout Hasher) { hasher.combine(node.entity) }
    public static func == (lhs: Entity, rhs: Entity) -> Bool { lhs.node.entity == rhs.node.entity }
  }
}

#if !SDK_18
  extension Schema: Sendable {}
  extension Schema.Version: Sendable {}
  extension Schema.Entity: @unchecked Sendable {}
#endif
