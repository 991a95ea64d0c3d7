internal import Foundation
package import ManagedModels

/// `Z_MODELCACHE.Z_CONTENT`: raw DEFLATE of a keyed archive of the model with which the store was last opened.
///
/// It is read without `NSKeyedUnarchiver`, which would need Core Data's classes and would build whatever a file
/// contains.
struct ModelCache {
  /// Limits that a real model never reaches.
  private enum Limit {
    static let compressed = 32 << 20
    static let expanded = 64 << 20
    static let budget = 256 << 20
    static let entities = 2_000
    /// The properties of all entities, including each name in a constraint or an index.
    static let properties = 20_000
    /// The lookups of properties within a tree: entities × properties².
    static let lookups = 500_000_000
    static let depth = 64
  }

  /// The model, with entities and properties sorted by name, since the archive has the order of a hash table.
  private(set) var model = ManagedModel(entities: [], versionIdentifier: "")
  /// Parts of the cache that a `ManagedModel` cannot express, or that are invalid; sorted.
  private(set) var notes: [String] = []

  private let list: BinaryPropertyList
  private let objects: [Int]

  init(_ content: Data) throws {
    guard content.count <= Limit.compressed else { throw Self.broken("it is too large") }
    let bytes: [UInt8]
    do {
      bytes = try Inflate.expand(Array(content), limit: Limit.expanded)
    } catch {
      throw Self.broken(
        error == .tooLarge
          ? "expanded, it would have more than \(Limit.expanded >> 20) MB" : "it cannot be expanded"
      )
    }
    try self.init(archive: bytes)
  }

  /// Reads the archive itself, which is also the format of a compiled model's file, `.mom`.
  ///
  /// Throws `StoreError.notAStore` if the bytes are not a model.
  init(archive bytes: [UInt8]) throws {
    guard bytes.count <= Limit.expanded else { throw Self.broken("it is too large") }
    guard let list = BinaryPropertyList(bytes, budget: Limit.budget),
      case .dictionary(let keys, let values)? = list.value(list.root)
    else { throw Self.broken("it is not a property list") }
    let top = Self.entries(of: list, keys, values)
    guard case .array(let objects)? = top["$objects"].flatMap(list.value),
      case .dictionary(let names, let places)? = top["$top"].flatMap(list.value),
      let root = Self.entries(of: list, names, places)["root"]
    else { throw Self.broken("it is not a keyed archive") }
    self.list = list
    self.objects = objects
    guard let archived = object(root), archived["NSEntities"] != nil else {
      throw Self.broken("it has no model in it")
    }
    try read(archived)
    if list.isExhausted { throw Self.broken("it refers to itself without end") }
    notes = Set(notes).sorted()
  }

  private static func broken(_ reason: String) -> StoreError {
    StoreError(.notAStore, "the store's model cache cannot be read: \(reason)")
  }

  // MARK: The archive

  private static func entries(
    of list: BinaryPropertyList, _ keys: [Int], _ values: [Int]
  ) -> [String: Int] {
    var entries: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .text(let key)? = list.value(key) { entries[key] = value }
    }
    return entries
  }

  /// A value of the list, after following one reference of the archive; nil for `$null` and for a missing value.
  private func value(_ number: Int?) -> BinaryPropertyList.Value? {
    guard let number, let value = list.value(number) else { return nil }
    guard case .reference(let place) = value else { return value }
    guard objects.indices.contains(place), place > 0 else { return nil }
    return list.value(objects[place])
  }

  private func object(_ number: Int?) -> [String: Int]? {
    guard case .dictionary(let keys, let values)? = value(number) else { return nil }
    return Self.entries(of: list, keys, values)
  }

  private func text(_ number: Int?) -> String? {
    if case .text(let text)? = value(number) { return text }
    // A string composed by code is archived as a separate object.
    guard case .text(let text)? = value(object(number)?["NS.string"]) else { return nil }
    return text
  }

  private func integer(_ number: Int?) -> Int? {
    guard case .integer(let value)? = value(number) else { return nil }
    return Int(value)
  }

  private func isTrue(_ number: Int?) -> Bool {
    switch value(number) {
    case .boolean(let value)?: value
    case .integer(let value)?: value != 0
    default: false
    }
  }

  /// The members of an archived array, set or dictionary. Core Data's own dictionaries have them under `values`.
  private func members(_ number: Int?) -> [Int] {
    if case .array(let items)? = value(number) { return items }
    guard let object = object(number) else { return [] }
    if case .array(let items)? = value(object["NS.objects"]) { return items }
    return object["values"].map { values in
      if case .array(let items)? = value(self.object(values)?["NS.objects"]) { return items }
      return []
    } ?? []
  }

  // MARK: The model

  private mutating func read(_ archived: [String: Int]) throws {
    let identifiers = members(archived["NSVersionIdentifiers"]).compactMap(text).sorted()
    model.versionIdentifier = identifiers.joined(separator: ", ")
    let members = members(archived["NSEntities"])
    guard members.count <= Limit.entities else {
      throw Self.broken("it has \(members.count) entities")
    }
    var names: Set<String> = []
    for member in members {
      guard let entity = object(member), let name = text(entity["NSEntityName"]) else {
        throw Self.broken("an entity in it has no name")
      }
      guard names.insert(name).inserted else {
        throw Self.broken("two entities in it are called '\(name)'")
      }
      model.entities.append(try self.entity(entity, name))
    }
    model.entities.sort { $0.name < $1.name }
    try dropInherited()
    try checkSize()
  }

  /// Limits the size, since comparing and laying out take more than linear time.
  private func checkSize() throws {
    let parents = model.entitiesByName.mapValues(\.superentity)
    var trees: [String: (entities: Int, properties: Int)] = [:]
    var total = 0
    for entity in model.entities {
      var root = entity.name
      while let parent = parents[root] ?? nil { root = parent }
      let count = entity.attributes.reduce(entity.relationships.count) {
        $0 + max(1, $1.elements.count)
      }
      total += count + entity.uniqueness.joined().count
      total += entity.indexes.reduce(0) { $0 + $1.properties.count }
      trees[root, default: (0, 0)].entities += 1
      trees[root, default: (0, 0)].properties += count
    }
    let isTooLarge = trees.values.contains { tree in
      tree.entities * tree.properties * tree.properties > Limit.lookups
    }
    guard total <= Limit.properties, !isTooLarge else {
      throw Self.broken("it has more properties than any app's model")
    }
  }

  private mutating func entity(_ archived: [String: Int], _ name: String) throws -> ManagedEntity {
    var entity = ManagedEntity(
      name: name, superentity: text(object(archived["NSSuperentity"])?["NSEntityName"]))
    let properties = members(archived["NSProperties"])
    guard properties.count <= Limit.properties else {
      throw Self.broken("'\(name)' has \(properties.count) properties")
    }
    for member in properties {
      guard let archived = object(member),
        let property = self.property(
          archived, of: name, isInheriting: entity.superentity != nil)
      else {
        if let code = object(member).flatMap({ integer($0["NSAttributeType"]) }),
          AttributeType(rawValue: code) == nil
        {
          let property = object(member).flatMap { text($0["NSPropertyName"]) }
          entity.unknowns.append(
            HashDoubt(
              element: property.map { "\(name).\($0)" } ?? name,
              reason: "the attribute type \(code) is unknown",
              evidence: "the source of its model"))
        }
        continue
      }
      switch property {
      case .attribute(let attribute): entity.attributes.append(attribute)
      case .relationship(let relationship): entity.relationships.append(relationship)
      }
    }
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    if let modifier = text(archived["NSVersionHashModifier"]) {
      entity.hashModifier = modifier
      notes.append("'\(name)' has the hash modifier '\(modifier)', which SwiftData cannot set")
    }
    if isTrue(archived["NSIsAbstract"]) {
      entity.isAbstract = true
      notes.append("'\(name)' is abstract, which SwiftData's models cannot be")
    }
    entity.uniqueness = members(archived["NSUniqueTuples"]).map { tuple in
      members(tuple).compactMap { text($0) ?? text(object($0)?["NSPropertyName"]) }
    }.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    entity.indexes = members(archived["NSFetchIndexDescriptions"]).compactMap { index in
      let elements = members(object(index)?["NSIndexElements"]).compactMap(object)
      let names = elements.compactMap { text($0["NSPropertyName"]) }
      guard !names.isEmpty, names.count == elements.count else {
        notes.append("an index of '\(name)' has elements that are not properties")
        return nil
      }
      // Core Data accepts such an index but does not create it in the store.
      if let link = entity.relationships.first(where: { $0.isToMany && names.contains($0.name) }) {
        notes.append("an index of '\(name)' is over '\(link.name)', which has no column")
        return nil
      }
      return ManagedIndex(
        properties: names,
        isRTree: elements.contains { integer($0["NSFetchIndexElementType"]) == 1 })
    }
    return entity
  }

  /// Removes inherited properties: a subentity's archive may list them among its own.
  private mutating func dropInherited() throws {
    let entities = model.entitiesByName
    for index in model.entities.indices {
      var ancestor = model.entities[index].superentity
      var depth = 0
      while let name = ancestor {
        guard depth < Limit.depth, let entity = entities[name] else {
          throw Self.broken(
            "'\(model.entities[index].name)' inherits from an entity that does not exist")
        }
        let attributes = Set(entity.attributes.map(\.name))
        let relationships = Set(entity.relationships.map(\.name))
        model.entities[index].attributes.removeAll { attributes.contains($0.name) }
        model.entities[index].relationships.removeAll { relationships.contains($0.name) }
        model.entities[index].uniqueness.removeAll { entity.uniqueness.contains($0) }
        model.entities[index].indexes.removeAll { entity.indexes.contains($0) }
        ancestor = entity.superentity
        depth += 1
      }
    }
  }

  // MARK: Properties

  private enum Property {
    case attribute(ManagedAttribute)
    case relationship(ManagedRelationship)
  }

  private mutating func property(
    _ archived: [String: Int], of owner: String, isInheriting: Bool
  ) -> Property? {
    guard let name = text(archived["NSPropertyName"]) else {
      // An inherited property may be archived as a reference, and is in its ancestor's archive.
      if !isInheriting { notes.append("a property of '\(owner)' has no name") }
      return nil
    }
    let place = "\(owner).\(name)"
    // Bits of `_P` (likely: docs/facts/store-format.md#model-cache-bits).
    let bits = integer(archived["_P"]) ?? 0
    let isOptional = bits & 1 == 1 ? bits & 2 != 0 : isTrue(archived["NSIsOptional"])
    let isTransient = bits & 1 == 1 ? bits & 8 != 0 : isTrue(archived["NSIsTransient"])
    guard !isTransient else {
      notes.append("'\(place)' is transient: it is in no table")
      return nil
    }
    if archived["NSAttributeType"] != nil {
      return attribute(archived, name, place, isOptional: isOptional, depth: 0).map {
        .attribute($0)
      }
    }
    guard
      let destination = text(archived["_NSDestinationEntityName"])
        ?? text(object(archived["NSDestinationEntity"])?["NSEntityName"])
    else {
      notes.append("'\(place)' is neither an attribute nor a relationship")
      return nil
    }
    let maximum = integer(archived["NSMaxCount"]) ?? 0
    let original = text(archived["NSRenamingIdentifier"])
    let rules: [ManagedRelationship.DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    let rule = integer(archived["NSDeleteRule"]) ?? 1
    var relationship = ManagedRelationship(
      name: name, originalName: original == name ? nil : original, destination: destination,
      inverse: text(archived["_NSInverseRelationshipName"])
        ?? text(object(archived["NSInverseRelationship"])?["NSPropertyName"]),
      isToMany: maximum != 1, isOptional: isOptional,
      minimumCount: integer(archived["NSMinCount"]) ?? 0, maximumCount: maximum,
      deleteRule: rules.indices.contains(rule) ? rules[rule] : .nullify,
      hashModifier: text(archived["NSVersionHashModifier"]))
    if isTrue(archived["NSIsOrdered"]) {
      relationship.isOrdered = true
      notes.append("'\(place)' is ordered, which SwiftData's relationships cannot be")
    }
    return .relationship(relationship)
  }

  private mutating func attribute(
    _ archived: [String: Int], _ name: String, _ place: String, isOptional: Bool, depth: Int
  ) -> ManagedAttribute? {
    let code = integer(archived["NSAttributeType"]) ?? 0
    guard let type = AttributeType(rawValue: code) else {
      notes.append("'\(place)' has the unknown attribute type \(code)")
      return nil
    }
    let original = text(archived["NSRenamingIdentifier"])
    // These bits are only likely: no available store has any of them set (docs/facts/store-format.md#model-cache-bits).
    let flags = integer(archived["NSFlagsKey"]) ?? 0
    var attribute = ManagedAttribute(
      name: name, originalName: original == name ? nil : original, type: type,
      isOptional: isOptional, hashModifier: text(archived["NSVersionHashModifier"]),
      isExternal: flags & 0x04 != 0, isPreservedOnDeletion: flags & 0x10 != 0)
    attribute.defaultValue = defaultValue(archived["NSDefaultValue"], type, place)
    if archived["NSDerivationExpression"] != nil {
      attribute.derivation = derivation(object(archived["NSDerivationExpression"])) ?? ""
      notes.append("'\(place)' is derived, but SwiftData has no derived attributes")
    }
    if type == .transformable, let transformer = text(archived["NSValueTransformerName"]) {
      notes.append("'\(place)' is stored with the value transformer '\(transformer)'")
    }
    if type == .composite {
      guard depth < 4 else {
        notes.append("'\(place)' has composites that are nested too deeply to be read")
        return attribute
      }
      attribute.elements = elements(archived, place, depth: depth)
      if attribute.elements.isEmpty {
        notes.append("the columns of '\(place)' were not found")
      }
    }
    return attribute
  }

  /// The text of a function of one property or none, `count:(pages)`, `now()`; nil for other expressions, whose text is
  /// unknown.
  private func derivation(_ expression: [String: Int]?) -> String? {
    guard let expression, integer(expression["NSExpressionType"]) == 4,
      let function = text(expression["NSSelectorName"])
    else { return nil }
    if members(expression["NSArguments"]).isEmpty { return "\(function)()" }
    guard let argument = argument(expression), integer(argument["NSExpressionType"]) == 3,
      let property = self.argument(argument).flatMap({ text($0["NSKeyPath"]) })
    else { return nil }
    return "\(function)(\(property))"
  }

  private func argument(_ function: [String: Int]) -> [String: Int]? {
    let arguments = members(function["NSArguments"])
    return arguments.count == 1 ? object(arguments[0]) : nil
  }

  /// Reads a composite's elements from the first list of attributes in the archive. The list's key is unknown, since no
  /// available store has a composite.
  private mutating func elements(
    _ archived: [String: Int], _ place: String, depth: Int
  ) -> [ManagedAttribute] {
    for key in archived.keys.sorted() where key != "NSEntity" && key != "$class" {
      let parts = members(archived[key]).prefix(Limit.properties).compactMap(object)
        .filter { $0["NSAttributeType"] != nil }
      guard !parts.isEmpty else { continue }
      return parts.compactMap { part in
        guard let name = text(part["NSPropertyName"]) else { return nil }
        let isOptional = (integer(part["_P"]) ?? 3) & 2 != 0
        return attribute(
          part, name, "\(place).\(name)", isOptional: isOptional, depth: depth + 1)
      }.sorted { $0.name < $1.name }
    }
    return []
  }

  private mutating func defaultValue(
    _ number: Int?, _ type: AttributeType, _ place: String
  ) -> StoredValue? {
    switch value(number) {
    case nil: return nil
    case .text(let text)?: return .text(text)
    case .boolean(let value)?: return .integer(value ? 1 : 0)
    case .integer(let value)?:
      return type == .double || type == .float ? .real(Double(value)) : .integer(value)
    case .real(let value)?: return .real(value)
    case .date(let seconds)?: return .real(seconds)
    case .data(let range)?: return .blob(list.data(range))
    case .reference?, .array?: break
    case .dictionary?:
      let parts = object(number) ?? [:]
      if case .real(let seconds)? = value(parts["NS.time"]) { return .real(seconds) }
      if case .data(let range)? = value(parts["NS.uuidbytes"]) { return .blob(list.data(range)) }
      if case .data(let range)? = value(parts["NS.data"]) { return .blob(list.data(range)) }
      if let text = text(parts["NS.string"]) { return .text(text) }
    }
    notes.append("'\(place)' has a default that cannot be read")
    return nil
  }
}

/// A Core Data model as Xcode compiles it: a file that ends in `.mom`.
package enum CompiledModel {
  package static func read(_ bytes: [UInt8]) throws -> ManagedModel {
    try ModelCache(archive: bytes).model
  }
}
