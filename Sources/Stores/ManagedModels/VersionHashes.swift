public import Foundation

/// Core Data's hashes of a version, by which Core Data recognises a store's version
/// (docs/facts/identity.md#recognised-by-hashes).
public struct VersionHashes: Hashable, Sendable {
  /// The hash of each entity, 32 bytes, by the entity's name.
  public let entities: [String: Data]

  /// Hashes from a store or a lock.
  public init(entities: [String: Data]) { self.entities = entities }

  /// Core Data's hashes of a model, except those that `hashDoubts` makes uncertain.
  public init(of model: ManagedModel) { self.init(of: model, knowing: nil) }

  /// - Parameter known: A model and its hashes. If an entity is equal in both models, its hash is reused.
  package init(of model: ManagedModel, knowing known: (model: ManagedModel, hashes: Self)?) {
    var recipe = EntityRecipe(model)
    if let known { recipe.take(known.hashes, of: known.model) }
    var entities: [String: Data] = [:]
    for name in model.entities.map(\.name) where entities[name] == nil {
      entities[name] = Data(recipe.hash(of: name))
    }
    self.entities = entities
  }

  /// `NSStoreModelVersionChecksumKey`, in base64 (docs/facts/identity.md#checksum-and-digest).
  public var checksum: String {
    var hash = SHA256()
    for (_, bytes) in sorted { hash.update(Array(bytes)) }
    return Data(hash.finalize()).base64EncodedString()
  }

  /// `NSStoreModelVersionHashesDigest`, in base64.
  public var digest: String {
    var hash = SHA512()
    for (name, bytes) in sorted {
      hash.update(name)
      hash.update(Array(bytes))
    }
    return Data(hash.finalize()).base64EncodedString()
  }

  /// The hashes in byte order of the names. (The order of `Z_ENT` ignores case.)
  private var sorted: [(key: String, value: Data)] {
    entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

/// Why the computed hash of an entity may differ from Core Data's.
public struct HashDoubt: Codable, Hashable, Sendable, Comparable {
  /// The uncertain element: `Trip.size`, or `Trip` for the entity itself.
  public var element: String
  /// The reason as a clause: "how SwiftData stores CGFloat is not known".
  public var reason: String
  /// What would settle the doubt, as a noun: "a store of an app with such a property".
  public var evidence: String

  public init(element: String, reason: String, evidence: String) {
    self.element = element
    self.reason = reason
    self.evidence = evidence
  }

  /// By element, then by reason.
  public static func < (one: HashDoubt, other: HashDoubt) -> Bool {
    (one.element, one.reason) < (other.element, other.reason)
  }

  /// The doubt as a clause.
  public var text: String { "\(element): \(reason); \(evidence) would settle it" }
}

extension ManagedModel {
  /// Core Data's hashes of the model.
  public var versionHashes: VersionHashes { VersionHashes(of: self) }

  /// Why the computed hash of an entity may differ from Core Data's, by the entity's name; sorted.
  ///
  /// Entities without doubts are left out (docs/facts/identity.md#the-hash-of-an-entity).
  public var hashDoubts: [String: [HashDoubt]] {
    let known = entitiesByName
    var doubts: [String: [HashDoubt]] = [:]
    for entity in known.values {
      let found = entity.lineage(known).flatMap(\.ownDoubts)
      if !found.isEmpty { doubts[entity.name] = Set(found).sorted() }
    }
    return doubts
  }
}

extension ManagedEntity {
  /// The entity and its ancestors, itself first. The list ends at a missing name or a cycle.
  fileprivate func lineage(_ entities: [String: ManagedEntity]) -> [ManagedEntity] {
    var lineage = [self]
    var passed: Set<String> = [name]
    while let above = lineage.last?.superentity, passed.insert(above).inserted,
      let entity = entities[above]
    {
      lineage.append(entity)
    }
    return lineage
  }

  fileprivate var ownDoubts: [HashDoubt] {
    var doubts = unknowns
    func doubt(_ property: String?, _ reason: String, _ evidence: String) {
      let element = property.map { "\(name).\($0)" } ?? name
      doubts.append(HashDoubt(element: element, reason: reason, evidence: evidence))
    }
    let isPlain =
      attributes.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
      && relationships.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
    if !isPlain {
      for property in attributes.map(\.name) + relationships.map(\.name)
      where !property.utf8.allSatisfy({ $0 < 0x80 }) {
        doubt(
          property, "its position in the sorted names is unknown",
          "a store with a name beyond ASCII")
      }
    }
    if uniqueness.count > 1 {
      doubt(
        nil, "how several uniqueness constraints are hashed is not certain",
        "a store with two constraints in one model")
    }
    // Attributes are accessed by index, since they are large and most are skipped.
    for index in attributes.indices where attributes[index].derivation == "" {
      doubt(
        attributes[index].name, "how its expression is written is not known",
        "the source of the Core Data model")
    }
    for index in attributes.indices where attributes[index].type == .composite {
      let attribute = attributes[index]
      // The order of leaves with equal names is unknown (docs/facts/identity.md#nested-composites).
      let leaves = Dictionary(grouping: attribute.leaves, by: \.name)
      if leaves.values.contains(where: { same in same.contains { $0 != same[0] } }) {
        doubt(
          attribute.name, "the order in which its equal names are hashed is unknown",
          "a store with two fields of one name in a struct")
      }
    }
    return doubts
  }
}

extension ManagedAttribute {
  /// The attributes that have columns: this attribute, or the innermost elements of a composite, which are optional if
  /// an enclosing value is.
  package var leaves: [ManagedAttribute] {
    guard type == .composite else { return [self] }
    return elements.flatMap { element in
      var element = element
      element.isOptional = element.isOptional || isOptional
      element.isPreservedOnDeletion = element.isPreservedOnDeletion || isPreservedOnDeletion
      return element.leaves
    }
  }
}

/// How Core Data hashes the entities of one model (docs/facts/identity.md#the-hash-of-an-entity).
private struct EntityRecipe {
  private let entities: [String: ManagedEntity]
  private var made: [String: [UInt8]] = [:]

  init(_ model: ManagedModel) { entities = model.entitiesByName }

  /// Reuses the hashes of entities that are equal in another model, including their ancestors.
  mutating func take(_ hashes: VersionHashes, of other: ManagedModel) {
    let same = Set(other.entities.filter { entities[$0.name] == $0 }.map(\.name))
    for (name, hash) in hashes.entities where same.contains(name) {
      guard let entity = entities[name],
        entity.superentity == nil
          || entity.lineage(entities).allSatisfy({ same.contains($0.name) })
      else { continue }
      made[name] = Array(hash)
    }
  }

  mutating func hash(of name: String) -> [UInt8] {
    guard let entity = entities[name] else { return [] }
    // Ancestors come first, since each hash includes that of the superentity.
    var above: [UInt8] = []
    let lineage = entity.lineage(entities)
    for (place, entity) in lineage.enumerated().reversed() {
      if let known = made[entity.name] {
        above = known
        continue
      }
      above = hash(of: entity, ancestors: lineage[(place + 1)...], above)
      made[entity.name] = above
    }
    return above
  }

  private func hash(
    of entity: ManagedEntity, ancestors: ArraySlice<ManagedEntity>, _ above: [UInt8]
  ) -> [UInt8] {
    EntityHashParts(entity, ancestors: ancestors, above: above).hash
  }
}

/// The parts of an entity's hash, each of which can be replaced (docs/facts/identity.md#the-hash-of-an-entity).
package struct EntityHashParts: Sendable {
  package private(set) var head: [UInt8]
  package var properties: [String: [UInt8]] = [:]
  package var tail: [UInt8]

  package init?(of name: String, in model: ManagedModel) {
    let entities = model.entitiesByName
    guard let entity = entities[name] else { return nil }
    var recipe = EntityRecipe(model)
    self.init(
      entity, ancestors: entity.lineage(entities).dropFirst(),
      above: entity.superentity.map { recipe.hash(of: $0) } ?? [])
  }

  fileprivate init(
    _ entity: ManagedEntity, ancestors: ArraySlice<ManagedEntity>, above: [UInt8]
  ) {
    head = Array(entity.name.utf8) + [entity.isAbstract ? 1 : 0] + above
    tail = Self.tail(of: entity)
    for owner in [entity] + ancestors {
      for attribute in owner.attributes where properties[attribute.name] == nil {
        properties[attribute.name] = Self.hash(of: attribute)
      }
      for relationship in owner.relationships where properties[relationship.name] == nil {
        properties[relationship.name] = Self.hash(of: relationship, declaredBy: owner.name)
      }
    }
  }

  package var hash: [UInt8] {
    var hash = SHA256()
    hash.update(head)
    for name in properties.keys.sorted(by: Self.precedes) { hash.update(properties[name] ?? []) }
    hash.update(tail)
    return hash.finalize()
  }

  package static func tail(of entity: ManagedEntity) -> [UInt8] {
    let constraints = entity.uniqueness.map { $0.joined(separator: ".") }.sorted(by: precedes)
    return Array((entity.hashModifier ?? "").utf8) + constraints.flatMap { Array($0.utf8) }
  }

  package static func hash(of attribute: ManagedAttribute) -> [UInt8] {
    if let derivation = attribute.derivation { return SHA256.hash(derivation) }
    guard attribute.type == .composite else { return hash(ofLeaf: attribute) }
    var hash = SHA256()
    // The sort is stable: equal names keep their declared order.
    let leaves = attribute.leaves.enumerated().sorted { one, other in
      one.element.name == other.element.name
        ? one.offset < other.offset : precedes(one.element.name, other.element.name)
    }
    for leaf in leaves { hash.update(Self.hash(ofLeaf: leaf.element)) }
    return hash.finalize()
  }

  private static func hash(ofLeaf attribute: ManagedAttribute) -> [UInt8] {
    var hash = SHA256()
    hash.update(base(attribute.name, attribute.isOptional, attribute.hashModifier))
    hash.update(bytes(attribute.type.rawValue))
    if attribute.isExternal { hash.update([1]) }
    if attribute.isPreservedOnDeletion { hash.update([1]) }
    return hash.finalize()
  }

  package static func hash(
    of relationship: ManagedRelationship, declaredBy owner: String
  ) -> [UInt8] {
    var hash = SHA256()
    hash.update(base(relationship.name, relationship.isOptional, relationship.hashModifier))
    hash.update(relationship.destination)
    let isOwnInverse =
      relationship.destination == owner && relationship.inverse == relationship.name
    if let inverse = relationship.inverse, !isOwnInverse { hash.update(inverse) }
    // "To one" is hashed as a maximum of 1, whatever is declared (docs/facts/identity.md#relation-counts).
    hash.update(bytes(relationship.isToMany ? relationship.maximumCount : 1))
    hash.update(bytes(relationship.minimumCount))
    if relationship.isOrdered { hash.update([1, 0]) }
    return hash.finalize()
  }

  private static func base(_ name: String, _ isOptional: Bool, _ modifier: String?) -> [UInt8] {
    var hash = SHA256()
    hash.update(name)
    hash.update([isOptional ? 1 : 0, 0])
    hash.update(modifier ?? "")
    return hash.finalize()
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { Array($0) }
  }

  package static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
