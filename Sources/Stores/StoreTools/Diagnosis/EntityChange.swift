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

  /// The columns of an entity's own table that it has: names in capitals, with types.
  var columns: [(name: String, type: String)] {
    switch self {
    case .attribute(let attribute):
      attribute.leaves.map { ("Z" + $0.name.uppercased(), $0.type.columnType) }
    case .relationship(let relationship):
      relationship.isToMany ? [] : [("Z" + relationship.name.uppercased(), "INTEGER")]
    }
  }
}

/// A change of an entity that its hash may show.
struct EntityChange: Sendable {
  enum Edit: Sendable {
    /// Takes a property away, and all constraints over it.
    case remove(String)
    /// Puts a property in the place of one of that name, or adds it.
    case set(EntityPart)
    /// Gives a property another name, in constraints too.
    case rename(String, to: String)
    case addUnique([String])
    case removeUnique([String])
    /// All uniqueness constraints, by columns, as a store's indexes have them.
    case uniqueColumns([[String]])
  }

  var edits: [Edit]
  /// How far it is guessed: 0 is known from elsewhere, or needs no guess.
  var rank = 0

  init(_ edits: Edit..., rank: Int = 0) {
    self.edits = edits
    self.rank = rank
  }

  /// Whether it touches what stands behind the properties in a hash.
  var isOfConstraints: Bool {
    edits.contains { edit in
      switch edit {
      case .addUnique, .removeUnique, .uniqueColumns: true
      default: false
      }
    }
  }

  /// The properties that it touches.
  var names: [String] {
    edits.flatMap { edit -> [String] in
      switch edit {
      case .remove(let name): [name]
      case .set(let part): [part.name]
      case .rename(let name, let new): [name, new]
      case .addUnique, .removeUnique, .uniqueColumns: []
      }
    }
  }
}

extension ManagedEntity {
  /// Its own properties, sorted as they are hashed.
  var parts: [EntityPart] {
    (attributes.map(EntityPart.attribute) + relationships.map(EntityPart.relationship))
      .sorted { EntityHashParts.precedes($0.name, $1.name) }
  }

  mutating func apply(_ change: EntityChange) {
    for edit in change.edits { apply(edit) }
  }

  private mutating func apply(_ edit: EntityChange.Edit) {
    switch edit {
    case .remove(let name):
      attributes.removeAll { $0.name == name }
      relationships.removeAll { $0.name == name }
      uniqueness.removeAll { $0.contains(name) }
    case .set(let part):
      attributes.removeAll { $0.name == part.name }
      relationships.removeAll { $0.name == part.name }
      switch part {
      case .attribute(let attribute): attributes.append(attribute)
      case .relationship(let relationship): relationships.append(relationship)
      }
    case .rename(let name, let new):
      guard let part = parts.first(where: { $0.name == name }) else { return }
      let constraints = uniqueness
      apply(.remove(name))
      apply(.set(part.named(new)))
      uniqueness = constraints.map { $0.map { $0 == name ? new : $0 } }
    case .addUnique(let names): uniqueness.append(names)
    case .removeUnique(let names): uniqueness.removeAll { $0 == names }
    case .uniqueColumns(let constraints):
      let found = constraints.map(properties)
      if found.allSatisfy({ !$0.isEmpty }) { uniqueness = found }
    }
  }

  /// The properties that columns belong to, in their order; none where one belongs to nothing.
  private func properties(ofColumns columns: [String]) -> [String] {
    var found: [String] = []
    for column in columns {
      guard let part = parts.first(where: { $0.columns.contains { $0.name == column } }) else {
        return []
      }
      // A struct has several.
      if found.last != part.name { found.append(part.name) }
    }
    return found
  }
}
