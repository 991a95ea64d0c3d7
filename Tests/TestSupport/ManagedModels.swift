internal import Foundation
package import SchemaEvolution
package import SchemaModel
package import SchemaStore

extension ManagedModel {
  /// A version as a store knows it. What stands in for the runtime's own reading of Swift types.
  package init(_ version: SchemaVersion, types: [ValueTypeDeclaration]) {
    let reader = ModelReader(storage: StorageTypes(types: types), types: types)
    self.init(
      entities: version.models.map(reader.entity), versionIdentifier: version.number.description)
  }

  /// Every version that the framework sees, bridges included.
  package static func chain(of evolution: Evolution) -> [ManagedModel] {
    var types: [String: ValueTypeDeclaration] = [:]
    for version in evolution.history {
      for type in version.types { types[type.name] = type }
    }
    return evolution.chain.map { ManagedModel($0.schema, types: Array(types.values)) }
  }
}

private struct ModelReader {
  let storage: StorageTypes
  let types: [ValueTypeDeclaration]

  func entity(_ model: Model) -> ManagedEntity {
    let stored = model.properties.filter { !$0.isTransient }
    let unique = stored.filter {
      $0.attribute?.options.contains(.unique) ?? $0.relationship?.isUnique ?? false
    }
    return ManagedEntity(
      name: model.name, superentity: model.superclass?.value,
      attributes: stored.compactMap(attribute), relationships: stored.compactMap(relationship),
      uniqueness: unique.map { [$0.name] } + model.uniques.map(\.names),
      indexes: model.indexes.map {
        ManagedIndex(properties: $0.names, isRTree: $0.kind == .rtree)
      })
  }

  private func attribute(_ property: Property) -> ManagedAttribute? {
    guard let attribute = property.attribute else { return nil }
    var found = self.attribute(
      property.name, attribute.type, isTransformable: attribute.transformer != nil)
    found.originalName = property.originalName
    found.hashModifier = property.hashModifier
    found.isExternal = attribute.options.contains(.externalStorage)
    found.isPreservedOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
    found.defaultValue = attribute.defaultValue.flatMap { value(of: $0.text, found.type) }
    return found
  }

  private func attribute(
    _ name: String, _ type: TypeReference, isTransformable: Bool = false
  ) -> ManagedAttribute {
    var found = ManagedAttribute(name: name, type: .transformable, isOptional: type.isOptional)
    switch storage.storage(of: type, transformable: isTransformable) {
    case .primitive(let primitive): found.type = Self.types[primitive]!
    case .rawEnum(let primitive):
      found.type = .composite
      found.elements = [
        ManagedAttribute(name: "rawValue", type: Self.types[primitive]!, isOptional: true)
      ]
    case .archived, .transformable: break
    case .composite:
      guard let declaration = types.first(where: { $0.name == type.unwrapped.description }) else {
        found.type = .binary
        return found
      }
      found.type = .composite
      switch declaration.kind {
      case .opaque: found.type = .binary
      case .enumeration(_, let cases):
        found.elements = cases.map {
          ManagedAttribute(name: $0.name, type: .binary, isOptional: true)
        }
      case .structure(let fields):
        found.elements = fields.map { attribute($0.name, $0.type.optionalized) }
      }
    }
    return found
  }

  private func value(of text: String, _ type: AttributeType) -> StoredValue? {
    switch type {
    case .string: text.hasPrefix("\"") ? .text(String(text.dropFirst().dropLast())) : .text(text)
    case .boolean: .integer(text == "true" ? 1 : 0)
    case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
    case .double, .float, .decimal: Double(text).map { .real($0) }
    case .date: text == "Date.distantPast" ? .real(-63_114_076_800) : .real(0)
    case .binary, .transformable: .blob(.init())
    case .uuid: .blob(.init(repeating: 7, count: 16))
    case .uri, .composite: nil
    }
  }

  private static let types: [StorageType.Primitive: AttributeType] = [
    .int16: .integer16, .int32: .integer32, .int64: .integer64, .decimal: .decimal,
    .double: .double, .float: .float, .bool: .boolean, .string: .string, .date: .date,
    .data: .binary, .uuid: .uuid, .url: .uri,
  ]

  private func relationship(_ property: Property) -> ManagedRelationship? {
    guard let relationship = property.relationship else { return nil }
    return ManagedRelationship(
      name: property.name, originalName: property.originalName,
      destination: relationship.destination.value, inverse: relationship.inverse?.value,
      isToMany: relationship.cardinality.isMany,
      isOptional: relationship.cardinality != .one, minimumCount: relationship.minimum ?? 0,
      maximumCount: relationship.maximum ?? 0, hashModifier: property.hashModifier)
  }
}
