package import ManagedModels
package import SchemaModel

/// A version as a store knows it: what the runtime's own reading of the version's classes comes to.
package struct VersionModel: Sendable {
  package var model: ManagedModel
  /// Attributes, as `Model.property`, whose columns a manifest does not tell: Codable types of the app's own.
  package var unspecified: Set<String>

  /// What a store gets for a default that a manifest has; nil where that cannot be read off its text.
  package typealias DefaultReader = (SwiftExpression, AttributeType) -> StoredValue?

  /// - Parameters:
  ///   - types: Declarations that the version's own do not have: a bridge's may be of either side.
  ///   - defaults: How defaults are read; without it there are none, which no identity depends on.
  package init(
    _ version: SchemaVersion, types: [ValueTypeDeclaration] = [],
    defaults: @escaping DefaultReader = { _, _ in nil }
  ) {
    let own = Set(version.types.map(\.name))
    let known = version.types + types.filter { !own.contains($0.name) }
    var reader = VersionReader(
      storage: StorageTypes(types: known),
      types: Dictionary(known, keyedBy: \.name), defaults: defaults)
    let entities = version.models.map { reader.entity($0) }
    model = ManagedModel(entities: entities, versionIdentifier: version.number.description)
    unspecified = reader.unspecified
  }

  /// Every version that the framework sees, bridges included, in order.
  package static func chain(
    of evolution: Evolution, defaults: @escaping DefaultReader = { _, _ in nil }
  ) -> [VersionModel] {
    let known = evolution.history.newestTypes.values.sorted { $0.name < $1.name }
    return evolution.chain.map { VersionModel($0.schema, types: known, defaults: defaults) }
  }
}

private struct VersionReader {
  static let deepest = 16

  let storage: StorageTypes
  let types: [String: ValueTypeDeclaration]
  let defaults: VersionModel.DefaultReader
  private(set) var unspecified: Set<String> = []

  init(
    storage: StorageTypes, types: [String: ValueTypeDeclaration],
    defaults: @escaping VersionModel.DefaultReader
  ) {
    self.storage = storage
    self.types = types
    self.defaults = defaults
  }

  mutating func entity(_ model: Model) -> ManagedEntity {
    let stored = model.properties.filter { !$0.isTransient }
    let unique = stored.filter {
      $0.attribute?.options.contains(.unique) ?? $0.relationship?.isUnique ?? false
    }
    return ManagedEntity(
      name: model.name, superentity: model.superclass?.value,
      attributes: stored.compactMap { attribute($0, of: model.name) },
      relationships: stored.compactMap(relationship),
      uniqueness: unique.map { [$0.name] } + model.uniques.map(\.names),
      indexes: model.indexes.map {
        ManagedIndex(properties: $0.names, isRTree: $0.kind == .rtree)
      })
  }

  private mutating func attribute(_ property: Property, of owner: String) -> ManagedAttribute? {
    guard let attribute = property.attribute else { return nil }
    var found = self.attribute(
      property.name, attribute.type, isTransformable: attribute.transformer != nil,
      at: "\(owner).\(property.name)")
    found.originalName = property.originalName
    found.hashModifier = property.hashModifier
    found.isExternal = attribute.options.contains(.externalStorage)
    found.isPreservedOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
    found.defaultValue = attribute.defaultValue.flatMap { defaults($0, found.type) }
    return found
  }

  private mutating func attribute(
    _ name: String, _ type: TypeReference, isTransformable: Bool = false, at place: String
  ) -> ManagedAttribute {
    var found = ManagedAttribute(name: name, type: .transformable, isOptional: type.isOptional)
    switch storage.storage(of: type, transformable: isTransformable) {
    case .primitive(let primitive): found.type = AttributeType(primitive)
    case .rawEnum(let primitive):
      found.type = .composite
      found.elements = [
        ManagedAttribute(name: "rawValue", type: AttributeType(primitive), isOptional: true)
      ]
    case .archived, .transformable: break
    case .composite:
      guard let declaration = types[type.unwrapped.description] else {
        found.type = .binary
        unspecified.insert(place)
        return found
      }
      found.type = .composite
      switch declaration.kind {
      case .opaque:
        found.type = .binary
        unspecified.insert(place)
      case .enumeration(_, let cases):
        found.elements = cases.map {
          ManagedAttribute(name: $0.name, type: .binary, isOptional: true)
        }
      case .structure(let fields):
        // A manifest may say that a struct contains itself, which no compiler would take.
        guard place.utf8.count(where: { $0 == UInt8(ascii: ".") }) < Self.deepest else {
          unspecified.insert(place)
          return found
        }
        for field in fields {
          found.elements.append(
            attribute(field.name, field.type.optionalized, at: "\(place).\(field.name)"))
        }
      }
    }
    return found
  }

  private func relationship(_ property: Property) -> ManagedRelationship? {
    guard let relationship = property.relationship else { return nil }
    return ManagedRelationship(
      name: property.name, originalName: property.originalName,
      destination: relationship.destination.value, inverse: relationship.inverse?.value,
      isToMany: relationship.cardinality.isMany,
      isOptional: relationship.cardinality != .one, minimumCount: relationship.minimum ?? 0,
      maximumCount: relationship.maximum ?? 0,
      deleteRule: ManagedRelationship.DeleteRule(relationship.deleteRule),
      hashModifier: property.hashModifier)
  }
}

extension AttributeType {
  /// How Core Data keeps a primitive.
  package init(_ primitive: StorageType.Primitive) {
    switch primitive {
    case .int16: self = .integer16
    case .int32: self = .integer32
    case .int64: self = .integer64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .bool: self = .boolean
    case .string: self = .string
    case .date: self = .date
    case .data: self = .binary
    case .uuid: self = .uuid
    case .url: self = .uri
    }
  }
}

extension ManagedRelationship.DeleteRule {
  /// The same rule, as stores have it.
  package init(_ rule: Relationship.DeleteRule) {
    switch rule {
    case .noAction: self = .noAction
    case .nullify: self = .nullify
    case .cascade: self = .cascade
    case .deny: self = .deny
    }
  }
}
