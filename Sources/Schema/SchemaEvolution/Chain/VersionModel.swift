package import ManagedModels
package import SchemaModel

/// A version as a store knows it, equal to what SwiftData reads from the version's classes.
package struct VersionModel: Sendable {
  package var model: ManagedModel
  /// The attributes, as `Model.property`, whose columns are unknown because the app declares their Codable types.
  package var unspecified: Set<String>

  /// Returns the stored value of a default in a manifest; `nil` if the default's source does not show the value.
  package typealias DefaultReader = (SwiftExpression, AttributeType) -> StoredValue?

  let unread: Set<String>
  private let readings: [String: Reading]
  private let types: [ValueTypeDeclaration]

  package init(_ model: ManagedModel) {
    self.model = model
    unspecified = []
    unread = []
    readings = [:]
    types = []
  }

  /// - Parameters:
  ///   - types: Additional declarations. A bridge may use types of both neighbours.
  ///   - previous: A version that was read with the same defaults. Models that are equal in both versions are not read
  ///     again.
  ///   - defaults: Reads defaults. By default there are none, because identities do not depend on defaults.
  package init(
    _ version: SchemaVersion, types: [ValueTypeDeclaration] = [],
    after previous: VersionModel? = nil,
    defaults: @escaping DefaultReader = { _, _ in nil }
  ) {
    let own = Set(version.types.map(\.name))
    let known = version.types + types.filter { !own.contains($0.name) }
    var reader = VersionReader(
      storage: StorageTypes(types: known),
      types: Dictionary(known, keyedBy: \.name), defaults: defaults)
    let earlier = previous.flatMap { $0.types == known ? $0.readings : nil } ?? [:]
    var unread: Set<String> = []
    let read = version.models.map { model in
      if let reading = earlier[model.name], reading.model == model {
        unread.insert(model.name)
        return reading
      }
      return reader.reading(model)
    }
    self.unread = unread
    readings = Dictionary(read, keyedBy: \.model.name)
    self.types = known
    model = ManagedModel(
      entities: read.map(\.entity), versionIdentifier: version.number.description)
    model.joinUndeclaredInverses()
    unspecified = read.reduce(into: []) { $0.formUnion($1.unspecified) }
  }

  package static func chain(
    of evolution: Evolution, defaults: @escaping DefaultReader = { _, _ in nil }
  ) -> [VersionModel] {
    let known = evolution.types.values.sorted { $0.name < $1.name }
    return evolution.chain.map { VersionModel($0.schema, types: known, defaults: defaults) }
  }

  package static func history(of evolution: Evolution) -> [VersionModel] {
    zip(evolution.chain, chain(of: evolution)).filter { !$0.0.isBridge }.map(\.1)
  }
}

/// A model with the entity that was made from it.
private struct Reading {
  var model: Model
  var entity: ManagedEntity
  var unspecified: Set<String>
}

private struct VersionReader {
  static let deepest = 16

  let storage: StorageTypes
  let types: [String: ValueTypeDeclaration]
  let defaults: VersionModel.DefaultReader
  private var unspecified: Set<String> = []
  private var unknowns: Set<HashDoubt> = []

  init(
    storage: StorageTypes, types: [String: ValueTypeDeclaration],
    defaults: @escaping VersionModel.DefaultReader
  ) {
    self.storage = storage
    self.types = types
    self.defaults = defaults
  }

  mutating func reading(_ model: Model) -> Reading {
    let stored = model.properties.filter(\.isStored)
    let unique = stored.filter(\.isUnique)
    unknowns = []
    unspecified = []
    var entity = ManagedEntity(
      name: model.name, superentity: model.superclass?.value,
      attributes: stored.compactMap { attribute($0, of: model.name) },
      relationships: stored.compactMap { relationship($0, of: model.name) },
      uniqueness: unique.map { [$0.name] } + model.uniques.map(\.names),
      indexes: model.indexes.map {
        ManagedIndex(properties: $0.names, isRTree: $0.kind == .rtree)
      })
    if entity.superentity != nil {
      unknowns.insert(
        HashDoubt(
          element: model.name, reason: "how SwiftData hashes a subclass is unverified",
          evidence: "a store with a model that inherits from another"))
    }
    entity.unknowns = unknowns.sorted()
    return Reading(model: model, entity: entity, unspecified: unspecified)
  }

  private mutating func attribute(_ property: Property, of owner: String) -> ManagedAttribute? {
    guard let attribute = property.attribute else { return nil }
    let place = "\(owner).\(property.name)"
    var found = self.attribute(
      property.name, attribute.type, isTransformable: attribute.transformer != nil,
      isOptional: attribute.type.isOptional, at: place)
    found.originalName = property.originalName
    found.hashModifier = property.hashModifier ?? found.hashModifier
    if attribute.options.contains(.externalStorage) {
      // Types other than `Data` ignore the option (docs/facts/identity.md#external-storage-only-on-data).
      let isData = attribute.type.unwrapped.description == "Data"
      found.isExternal = isData
      if !isData {
        doubt(
          place, "'externalStorage' on an attribute that is not Data",
          "a store with 'externalStorage' on a type other than Data")
      }
    }
    found.isPreservedOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
    found.defaultValue = attribute.defaultValue.flatMap { defaults($0, found.type) }
    return found
  }

  private mutating func doubt(_ place: String, _ what: String, _ evidence: String) {
    unknowns.insert(
      HashDoubt(
        element: place, reason: "how the engine hashes \(what) is not certain",
        evidence: evidence))
  }

  private mutating func doubt(_ place: String, type: TypeReference) {
    doubt(place, "\(type.unwrapped)", "a store with a property of type \(type.unwrapped)")
  }

  private mutating func doubtEnum(_ place: String) {
    doubt(place, "an enum in a struct", "a store with an enum in a struct")
  }

  /// - Parameter isOptional: Whether the value or an enclosing value may be nil.
  private mutating func attribute(
    _ name: String, _ type: TypeReference, isTransformable: Bool = false, isOptional: Bool,
    at place: String
  ) -> ManagedAttribute {
    var found = ManagedAttribute(name: name, type: .transformable, isOptional: isOptional)
    let depth = place.utf8.count(where: { $0 == UInt8(ascii: ".") })
    switch storage.storage(of: type, transformable: isTransformable) {
    case .primitive(let primitive):
      found.type = primitive.row.attribute
      if !Self.isCertain(type.unwrapped) { doubt(place, type: type) }
    case .rawEnum(let primitive):
      if depth > 1 { doubtEnum(place) }
      if case .enumeration(let rawType?, _)? = types[type.unwrapped.description]?.kind,
        !Self.isCertain(rawType)
      {
        doubt(place, "raw values of type \(rawType)", "a store with an enum of \(rawType)")
      }
      found.type = .composite
      found.elements = [
        ManagedAttribute(name: name, type: primitive.row.attribute, isOptional: true)
      ]
    case .archived:
      if depth > 1 {
        doubt(
          place, "an array of plain values in a struct",
          "a store of each OS with an array of plain values in a struct")
      }
    case .transformable: break
    case .composite:
      guard let declaration = types[type.unwrapped.description] else {
        found.type = .binary
        if depth == 1, isCertainDictionary(type.unwrapped) { return found }
        unspecified.insert(place)
        if case .array(let element) = type.unwrapped, types[element.description] != nil, depth > 1 {
          return found
        }
        doubt(place, type: type)
        return found
      }
      found.type = .composite
      switch declaration.kind {
      case .opaque:
        found.type = .binary
        // The hash is unknown in any case. With the digest, two hashes differ if the columns differ.
        found.hashModifier = declaration.columnsDigest
        unspecified.insert(place)
        doubt(place, type: type)
      case .enumeration(_, let cases):
        if depth > 1 { doubtEnum(place) }
        found.elements = cases.map {
          ManagedAttribute(name: $0.name, type: .string, isOptional: true)
        }
      case .structure(let fields):
        // A struct in a manifest may contain itself, although no compiler accepts such a struct.
        guard depth < Self.deepest else {
          unspecified.insert(place)
          doubt(place, "a type that contains itself", "a manifest that compiles")
          return found
        }
        for field in fields {
          found.elements.append(
            attribute(
              field.name, field.type, isOptional: isOptional || field.type.isOptional,
              at: "\(place).\(field.name)"))
        }
      }
    }
    return found
  }

  private static func isCertain(_ type: TypeReference) -> Bool {
    let name = type.description
    return StorageType.Primitive.bySwiftName[name] != nil
      && !StorageType.Primitive.uncertainNames.contains(name)
  }

  /// Whether stores have shown how the dictionary is stored. They have shown this for dictionaries from strings to
  /// plain values, or to the app's structs (docs/facts/identity.md#type-dictionary).
  private func isCertainDictionary(_ type: TypeReference) -> Bool {
    guard case .dictionary(let key, let value) = type, key.description == "String" else {
      return false
    }
    if Self.isCertain(value) { return true }
    if case .structure? = types[value.description]?.kind { return true }
    return false
  }

  private mutating func relationship(
    _ property: Property, of owner: String
  ) -> ManagedRelationship? {
    guard let relationship = property.relationship else { return nil }
    if !relationship.cardinality.isMany, relationship.minimum != nil || relationship.maximum != nil
    {
      doubt(
        "\(owner).\(property.name)", "bounds of a to-one relationship",
        "a store with a to-one relationship that has bounds")
    }
    return ManagedRelationship(
      name: property.name, originalName: property.originalName,
      destination: relationship.destination.value, inverse: relationship.inverse?.value,
      isToMany: relationship.cardinality.isMany,
      isOptional: relationship.cardinality.isOptional,
      // To-one relationships ignore the bounds (docs/facts/identity.md#relation-counts).
      minimumCount: relationship.cardinality.isMany ? relationship.minimum ?? 0 : 0,
      maximumCount: relationship.cardinality.isMany ? relationship.maximum ?? 0 : 1,
      deleteRule: ManagedRelationship.DeleteRule(relationship.deleteRule),
      hashModifier: property.hashModifier)
  }
}

extension ManagedRelationship.DeleteRule {
  package init(_ rule: Relationship.DeleteRule) {
    switch rule {
    case .noAction: self = .noAction
    case .nullify: self = .nullify
    case .cascade: self = .cascade
    case .deny: self = .deny
    }
  }
}
