internal import ManagedModels
internal import Synchronization

/// The entities of a schema with their links resolved, and the resulting managed model.
final class SchemaGraph: @unchecked Sendable {
  /// The entities, sorted by name.
  let nodes: [EntityNode]
  let model: ManagedModel
  private let byType: [ObjectIdentifier: Int]
  private let byName: [String: Int]
  private let knownIdentity = Mutex<VersionHashes?>(nil)

  private static let known = Mutex<[ObjectIdentifier: SchemaGraph]>([:])

  /// The graph of a version. It is cached, since a version's models do not change and every migration needs all graphs.
  static func of(_ version: any VersionedSchema.Type) -> SchemaGraph {
    let key = ObjectIdentifier(version)
    if let graph = known.withLock({ $0[key] }) { return graph }
    let graph = SchemaGraph(version.models, version: version.versionIdentifier)
    known.withLock { $0[key] = graph }
    return graph
  }

  var identity: VersionHashes {
    knownIdentity.withLock { known in
      if let known { return known }
      let identity = model.versionHashes
      known = identity
      return identity
    }
  }

  /// Creates the graph of `types` and of all classes that can be reached from them by relationships and inheritance.
  init(_ types: [any PersistentModel.Type], version: Schema.Version) {
    var shapes: [ModelShape] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = types
    while let type = pending.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let shape = ModelShape.of(type)
      shapes.append(shape)
      pending += shape.properties.compactMap(\.destination)
      if let superclass = shape.superclass { pending.append(superclass.type) }
    }
    shapes.sort { $0.name < $1.name }
    for (first, second) in zip(shapes, shapes.dropFirst()) where first.name == second.name {
      trap("two classes of one schema are named '\(first.name)': \(first.type) and \(second.type)")
    }

    let byType = Dictionary(
      uniqueKeysWithValues: shapes.enumerated().map { (ObjectIdentifier($1.type), $0) })
    let inverses = InversePairs(shapes, byType)
    nodes = shapes.enumerated().map { index, shape in
      EntityNode(index: index, shape: shape, all: shapes, byType: byType, inverses: inverses)
    }
    self.byType = byType
    byName = Dictionary(uniqueKeysWithValues: shapes.enumerated().map { ($1.name, $0) })
    model = ManagedModel(entities: nodes.map(\.entity), versionIdentifier: version.description)
  }

  func node(of type: any PersistentModel.Type) -> EntityNode? {
    byType[ObjectIdentifier(type)].map { nodes[$0] }
  }

  func node(named name: String) -> EntityNode? { byName[name].map { nodes[$0] } }
}

/// One entity of a schema.
final class EntityNode: @unchecked Sendable {
  /// A relationship as seen from this entity or from one that inherits it.
  struct Link {
    let destination: Int
    let destinationName: String
    /// The index of the property at the other end, within its entity.
    let inverse: Int?
    let inverseName: String?
    let isToMany: Bool
    let isInverseToMany: Bool
    let isRequired: Bool
    let deleteRule: Schema.Relationship.DeleteRule

    var isColumn: Bool { !isToMany }
    /// Whether the link is stored as a separate list: many-to-many, or to-many without an inverse.
    var isList: Bool { isToMany && (inverse == nil || isInverseToMany) }
  }

  let index: Int
  /// The index of the root entity, whose table holds the rows.
  let root: Int
  let shape: ModelShape
  /// The links by property index; `nil` for attributes.
  let links: [Link?]
  let linkIndexes: [Int]
  let requiredLinks: [Int]
  let uniqueness: [[String]]
  /// The constraints that an insertion may violate, including inherited ones.
  let allUniqueness: [[String]]
  let subentities: [Int]
  let entity: ManagedEntity

  fileprivate init(
    index: Int, shape: ModelShape, all: [ModelShape], byType: [ObjectIdentifier: Int],
    inverses: InversePairs
  ) {
    self.index = index
    self.shape = shape
    var top = shape
    while let next = top.superclass { top = next }
    root = byType[ObjectIdentifier(top.type)] ?? index
    subentities = all.indices.filter { all[$0].superclass === shape }

    links = shape.properties.map { property in
      guard let type = property.destination, let target = byType[ObjectIdentifier(type)] else {
        return nil
      }
      let inverse = inverses.inverse(of: property)
      let isInverseToMany = inverse.map { all[target].properties[$0].isToMany } ?? false
      return Link(
        destination: target, destinationName: all[target].name, inverse: inverse,
        inverseName: inverse.map { all[target].properties[$0].name },
        isToMany: property.isToMany, isInverseToMany: isInverseToMany,
        isRequired: !property.isToMany && !property.isOptionalLink,
        deleteRule: property.relationship?.deleteRule ?? .nullify)
    }
    let links = links
    linkIndexes = links.indices.filter { links[$0] != nil }
    requiredLinks = links.indices.filter { links[$0]?.isRequired == true }
    uniqueness = Self.uniqueness(of: shape)
    var inherited: [[String]] = []
    var ancestor = shape.superclass
    while let next = ancestor {
      inherited += Self.uniqueness(of: next)
      ancestor = next.superclass
    }
    allUniqueness = uniqueness + inherited
    entity = Self.entity(of: shape, links: links, uniqueness: uniqueness)
  }

  private static func uniqueness(of shape: ModelShape) -> [[String]] {
    var uniqueness: [[String]] = []
    for property in shape.ownProperties
    where property.attribute?.isUnique == true || property.relationship?.isUnique == true {
      uniqueness.append([property.name])
    }
    return uniqueness + shape.uniqueKeyPaths.filter { !uniqueness.contains($0) }
  }

  private static func entity(
    of shape: ModelShape, links: [Link?], uniqueness: [[String]]
  ) -> ManagedEntity {
    var entity = ManagedEntity(
      name: shape.name, superentity: shape.superclass?.name, uniqueness: uniqueness,
      indexes: shape.indexes)
    let inherited = shape.superclass?.properties.count ?? 0
    for (offset, property) in shape.ownProperties.enumerated() {
      if let link = links[inherited + offset] {
        let written = property.relationship
        entity.relationships.append(
          ManagedRelationship(
            name: property.name, originalName: written?.writtenOriginalName,
            destination: link.destinationName, inverse: link.inverseName, isToMany: link.isToMany,
            isOptional: property.isOptionalLink,
            // The counts of a to-one relationship are ignored (docs/facts/identity.md#relation-counts).
            minimumCount: link.isToMany ? written?.minimumModelCount ?? 0 : 0,
            maximumCount: link.isToMany ? written?.maximumModelCount ?? 0 : 1,
            deleteRule: ManagedRelationship.DeleteRule(rawValue: link.deleteRule.rawValue)
              ?? .nullify,
            hashModifier: written?.hashModifier))
      } else if let codec = property.codec, property.isStored {
        let options = property.attribute?.options.map(\.kind) ?? []
        // A composite's default never reaches old rows (docs/facts/migration.md#field-default).
        let constant = codec.type == .composite ? nil : property.defaultColumns.first
        entity.attributes.append(
          ManagedAttribute(
            name: property.name, originalName: property.attribute?.writtenOriginalName,
            type: codec.type, isOptional: codec.isOptional,
            defaultValue: constant == .null ? nil : constant,
            hashModifier: property.attribute?.hashModifier,
            // On any other type the option is ignored (docs/facts/identity.md#external-storage-only-on-data).
            isExternal: property.isData && options.contains(.externalStorage),
            isPreservedOnDeletion: options.contains(.preserveValueOnDeletion),
            elements: codec.shape?.elements(of: property.name, isOptional: codec.isOptional) ?? []))
      }
    }
    return entity
  }
}

/// Finds the pairs of relationships that are the two ends of one link.
private struct InversePairs {
  /// The index of the property at the other end, by a property's key path.
  private var pairs: [AnyKeyPath: Int] = [:]

  init(_ shapes: [ModelShape], _ byType: [ObjectIdentifier: Int]) {
    /// A relationship by its class and its index there.
    struct End {
      let shape: ModelShape
      let index: Int
      var property: ModelProperty { shape.properties[index] }
    }
    var open: [End] = []
    var declared: Set<AnyKeyPath> = []
    for shape in shapes {
      let own = shape.superclass?.properties.count ?? 0
      for index in own..<max(own, shape.properties.count)
      where shape.properties[index].destination != nil {
        open.append(End(shape: shape, index: index))
      }
    }
    let byKeyPath = Dictionary(open.map { ($0.property.keyPath, $0) }) { first, _ in first }
    for end in open {
      guard let keyPath = end.property.relationship?.inverseKeyPath else { continue }
      guard let other = byKeyPath[keyPath] else {
        trap("\(end.shape.name).\(end.property.name): its inverse \(keyPath) is not a relationship")
      }
      pairs[end.property.keyPath] = other.index
      pairs[keyPath] = end.index
      declared.formUnion([end.property.keyPath, keyPath])
    }
    let undeclared = UndeclaredInverses(
      open.map { end in
        let destination = end.property.destination.flatMap { byType[ObjectIdentifier($0)] }
        return UndeclaredInverses.End(
          entity: end.shape.name, name: end.property.name,
          destination: destination.map { shapes[$0].name } ?? "",
          isToMany: end.property.isToMany, isOptional: end.property.isOptionalLink,
          isJoined: declared.contains(end.property.keyPath))
      })
    for (one, other) in undeclared.pairs {
      pairs[open[one].property.keyPath] = open[other].index
      pairs[open[other].property.keyPath] = open[one].index
    }
  }

  func inverse(of property: ModelProperty) -> Int? { pairs[property.keyPath] }
}
