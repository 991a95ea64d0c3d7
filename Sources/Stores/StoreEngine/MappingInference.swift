internal import ManagedModels
internal import StoreFormat

/// The mapping that a lightweight migration infers from one model to another, or the reason why there is none
/// (docs/facts/migration.md#inference).
struct InferredMapping {
  let source: ModelGraph
  let target: ModelGraph
  /// One mapping for each entity of the target, in the order of their numbers.
  private(set) var entities: [EntityMapping] = []

  /// Where the rows of one entity come from, and how its properties are mapped.
  struct EntityMapping {
    var target: ModelGraph.Node
    /// The entity with the same name, since a model's rename cannot be declared (docs/facts/migration.md#rename-model);
    /// nil if the entity is new.
    var source: ModelGraph.Node?
    var values: [ValueMapping] = []
    var relationships: [RelationshipMapping] = []
  }

  /// One stored value of the target: an attribute, or an element of its composite.
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
      /// A value of the source, with its path and type in the source. `nils` replaces nil.
      case value(path: String, type: AttributeType, nils: StoredValue?)
    }
  }

  /// The mapping of one relationship of the target.
  struct RelationshipMapping {
    var target: ManagedRelationship
    /// The relationship from which the links come; nil if there are no links.
    var source: ManagedRelationship?
    /// To-one only: whether a row without a link makes the migration fail.
    var isDemanded = false
  }

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
    try Self.checkIdentifiers(of: before)
    var mapping = EntityMapping(target: node, source: before)
    for attribute in node.attributes {
      // If an attribute and a relationship have the same name, one is dropped and the other added
      // (docs/facts/migration.md#attribute-to-relationship). The same happens between a plain type and an enum or
      // struct (docs/facts/migration.md#plain-to-composite).
      if let match = Self.match(attribute, in: before.attributes),
        (match.type == .composite) == (attribute.type == .composite)
      {
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

  /// The source's property with the same renaming identifier as the target's. Two properties may therefore come from
  /// the same property of the source (docs/facts/migration.md#reused-name-gets-both), and an original name that a later
  /// version omits matches nothing (docs/facts/migration.md#omitted-original-name-everywhere).
  private static func match<Property: Renamable>(
    _ property: Property, in candidates: [Property]
  ) -> Property? {
    candidates.first { $0.identifier == property.identifier }
  }

  /// Throws if two properties have the same identifier, since either may be meant
  /// (docs/facts/migration.md#two-identifiers).
  private static func checkIdentifiers(of node: ModelGraph.Node) throws {
    let properties: [any Renamable] = node.attributes + node.relationships
    var names: [String: String] = [:]
    for property in properties {
      guard let other = names.updateValue(property.name, forKey: property.identifier) else {
        continue
      }
      throw cannotInfer(
        "\(node.name).\(property.name)",
        "the store's model has the renaming identifier '\(property.identifier)' for '\(other)' as well"
      )
    }
  }

  // MARK: Attributes

  private static func addition(_ attribute: ManagedAttribute) -> [ValueMapping] {
    guard attribute.type != .composite else {
      return Self.elements(of: attribute).map { addition($0) }
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
      throw cannotInfer(place, "external storage cannot be turned off")
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
    // Elements are matched by their paths within the attribute, which may have been renamed.
    let before = Dictionary(
      elements(of: old).map { ($0.leaf.path.dropFirst(old.name.count), $0) }
    ) { first, _ in first }
    return try elements(of: new).map { element in
      let leaf = element.leaf
      guard let match = before[leaf.path.dropFirst(new.name.count)] else {
        return addition(element)
      }
      try check(match.leaf.type, leaf.type, at: "\(entity).\(leaf.path)")
      let isTightened = match.isOptional && !element.isOptional
      let nils = isTightened ? element.defaultConstant : nil
      return ValueMapping(
        path: leaf.path, type: leaf.type,
        origin: .value(path: match.leaf.path, type: match.leaf.type, nils: nils),
        isDemanded: isTightened && nils == nil)
    }
  }

  /// One value of an enum or a struct.
  private struct Element {
    var leaf: Leaf
    /// Whether it or an enclosing value is optional.
    var isOptional: Bool
    /// The element's own default. The default of a whole enum or struct is never used for rows
    /// (docs/facts/migration.md#add-required-struct).
    var defaultConstant: StoredValue?
  }

  private static func elements(of attribute: ManagedAttribute) -> [Element] {
    func parts(of attribute: ManagedAttribute, isOptional: Bool) -> [(Bool, StoredValue?)] {
      let isOptional = isOptional || attribute.isOptional
      guard attribute.type == .composite else { return [(isOptional, attribute.defaultConstant)] }
      return attribute.elements.flatMap { parts(of: $0, isOptional: isOptional) }
    }
    return zip(Leaf.leaves(of: attribute), parts(of: attribute, isOptional: false)).map {
      Element(leaf: $0, isOptional: $1.0, defaultConstant: $1.1)
    }
  }

  private static func addition(_ element: Element) -> ValueMapping {
    let leaf = element.leaf
    if let value = element.defaultConstant {
      return ValueMapping(path: leaf.path, type: leaf.type, origin: .constant(value))
    }
    return ValueMapping(
      path: leaf.path, type: leaf.type, origin: .null, isDemanded: !element.isOptional)
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
      throw Self.cannotInfer(place, "a to-many relationship cannot become to-one")
    }
    if !old.isToMany, new.isToMany {
      guard let inverse = target.inverse(of: new) else {
        throw StoreError(
          .migrationFailed,
          "Unsupported relationship migration: '\(place)' becomes a to-many relationship without an inverse"
        )
      }
      // An inverse that is added in the same step has no links (docs/facts/migration.md#to-one-to-to-many-new-inverse).
      let before = source[inverse.entity].flatMap {
        Self.match(inverse.relationship, in: $0.relationships)
      }
      guard let before, before.name == old.inverse else { return RelationshipMapping(target: new) }
    }
    // A changed destination is ignored, and keys are copied unchanged (docs/facts/migration.md#destination-change).
    return RelationshipMapping(
      target: new, source: old, isDemanded: isDemanded && (old.isOptional || old.isToMany))
  }

  // MARK: Trees

  /// Throws if entities with different roots would come under the same root, since keys are unique within a tree only
  /// (docs/facts/migration.md#two-roots-under-one-parent).
  private func checkTrees() throws {
    for root in target.nodes where root.superNumber == 0 {
      let mapped = root.family.compactMap { source[$0] }
      if let stranger = mapped.first(where: { $0.root != mapped[0].root }) {
        throw StoreError(
          .cannotInfer,
          "Cannot merge multiple root entity source tables: '\(mapped[0].name)' and '\(stranger.name)'"
        )
      }
    }
  }

  private static func cannotInfer(_ place: String, _ reason: String) -> StoreError {
    StoreError(.cannotInfer, "'\(place)': \(reason)")
  }
}

/// An element with a name and perhaps an original name.
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
  /// The default value. A null counts as no default.
  fileprivate var defaultConstant: StoredValue? { defaultValue == .null ? nil : defaultValue }
}
