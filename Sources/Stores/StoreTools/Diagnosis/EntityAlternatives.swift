internal import ManagedModels
internal import StoreFormat

/// The single changes of an entity that its hash could show.
struct EntityAlternatives {
  let entity: ManagedEntity
  let hints: EntityHints

  /// Types that an attribute can be of by itself.
  private static let plainTypes = AttributeType.allCases.filter {
    $0 != .composite && $0 != .undefined
  }
  /// Types that raw values are of.
  private static let rawTypes: [AttributeType] = [
    .string, .integer64, .integer32, .integer16, .double,
  ]

  // MARK: What tables do not decide

  /// Every single change, the likeliest first.
  var all: [EntityChange] {
    var changes: [EntityChange] = []
    for part in entity.parts {
      changes += alternatives(of: part).map { EntityChange(.set($0)) }
      changes += guessedInverses(of: part)
      if hints.columns == nil || part.columns.isEmpty {
        changes.append(EntityChange(.remove(part.name)))
        changes += renames(of: part)
      }
    }
    changes += additions
    if hints.columns == nil { changes += constraints }
    return changes
  }

  /// What people change most, each of a property that stays: of these a search takes more than two at once.
  var likely: [EntityPart] {
    entity.parts.flatMap { part -> [EntityPart] in
      switch part {
      case .attribute(let attribute): return likely(attribute).map(EntityPart.attribute)
      case .relationship(var relationship):
        relationship.isOptional.toggle()
        return [.relationship(relationship)]
      }
    }
  }

  private func likely(_ attribute: ManagedAttribute) -> [ManagedAttribute] {
    guard attribute.derivation == nil else { return [] }
    var other = attribute
    other.isOptional.toggle()
    var found: [ManagedAttribute] = []
    if let raw = attribute.rawValueElement {
      for isOptional in [true, false] {
        found.append(
          ManagedAttribute(name: attribute.name, type: raw.type, isOptional: isOptional))
      }
    } else if attribute.type != .composite || attribute.elements.contains(where: { !$0.isOptional })
    {
      found.append(other)
      if Self.rawTypes.contains(attribute.type) {
        found.append(.rawEnum(attribute.name, attribute.type))
      }
    }
    if attribute.hashModifier != nil {
      other = attribute
      other.hashModifier = nil
      found.append(other)
    }
    return found
  }

  /// A property as it is, but for one thing.
  func alternatives(of part: EntityPart) -> [EntityPart] {
    switch part {
    case .attribute(let attribute): alternatives(of: attribute).map(EntityPart.attribute)
    case .relationship(let relationship):
      alternatives(of: relationship).map(EntityPart.relationship)
    }
  }

  private func alternatives(of attribute: ManagedAttribute) -> [ManagedAttribute] {
    guard attribute.derivation == nil else { return [] }
    var found: [ManagedAttribute] = []
    func add(_ change: (inout ManagedAttribute) -> Void) {
      var other = attribute
      change(&other)
      found.append(other)
    }
    add { $0.isOptional.toggle() }
    if attribute.type == .composite {
      found += composites(of: attribute)
    } else {
      for type in Self.plainTypes where type != attribute.type && fits(type, attribute.name) {
        add {
          $0.type = type
          $0.isExternal = false
        }
      }
      for type in Self.rawTypes where fits(type, attribute.name) {
        found.append(.rawEnum(attribute.name, type))
      }
      for modifier in modifiers(but: attribute.hashModifier) { add { $0.hashModifier = modifier } }
      if attribute.type == .binary || attribute.isExternal { add { $0.isExternal.toggle() } }
    }
    add { $0.isPreservedOnDeletion.toggle() }
    return found
  }

  private func composites(of attribute: ManagedAttribute) -> [ManagedAttribute] {
    var found: [ManagedAttribute] = []
    if let raw = attribute.rawValueElement {
      for type in Self.plainTypes where fits(type, attribute.name) {
        for isOptional in [attribute.isOptional, !attribute.isOptional] {
          found.append(ManagedAttribute(name: attribute.name, type: type, isOptional: isOptional))
        }
      }
      for type in Self.rawTypes where type != raw.type && fits(type, attribute.name) {
        found.append(.rawEnum(attribute.name, type))
      }
      return found
    }
    for index in attribute.elements.indices {
      let element = attribute.elements[index]
      for other in alternatives(of: element) {
        var changed = attribute
        changed.elements[index] = other
        found.append(changed)
      }
      if hints.columns == nil, attribute.elements.count > 1 {
        var changed = attribute
        changed.elements.remove(at: index)
        found.append(changed)
      }
    }
    return found
  }

  private func modifiers(but own: String?) -> [String?] {
    ([nil] + hints.modifiers.sorted().map { $0 }).filter { $0 != own }
  }

  private func fits(_ type: AttributeType, _ name: String) -> Bool {
    guard let declared = hints.columns?.types["Z" + name.uppercased()] else { return true }
    return declared == type.columnType
  }

  private func alternatives(of relationship: ManagedRelationship) -> [ManagedRelationship] {
    var found: [ManagedRelationship] = []
    func add(_ change: (inout ManagedRelationship) -> Void) {
      var other = relationship
      change(&other)
      found.append(other)
    }
    add { $0.isOptional.toggle() }
    for isOptional in [relationship.isOptional, !relationship.isOptional] {
      add {
        $0.isToMany.toggle()
        $0.isOptional = isOptional
        $0.minimumCount = 0
        $0.maximumCount = $0.isToMany ? 0 : 1
      }
    }
    for inverse in inverses(of: relationship) where inverse != relationship.inverse {
      add { $0.inverse = inverse }
    }
    for destination in hints.destinations where destination != relationship.destination {
      add { $0.destination = destination }
    }
    for modifier in modifiers(but: relationship.hashModifier) { add { $0.hashModifier = modifier } }
    if relationship.isToMany {
      for count in 0...10 where count != relationship.minimumCount {
        add { $0.minimumCount = count }
      }
      for count in 0...10 where count != relationship.maximumCount {
        add { $0.maximumCount = count }
      }
    }
    return found
  }

  private func inverses(of relationship: ManagedRelationship) -> [String?] {
    let names = (hints.inverses[entity.name] ?? [])
      .filter { $0.owner == relationship.destination }.map(\.name)
    return [nil] + Set(names).sorted().map { $0 }
  }

  /// Relationships with an inverse that no version has, called as models are.
  private func guessedInverses(of part: EntityPart) -> [EntityChange] {
    guard case .relationship(var relationship) = part else { return [] }
    let known = inverses(of: relationship)
    return NameWords.relationshipNames(to: entity.name).filter { !known.contains($0) }.map {
      name -> EntityChange in
      relationship.inverse = name
      return EntityChange(.set(.relationship(relationship)), rank: 1)
    }
  }

  private func renames(of part: EntityPart) -> [EntityChange] {
    let own = Set(entity.parts.map(\.name))
    return hints.names.subtracting(own).sorted()
      .map { EntityChange(.rename(part.name, to: $0)) }
  }

  private var constraints: [EntityChange] {
    var found = entity.uniqueness.map { EntityChange(.removeUnique($0)) }
    let names = entity.parts.map(\.name)
    found += names.filter { !entity.uniqueness.contains([$0]) }.map {
      EntityChange(.addUnique([$0]))
    }
    for one in names {
      for other in names where one != other && !entity.uniqueness.contains([one, other]) {
        found.append(EntityChange(.addUnique([one, other])))
      }
    }
    return found
  }

  // MARK: What is in the store only

  /// Properties that may have been there, without a column that says so.
  private var additions: [EntityChange] {
    let own = Set(entity.parts.map(\.name))
    var changes: [EntityChange] = []
    for part in hints.parts where !own.contains(part.name) {
      if hints.columns == nil || part.columns.isEmpty {
        changes.append(EntityChange(.set(part)))
        for other in alternatives(of: part) { changes.append(EntityChange(.set(other), rank: 1)) }
      }
    }
    for link in hints.columns?.links ?? [] { changes += toManys(link, own) }
    return changes
  }

  private func toManys(_ link: EntityHints.Link, _ own: Set<String>) -> [EntityChange] {
    let guesses = NameWords.relationshipNames(to: link.destination)
    let names =
      link.name.map { hints.spellings(of: $0).filter { $0.rank < 2 }.map(\.name) } ?? guesses
    let rank = link.name == nil ? 1 : 0
    let inverses =
      link.inverse.map { hints.spellings(of: $0).filter { $0.rank < 2 }.map { $0.name as String? } }
      ?? [nil]
    return names.filter { !own.contains($0) }.flatMap { name in
      inverses.flatMap { inverse in
        [false, true].map { isOptional in
          EntityChange(
            .set(
              .relationship(
                ManagedRelationship(
                  name: name, destination: link.destination, inverse: inverse, isToMany: true,
                  isOptional: isOptional))), rank: rank)
        }
      }
    }
  }

  // MARK: What tables decide

  /// For each thing that the store's table has otherwise, the changes that would explain it.
  var forced: [[EntityChange]] {
    guard let columns = hints.columns else { return [] }
    var slots: [[EntityChange]] = []
    var known: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    var removed: [EntityPart] = []
    for part in entity.parts {
      let own = part.columns
      known.formUnion(own.map(\.name))
      let missing = own.filter { columns.types[$0.name] == nil }
      if !missing.isEmpty {
        if missing.count == own.count { removed.append(part) }
        slots.append([without(missing.map(\.name), part)])
      } else if own.contains(where: { columns.types[$0.name] != $0.type }) {
        // A number that was migrated may keep its column: then nothing has changed.
        slots.append([EntityChange()] + retyped(part, columns))
      }
    }
    for (column, type) in columns.types.sorted(by: { $0.key < $1.key })
    where !known.contains(column) {
      let capitals = String(column.dropFirst())
      // Of a to-many relationship without an inverse, which others have.
      guard let first = capitals.unicodeScalars.first, !("0"..."9").contains(first), first != "_"
      else { continue }
      slots.append(added(capitals, type, removed))
    }
    let constraints = Set(columns.uniques)
    var own = Set<[String]>()
    for names in entity.uniqueness {
      own.insert(
        names.flatMap { name in
          entity.parts.first { $0.name == name }?.columns.map(\.name) ?? []
        })
    }
    if constraints != own { slots.append([EntityChange(.uniqueColumns(columns.uniques))]) }
    return slots
  }

  /// A property without some of its columns.
  private func without(_ missing: [String], _ part: EntityPart) -> EntityChange {
    guard case .attribute(var attribute) = part, attribute.type == .composite,
      missing.count < part.columns.count
    else { return EntityChange(.remove(part.name)) }
    attribute.elements.removeAll { missing.contains("Z" + $0.name.uppercased()) }
    return EntityChange(.set(.attribute(attribute)))
  }

  private func retyped(_ part: EntityPart, _ columns: EntityHints.Columns) -> [EntityChange] {
    guard part.columns.count == 1, let type = columns.types["Z" + part.name.uppercased()] else {
      return []
    }
    return parts(called: part.name, of: type).map { EntityChange(.set($0.part), rank: $0.rank) }
  }

  /// What a column that the version does not have may be.
  private func added(
    _ capitals: String, _ type: String, _ removed: [EntityPart]
  ) -> [EntityChange] {
    var changes: [EntityChange] = []
    // A to-many relationship may have been a to-one.
    let own = Set(entity.parts.filter { !$0.columns.isEmpty }.map(\.name))
    for part in hints.parts
    where part.columns.count == 1 && part.columns[0] == ("Z" + capitals, type)
      && !own.contains(part.name)
    {
      changes.append(EntityChange(.set(part)))
    }
    for (name, rank) in hints.spellings(of: capitals) where !own.contains(name) {
      // One that is gone, under another name.
      for part in removed where part.columns.count == 1 && part.columns[0].type == type {
        changes.append(EntityChange(.set(part.named(name)), rank: rank))
      }
      for (part, further) in parts(called: name, of: type)
      where rank + further <= (further == 0 ? 3 : 2) {
        changes.append(EntityChange(.set(part), rank: rank + further))
      }
      for case .attribute(var attribute) in entity.parts
      where attribute.type == .composite && attribute.rawValueElement == nil {
        let elements = attribute.elements
        for case (.attribute(let leaf), let further) in parts(called: name, of: type)
        where leaf.type != .composite && rank + further <= 1 {
          attribute.elements = elements + [leaf]
          changes.append(EntityChange(.set(.attribute(attribute)), rank: rank + further))
        }
      }
    }
    return changes
  }

  /// Properties with one column of a type, each with how unlikely it is.
  private func parts(called name: String, of type: String) -> [(part: EntityPart, rank: Int)] {
    // As Swift has them most often.
    let common: [AttributeType] = [.string, .integer64, .boolean, .double, .date, .binary, .uuid]
    var found: [(part: EntityPart, rank: Int)] = []
    for plain in common + Self.plainTypes.filter({ !common.contains($0) })
    where plain.columnType == type {
      for isOptional in [true, false] {
        var attribute = ManagedAttribute(name: name, type: plain, isOptional: isOptional)
        found.append((.attribute(attribute), common.contains(plain) ? 0 : 1))
        if plain == .binary {
          attribute.isExternal = true
          found.append((.attribute(attribute), 1))
        }
      }
    }
    for raw in Self.rawTypes where raw.columnType == type {
      found.append((.attribute(.rawEnum(name, raw)), raw == .string || raw == .integer64 ? 0 : 1))
    }
    guard type == "INTEGER" else { return found }
    for destination in hints.destinations {
      let back = (hints.inverses[entity.name] ?? []).filter { $0.owner == destination }
      for inverse in [nil] + Set(back.map(\.name)).sorted().map({ $0 as String? }) {
        for isOptional in [true, false] {
          found.append(
            (
              .relationship(
                ManagedRelationship(
                  name: name, destination: destination, inverse: inverse, isToMany: false,
                  isOptional: isOptional, maximumCount: 1)), 1
            ))
        }
      }
    }
    return found
  }
}
