internal import Foundation
package import ManagedModels
package import SchemaModel
package import StoreFormat

/// Creates the version of a store that an app has shipped without a manifest.
package enum StoreSchema {
  /// A version, and what the store does not show about it.
  package struct Version: Sendable {
    package var version: SchemaVersion
    package var notes: [Note]
  }

  /// A fact that a store does not show.
  package struct Note: Hashable, Sendable, CustomStringConvertible {
    package var element: ElementPath
    /// A clause that follows the element: `is an enum of String: …`.
    package var clause: String

    package var description: String { "'\(element)' \(clause)" }
  }

  /// The version of a model, with its models and properties by name.
  ///
  /// The names of enums and structs are derived from model and property, and everything that a store does not keep is
  /// in the notes. Nil if the store has no model cache, because its tables have only upper-case names.
  ///
  /// - Parameter number: The version's number; nil for the number in the store's metadata, or 1.
  package static func version(
    of facts: StoreFacts, number: VersionNumber? = nil, rawValues: RawValues = RawValues()
  ) -> Version? {
    guard let model = facts.model else { return nil }
    let named = facts.versionIdentifiers.lazy.compactMap { VersionNumber($0) }.first
    return version(
      of: model, number: number ?? named, rawValues: rawValues)
  }

  package static func version(
    of model: ManagedModel, number: VersionNumber? = nil, rawValues: RawValues = RawValues(),
    transformers: [ElementPath: Transformer] = [:]
  ) -> Version {
    var writer = VersionWriter(model, rawValues: rawValues, transformers: transformers)
    let entities = model.entities.sorted { $0.name < $1.name }
    var version = SchemaVersion(
      number: number ?? VersionNumber(model.versionIdentifier) ?? VersionNumber(1))
    version.models = entities.map { writer.model($0) }
    version.types = writer.types
    // The app's classes wrote the store and determine the hashes.
    version.identity = .shipped
    return Version(version: version, notes: writer.notes)
  }
}

extension StoreSchema {
  /// A value transformer, and the class of its values.
  package struct Transformer: Hashable, Sendable {
    package var name: String
    package var className: String
  }
}

private struct VersionWriter {
  private(set) var types: [ValueTypeDeclaration] = []
  private(set) var notes: [StoreSchema.Note] = []
  private let entities: [String: ManagedEntity]
  private var taken: Set<String>
  /// Relationships whose inverse is declared at the other end.
  private var declared: Set<ElementPath> = []

  private let rawValues: RawValues
  private let transformers: [ElementPath: StoreSchema.Transformer]

  init(
    _ model: ManagedModel, rawValues: RawValues,
    transformers: [ElementPath: StoreSchema.Transformer]
  ) {
    self.rawValues = rawValues
    self.transformers = transformers
    entities = model.entitiesByName
    taken = Set(entities.keys).union(SwiftIdentifier.reservedTypeNames)
  }

  mutating func model(_ entity: ManagedEntity) -> Model {
    note(ifNoName: entity.name, [entity.name])
    var properties: [Property] = []
    let singles = Set(entity.uniqueness.filter { $0.count == 1 }.map { $0[0] })
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      properties.append(
        property(attribute, of: entity.name, isUnique: singles.contains(attribute.name)))
    }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      properties.append(
        property(relationship, of: entity.name, isUnique: singles.contains(relationship.name)))
    }
    let names = Set(properties.map(\.name))
    return Model(
      name: entity.name, superclass: entity.superentity.map { Located($0) }, properties: properties,
      uniques: entity.uniqueness.filter { $0.count > 1 || !names.contains($0[0]) }.map {
        UniqueConstraint(properties: $0.map { Located($0) })
      },
      indexes: entity.indexes.map {
        Index(kind: $0.isRTree ? .rtree : .binary, properties: $0.properties.map { Located($0) })
      })
  }

  /// Adds a note. A note on a struct's field names the property that contains the field.
  ///
  /// - Parameter path: The names of the entity, its property and the nested fields.
  private mutating func note(_ path: [String], _ clause: String) {
    let element = ElementPath(path[0], path.count > 1 ? path[1] : nil)
    notes.append(StoreSchema.Note(element: element, clause: clause))
  }

  private mutating func note(ifNoName name: String, _ path: [String]) {
    if !SwiftIdentifier.isValid(name) {
      note(path, "is not a valid name in Swift: its class has another name")
    }
  }

  // MARK: Attributes

  private mutating func property(
    _ attribute: ManagedAttribute, of owner: String, isUnique: Bool
  ) -> Property {
    let path = [owner, attribute.name]
    note(ifNoName: attribute.name, path)
    var found = Attribute(type: type(of: attribute, path))
    found.transformer = transformers[ElementPath(owner, attribute.name)]?.name
    if attribute.isOptional { found.type = found.type.optionalized }
    if isUnique { found.options.insert(.unique) }
    if attribute.isExternal { found.options.insert(.externalStorage) }
    if attribute.isPreservedOnDeletion { found.options.insert(.preserveValueOnDeletion) }
    if let value = attribute.defaultValue {
      found.defaultValue = expression(value, attribute, path)
    }
    return Property(
      name: attribute.name, kind: .attribute(found), originalName: attribute.originalName,
      hashModifier: attribute.hashModifier)
  }

  private mutating func type(of attribute: ManagedAttribute, _ path: [String]) -> TypeReference {
    switch attribute.type {
    case .transformable:
      if let transformer = transformers[ElementPath(path[0], path.last)] {
        if !types.contains(where: { $0.name == transformer.className }) {
          types.append(
            ValueTypeDeclaration(name: transformer.className, kind: .opaque, isOwn: true))
        }
        return .named(transformer.className)
      }
      note(
        path,
        "is an archived value: '[String]' without a transformer is a guess"
      )
      return .array(.named("String"))
    case .composite: return composite(attribute, path)
    case .undefined:
      note(path, "has no type in Core Data's model: 'Data' is a guess")
      return .named("Data")
    default: return .named(attribute.type.row.swift)
    }
  }

  private mutating func composite(_ attribute: ManagedAttribute, _ path: [String]) -> TypeReference
  {
    let name = typeName(path)
    let kind: ValueTypeDeclaration.Kind
    if let raw = attribute.rawType {
      let (cases, clause) = EnumCases.suggested(for: rawValues[path], raw)
      note(
        path, "is an enum of \(raw.row.swift): its name is made up; \(clause)")
      kind = .enumeration(rawType: .named(raw.row.swift), cases: cases)
    } else if attribute.elements.isEmpty {
      note(path, "is a type whose columns the store does not show; its name is made up")
      kind = .opaque
    } else {
      // All columns of an optional value are optional, even if the fields of its type are not
      // (docs/facts/identity.md#leaf-optionality).
      note(
        path,
        "is a struct, or an enum without raw values; its name is made up"
          + (attribute.isOptional ? ", and its fields are optional here" : ""))
      var fields: [StructField] = []
      for element in attribute.elements.sorted(by: { $0.name < $1.name }) {
        let type = type(of: element, path + [element.name])
        fields.append(
          StructField(name: element.name, type: element.isOptional ? type.optionalized : type))
      }
      kind = .structure(fields: fields)
    }
    types.append(ValueTypeDeclaration(name: name, kind: kind, isOwn: true))
    return .named(name)
  }

  /// A name for a type: `TripStatus` for `Trip.status`, with a number if the name is taken.
  private mutating func typeName(_ path: [String]) -> String {
    let base = path.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    var name = base
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(base)\(number)"
      number += 1
    }
    return name
  }

  /// A default as Swift source. A default without a literal becomes a note.
  private mutating func expression(
    _ value: StoredValue, _ attribute: ManagedAttribute, _ path: [String]
  ) -> SwiftExpression? {
    var text: String?
    switch (value, attribute.type) {
    case (.null, _): return nil
    case (.text(let string), .string): text = Self.literal(string)
    case (.text(let number), .decimal), (.text(let number), .double), (.text(let number), .float):
      text = Double(number) == nil ? nil : number
    case (.integer(let number), .boolean): text = number == 0 ? "false" : "true"
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64), (.integer(let number), .decimal):
      text = "\(number)"
    case (.real(let number), .double), (.real(let number), .float), (.real(let number), .decimal):
      text = number.isFinite ? "\(number)" : nil
    case (.real(let seconds), .date):
      text = seconds.isFinite ? "Date(timeIntervalSinceReferenceDate: \(seconds))" : nil
      note(path, "has a date for its default; the app's code may write it as an expression")
    case (.blob(let data), .binary) where data.isEmpty: text = "Data()"
    default: break
    }
    if let text, let expression = try? SwiftExpression(text) { return expression }
    note(path, "has a default that no literal expresses")
    return nil
  }

  /// A string as a Swift literal; nil if some characters would need numeric escapes.
  private static func literal(_ text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ !$0.isHidden }) else { return nil }
    return EnumCases.literal(text)
  }

  // MARK: Relationships

  private mutating func property(
    _ relationship: ManagedRelationship, of owner: String, isUnique: Bool
  ) -> Property {
    note(ifNoName: relationship.name, [owner, relationship.name])
    var found = Relationship(
      destination: Located(relationship.destination),
      cardinality: Relationship.Cardinality(
        isMany: relationship.isToMany, isOptional: relationship.isOptional),
      inverse: relationship.inverse.map { Located($0) })
    found.deleteRule =
      Relationship.DeleteRule(rawValue: relationship.deleteRule.rawValue) ?? .nullify
    found.isUnique = isUnique
    found.minimum = relationship.minimumCount == 0 ? nil : relationship.minimumCount
    // Core Data writes "to one" as a maximum of 1, and no bound as 0. Manifests have no negative bounds, so the
    // comparison with the store reports them.
    if relationship.isToMany, relationship.maximumCount > 0 {
      found.maximum = relationship.maximumCount
    }
    if let inverse = relationship.inverse {
      // One end declares the inverse: the to-many end, as people write it, or the first of two equal ends.
      let other = entities[relationship.destination]?.relationships.first { $0.name == inverse }
      let end = ElementPath(owner, relationship.name)
      let otherEnd = ElementPath(relationship.destination, inverse)
      let isSides = relationship.isToMany || other?.isToMany != true
      if !declared.contains(otherEnd), isSides || end == otherEnd {
        found.declaresInverse = true
        declared.insert(end)
      }
    }
    return Property(
      name: relationship.name, kind: .relationship(found),
      originalName: relationship.originalName, hashModifier: relationship.hashModifier,
      mapping: EntityMapping(form: .omit))
  }
}
