internal import ManagedModels
internal import StoreFormat

/// The mapping that lightweight migration infers from one model to another, or the reason why there is none
/// (docs/facts/migration.md#inference).
struct InferredMapping {
  let source: ModelGraph
  let target: ModelGraph
  /// One for each entity of the target, in the order of their numbers.
  private(set) var entities: [EntityMapping] = []

  /// Where the rows of one entity come from, and what becomes of their properties.
  struct EntityMapping {
    var target: ModelGraph.Node
    /// The entity of the same name: a rename cannot be said (docs/facts/migration.md#rename-model). `nil`: no rows.
    var source: ModelGraph.Node?
    /// Inherited ones among them.
    var values: [ValueMapping] = []
    var relationships: [RelationshipMapping] = []
  }

  /// One stored value of the target: an attribute's, or one of its composite's elements.
  struct ValueMapping {
    var path: String
    var type: AttributeType
    var origin: Origin
    /// Whether a row without a value makes the migration fail.
    var isDemanded = false

    enum Origin: Hashable {
      case null
      /// One constant for all rows (docs/facts/migration.md#add-attribute-with-default).
      case constant(StoredValue)
      /// A value of the source, by its path and type there; `nils` is what nil becomes.
      case value(path: String, type: AttributeType, nils: StoredValue?)
    }
  }

  /// One relationship of the target.
  struct RelationshipMapping {
    var target: ManagedRelationship
    /// What its links were before.
    var source: ManagedRelationship?
    /// To-one only: whether a row without a link makes the migration fail.
    var isDemanded = false
  }

  /// Throws `StoreError.cannotInfer`, naming entity and property.
  init(from source: ModelGraph, to target: ModelGraph) throws {
    self.source = source
    self.target = target
    for node in target.nodes { entities.append(try mapping(of: node)) }
    try checkTrees()
  }

  subscript(_ entity: String) -> EntityMapping? {
    target[entity].map { entities[$0.number - 1] }
  }

  private func mapping(of node: ModelGraph.Node) throws -> EntityMapping {
    guard let before = source[node.name] else { return EntityMapping(target: node) }
    var mapping = EntityMapping(target: node, source: before)
    for attribute in node.attributes {
      // An attribute and a relationship of one name: the one is dropped, the other added
      // (docs/facts/migration.md#attribute-to-relationship).
      if let match = Self.match(attribute, in: before.attributes) {
        mapping.values += try Self.values(from: match, to: attribute, in: node.name)
      } else {
        mapping.values += Self.addition(attribute)
      }
    }
    for relationship in node.relationships {
      let match = Self.match(relationship, in: before.relationships)
      mapping.relationships.append(try self.mapping(from: match, to: relationship, in: node.name))
    }
    return mapping
  }

  // MARK: Matching

  /// What a property of the target was in the source.
  ///
  /// The same renaming identifier, which is the original name or else the name (C: Apple's documentation of
  /// `renamingIdentifier`; of several the one of the same name); else what is called as the identifier says;
  /// else the same name (U: Apple's documentation speaks of the identifier alone).
  private static func match<Property: Renamable>(
    _ property: Property, in candidates: [Property]
  ) -> Property? {
    let akin = candidates.filter { $0.identifier == property.identifier }
    return akin.first { $0.name == property.name } ?? akin.first
      ?? candidates.first { $0.name == property.identifier }
      ?? candidates.first { $0.name == property.name }
  }

  // MARK: Attributes

  private static func addition(_ attribute: ManagedAttribute) -> [ValueMapping] {
    // The NULL trap: a new Codable value opens with NULL in old rows, even with a default (L, 7 projects).
    guard attribute.type != .composite else {
      return Leaf.leaves(of: attribute).map {
        ValueMapping(path: $0.path, type: $0.type, origin: .null)
      }
    }
    if let value = attribute.defaultConstant {
      return [
        ValueMapping(path: attribute.name, type: attribute.type, origin: .constant(value))
      ]
    }
    return [
      ValueMapping(
        path: attribute.name, type: attribute.type, origin: .null,
        isDemanded: !attribute.isOptional)
    ]
  }

  private static func values(
    from old: ManagedAttribute, to new: ManagedAttribute, in entity: String
  ) throws -> [ValueMapping] {
    let place = "\(entity).\(new.name)"
    if old.isExternal, !new.isExternal {
      throw cannotInfer(place, "external storage cannot be taken back")
    }
    guard new.type == .composite else {
      try check(old.type, new.type, at: place)
      let isTightened = old.isOptional && !new.isOptional
      let nils = isTightened ? new.defaultConstant : nil
      return [
        ValueMapping(
          path: new.name, type: new.type,
          origin: .value(path: old.name, type: old.type, nils: nils),
          isDemanded: isTightened && nils == nil)
      ]
    }
    try check(old.type, new.type, at: place)
    // Elements are matched by path, whatever their owner was called.
    let before = Dictionary(
      Leaf.leaves(of: old).map { ($0.path.dropFirst(old.name.count), $0) }
    ) { first, _ in first }
    return try Leaf.leaves(of: new).map { leaf in
      guard let match = before[leaf.path.dropFirst(new.name.count)] else {
        return ValueMapping(path: leaf.path, type: leaf.type, origin: .null)
      }
      try check(match.type, leaf.type, at: "\(entity).\(leaf.path)")
      return ValueMapping(
        path: leaf.path, type: leaf.type,
        origin: .value(path: match.path, type: match.type, nils: nil))
    }
  }

  private static func check(_ old: AttributeType, _ new: AttributeType, at place: String) throws {
    guard old == new || (old.isNumeric && new.isNumeric) else {
      throw cannotInfer(place, "\(old) cannot become \(new)")
    }
  }

  // MARK: Relationships

  private func mapping(
    from old: ManagedRelationship?, to new: ManagedRelationship, in entity: String
  ) throws -> RelationshipMapping {
    let isDemanded = !new.isToMany && !new.isOptional
    guard let old else { return RelationshipMapping(target: new, isDemanded: isDemanded) }
    let place = "\(entity).\(new.name)"
    if old.isToMany, !new.isToMany {
      throw Self.cannotInfer(place, "a to-many relationship cannot become a to-one one")
    }
    // Rows of one entity cannot become rows of another (docs/facts/migration.md#destination-refused-today); of one
    // tree they keep their keys.
    let isSameTree = target[old.destination]?.root == target[new.destination]?.root
    guard old.destination == new.destination || isSameTree else {
      throw Self.cannotInfer(
        place, "a relationship to '\(old.destination)' cannot lead to '\(new.destination)'")
    }
    return RelationshipMapping(
      target: new, source: old, isDemanded: isDemanded && (old.isOptional || old.isToMany))
  }

  // MARK: Trees

  /// Entities with different roots cannot come under one: keys are distinct in a tree only (C: Apple's
  /// documentation of lightweight migration, "you cannot merge entity hierarchies").
  private func checkTrees() throws {
    for root in target.nodes where root.superNumber == 0 {
      let mapped = root.family.compactMap { source[$0] }
      if let stranger = mapped.first(where: { $0.root != mapped[0].root }) {
        throw StoreError(
          .cannotInfer,
          "'\(mapped[0].name)' and '\(stranger.name)' cannot come under one root: trees cannot be merged"
        )
      }
    }
  }

  private static func cannotInfer(_ place: String, _ reason: String) -> StoreError {
    StoreError(.cannotInfer, "'\(place)': \(reason)")
  }
}

/// What has a name now and may have had another one.
private protocol Renamable {
  var name: String { get }
  var originalName: String? { get }
}

extension ManagedAttribute: Renamable {}

extension ManagedRelationship: Renamable {}

extension Renamable {
  /// Core Data's renaming identifier.
  fileprivate var identifier: String { originalName ?? name }
}

extension ManagedAttribute {
  /// The default, unless it is null, which is none.
  fileprivate var defaultConstant: StoredValue? { defaultValue == .null ? nil : defaultValue }
}

extension AttributeType {
  /// Numbers are converted into one another, which is undocumented and may lose precision
  /// (docs/facts/migration.md#number-types).
  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }
}
