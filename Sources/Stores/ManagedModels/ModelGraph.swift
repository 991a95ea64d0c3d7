/// A valid model with all its names resolved.
///
/// Entities are numbered as in Core Data's `Z_ENT`: roots in case-insensitive order of their names
/// (docs/facts/store-format.md#entity-numbers), each followed by its subentities in the same order (likely:
/// docs/facts/store-format.md#subentities-share-a-table, from published schemas of Apple's Notes and Photos, where
/// ICAccount comes after its parent ICNoteContainer).
package struct ModelGraph {
  /// One entity with its place in the tree.
  package struct Node {
    package var entity: ManagedEntity
    package var number: Int
    /// `Z_ENT` of the superentity, 0 for a root.
    package var superNumber: Int
    package var root: String
    package var lineage: [String]
    /// The entity and all its descendants, in the order of their numbers.
    package var family: [String] = []
    /// All attributes, inherited ones first. The relationships below are in the same order.
    package var attributes: [ManagedAttribute]
    package var relationships: [ManagedRelationship]

    package var name: String { entity.name }
  }

  package let model: ManagedModel
  package private(set) var nodes: [Node] = []
  private var places: [String: Int] = [:]

  /// Throws `StoreError.incompatibleModel` with the names of the invalid elements.
  package init(_ model: ManagedModel) throws {
    self.model = model
    var children: [String: [ManagedEntity]] = [:]
    var roots: [ManagedEntity] = []
    var names: Set<String> = []
    for entity in model.entities {
      try Self.check(entity.name, "entity")
      guard names.insert(entity.name).inserted else {
        throw Self.unsound("two entities are called '\(entity.name)'")
      }
      if let superentity = entity.superentity {
        children[superentity, default: []].append(entity)
      } else {
        roots.append(entity)
      }
    }
    for root in roots.sorted(by: Self.precedes) { append(root, below: nil, children) }
    // An entity that was not reached has a missing superentity, or is its own ancestor.
    for entity in model.entities where places[entity.name] == nil {
      throw Self.unsound(
        "'\(entity.name)' inherits from '\(entity.superentity ?? "")', which is missing or cyclic")
    }
    gatherFamilies()
    for node in nodes { try checkProperties(of: node) }
  }

  /// A model with the entity numbers of a store, 0 for an entity that the store lacks.
  ///
  /// The model may be invalid, since no store is created from it. Of two entities with the same name the first is used.
  /// An entity becomes a root if its superentity is missing or is one of its descendants.
  package init(_ model: ManagedModel, numbers: [String: Int64]) {
    self.model = model
    var known: [String: ManagedEntity] = [:]
    for entity in model.entities where known[entity.name] == nil { known[entity.name] = entity }
    var children: [String: [ManagedEntity]] = [:]
    var roots: [ManagedEntity] = []
    for entity in known.values.sorted(by: Self.precedes) {
      if let superentity = entity.superentity, Self.leadsToRoot(entity, known) {
        children[superentity, default: []].append(entity)
      } else {
        roots.append(entity)
      }
    }
    for root in roots { append(root, below: nil, children) }
    func number(_ name: String) -> Int { Int(clamping: numbers[name] ?? 0) }
    for index in nodes.indices {
      nodes[index].number = number(nodes[index].name)
      nodes[index].superNumber = nodes[index].lineage.dropLast().last.map(number) ?? 0
    }
    nodes.sort { one, other in
      (numbers[one.name] ?? .max, one.name.lowercased(), one.name)
        < (numbers[other.name] ?? .max, other.name.lowercased(), other.name)
    }
    for (place, node) in nodes.enumerated() { places[node.name] = place }
    gatherFamilies()
  }

  private static func leadsToRoot(
    _ entity: ManagedEntity, _ known: [String: ManagedEntity]
  ) -> Bool {
    var passed: Set<String> = [entity.name]
    var last = entity
    while let name = last.superentity {
      guard passed.insert(name).inserted, let above = known[name] else { return false }
      last = above
    }
    return true
  }

  private mutating func gatherFamilies() {
    for node in nodes {
      for ancestor in node.lineage {
        guard let place = places[ancestor] else { continue }
        nodes[place].family.append(node.name)
      }
    }
  }

  private mutating func append(
    _ entity: ManagedEntity, below parent: Node?, _ children: [String: [ManagedEntity]]
  ) {
    let node = Node(
      entity: entity, number: nodes.count + 1, superNumber: parent?.number ?? 0,
      root: parent?.root ?? entity.name, lineage: (parent?.lineage ?? []) + [entity.name],
      attributes: (parent?.attributes ?? []) + entity.attributes,
      relationships: (parent?.relationships ?? []) + entity.relationships)
    nodes.append(node)
    places[entity.name] = node.number - 1
    for child in (children[entity.name] ?? []).sorted(by: Self.precedes) {
      append(child, below: node, children)
    }
  }

  /// Case-insensitive order of names: AppStorefrontReview before AppStoreScreenshot (measured).
  private static func precedes(_ one: ManagedEntity, _ other: ManagedEntity) -> Bool {
    precedes(one.name, other.name)
  }

  package static func precedes(_ one: String, _ other: String) -> Bool {
    (one.lowercased(), one) < (other.lowercased(), other)
  }

  // MARK: Looking up

  package subscript(_ entity: String) -> Node? { places[entity].map { nodes[$0] } }

  package func node(_ entity: String) throws -> Node {
    guard let node = self[entity] else {
      throw Self.unsound("the model has no entity '\(entity)'")
    }
    return node
  }

  package func declarer(of property: String, in node: Node) -> String {
    node.lineage.first { name in
      guard let entity = self[name]?.entity else { return false }
      return entity.attributes.contains { $0.name == property }
        || entity.relationships.contains { $0.name == property }
    } ?? node.name
  }

  /// The inverse, with the entity that declares it: the destination or its ancestor.
  package func inverse(
    of relationship: ManagedRelationship
  ) -> (entity: String, relationship: ManagedRelationship)? {
    guard let name = relationship.inverse, let destination = self[relationship.destination],
      let inverse = destination.relationships.first(where: { $0.name == name })
    else { return nil }
    return (declarer(of: name, in: destination), inverse)
  }

  // MARK: Validity

  private func checkProperties(of node: Node) throws {
    var names: Set<String> = []
    for name in node.attributes.map(\.name) + node.relationships.map(\.name) {
      guard names.insert(name).inserted else {
        throw Self.unsound("'\(node.name)' has two properties called '\(name)'")
      }
    }
    for attribute in node.entity.attributes { try Self.check(attribute, in: node.name) }
    for relationship in node.entity.relationships { try check(relationship, in: node) }
    for names in node.entity.uniqueness + node.entity.indexes.map(\.properties) {
      for name in names {
        let first = name.prefix { $0 != "." }
        let isToMany = node.relationships.contains { $0.name == first && $0.isToMany }
        guard !isToMany,
          node.attributes.contains(where: { $0.name == first })
            || node.relationships.contains(where: { $0.name == first })
        else {
          throw Self.unsound(
            "'\(node.name).\(name)' is not a column that could be unique or indexed")
        }
      }
    }
  }

  private static func check(_ attribute: ManagedAttribute, in owner: String) throws {
    try check(attribute.name, "property of '\(owner)'")
    guard attribute.type == .composite || attribute.elements.isEmpty else {
      throw unsound("'\(owner).\(attribute.name)' has elements but is not a composite")
    }
    var names: Set<String> = []
    for element in attribute.elements {
      guard names.insert(element.name).inserted else {
        throw unsound("'\(owner).\(attribute.name)' has two elements called '\(element.name)'")
      }
      try check(element, in: "\(owner).\(attribute.name)")
    }
  }

  private func check(_ relationship: ManagedRelationship, in node: Node) throws {
    let place = "\(node.name).\(relationship.name)"
    try Self.check(relationship.name, "property of '\(node.name)'")
    guard let destination = self[relationship.destination] else {
      throw Self.unsound(
        "'\(place)' leads to '\(relationship.destination)', which is not an entity")
    }
    guard let name = relationship.inverse else { return }
    guard let inverse = destination.relationships.first(where: { $0.name == name }),
      inverse.inverse == relationship.name, self[inverse.destination]?.root == node.root
    else {
      throw Self.unsound(
        "'\(place)' has the inverse '\(destination.name).\(name)', which does not lead back")
    }
  }

  /// Checks that a name, which becomes a part of SQL, has only letters, digits and underscores.
  private static func check(_ name: String, _ kind: String) throws {
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x80 || scalar == "_" || ("0"..."9").contains(scalar)
        || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    guard isName, let first = name.unicodeScalars.first, !("0"..."9").contains(first) else {
      throw unsound("'\(name)' is not a name for an \(kind)")
    }
  }

  private static func unsound(_ reason: String) -> StoreError {
    StoreError(.incompatibleModel, reason)
  }
}
