/// One stored property of a model: an attribute or a relationship.
package struct Property: Equatable, Sendable {
  package indirect enum Kind: Equatable, Sendable {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  package var name: String
  package var documentation: String?
  package var kind: Kind
  package var isTransient = false
  /// The property's name in stores from before the first manifest.
  package var originalName: String?
  package var hashModifier: String?
  package var initializerDefault: SwiftExpression?
  package var mapping = EntityMapping()
  package var migration = PropertyMigration()
  @Uncompared package var location: SourceLocation? = nil

  package var attribute: Attribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  package var relationship: Relationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }

  /// The property's type as its declaration writes it, with unqualified models: `[HabitModel]`, `String?`.
  package var type: TypeReference {
    switch kind {
    case .attribute(let attribute): attribute.type
    case .relationship(let relationship): relationship.type
    }
  }

  package var entityName: String { mapping.name ?? name }
}

/// A value that a model stores: `@Attribute`.
package struct Attribute: Equatable, Sendable {
  package enum Option: String, Hashable, Sendable, CaseIterable, Comparable {
    case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
    case spotlight, codable

    package static func < (lhs: Option, rhs: Option) -> Bool {
      allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
    }
  }

  package var type: TypeReference
  /// The default at the property's declaration. Old rows get this value if the property is new.
  package var defaultValue: SwiftExpression?
  package var options: Set<Option> = []
  package var transformer: String?
  /// The type of the values that a `Data` or `String` property stores as JSON.
  package var encodes: TypeReference?
  package var fallback: SwiftExpression?
  package var dedupe: Dedupe?
  /// The enum that stores the values instead of the declared type, in versions with cases that the type no longer has.
  /// Analysis sets this property; manifests do not contain it.
  package var former: String?

  /// The type that the app uses: the encoded type if there is one, or else the declared type.
  package var valueType: TypeReference {
    guard let encodes else { return type }
    return type.isOptional && fallback == nil ? encodes.optionalized : encodes
  }

  package var storedType: TypeReference {
    guard let former else { return type }
    return type.isOptional ? .optional(.named(former)) : .named(former)
  }
}

/// A property's place in the domain entity.
package struct EntityMapping: Hashable, Sendable {
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// The value itself. For a relationship, the entities of its destination.
    case value
    /// The `id`s of a relationship's destination models.
    case identifiers
    case omit
  }

  /// The property's name in the entity; `nil` if the entity uses the model's name for it.
  package var name: String?
  package var form = Form.value
  /// The sort keys of a to-many relationship, the most significant first. They name properties of the destination.
  package var sortedBy: [Located<String>] = []
}

/// How a property's values come from the previous version.
package struct PropertyMigration: Equatable, Sendable {
  package var renamedFrom: Located<String>?
  /// The properties whose values `convert` takes as `$0`, `$1`, …
  package var from: [Located<String>] = []
  package var convert: Located<Conversion>?
  /// For each property of `from`, in order: how `fromEntity(_:)` of older versions restores the property's value.
  package var revert: [Reversion] = []
  /// The value for rows that have no value.
  package var fill: Located<Conversion>?

  package var isEmpty: Bool { self == PropertyMigration() }
}

/// How a value is made from other values.
package enum Conversion: Hashable, Sendable {
  case expression(SwiftExpression)
  case function(String)
}

/// How `fromEntity(_:)` of older versions restores a value of the previous version.
package struct Reversion: Equatable, Sendable {
  package var conversion: Located<Conversion>
  /// The properties whose values the conversion takes as `$0`, `$1`, … Empty if it takes the property to which the
  /// reversion belongs.
  package var from: [Located<String>]

  package init(_ conversion: Located<Conversion>, from: [Located<String>] = []) {
    self.conversion = conversion
    self.from = from
  }

  package var value: Conversion { conversion.value }
  package var location: SourceLocation? { conversion.location }
}

extension Property {
  package init(
    name: String, documentation: String? = nil, kind: Kind, originalName: String? = nil,
    hashModifier: String? = nil, mapping: EntityMapping = EntityMapping(),
    location: SourceLocation? = nil
  ) {
    self.init(
      name: name, documentation: documentation, kind: kind, isTransient: false,
      originalName: originalName, hashModifier: hashModifier, mapping: mapping, location: location)
  }
}

extension Attribute {
  package init(type: TypeReference, defaultValue: SwiftExpression? = nil) {
    self.init(type: type, defaultValue: defaultValue, options: [])
  }
}

extension EntityMapping {
  package init(form: Form = .value) { self.init(name: nil, form: form) }
}

extension PropertyMigration {
  package init(renamedFrom: Located<String>? = nil) {
    self.init(renamedFrom: renamedFrom, from: [])
  }
}

extension Property {
  /// Whether the store has a column for the property. Core Data treats an ephemeral property as transient
  /// (docs/facts/identity.md#ephemeral-is-transient).
  package var isStored: Bool { !isTransient && attribute?.options.contains(.ephemeral) != true }
}

extension Property {
  /// The property's value in a new row if none is given; `nil` if a value is required.
  package var initialValue: SwiftExpression? {
    if let value = attribute?.defaultValue { return value }
    if relationship?.cardinality == .many { return .name("[]") }
    return type.isOptional ? .name("nil") : nil
  }

  /// The default of the generated initialiser's argument; `nil` if an argument is required.
  package var initializerValue: SwiftExpression? { initializerDefault ?? initialValue }
}

extension Property {
  /// Whether the property itself has the `unique` option. Constraints of several properties do not count.
  package var isUnique: Bool {
    attribute?.options.contains(.unique) ?? relationship?.isUnique ?? false
  }

  /// Whether rows can be sorted by the property: every row has a value, and values have an order.
  package var isSortable: Bool {
    guard isStored, let attribute, attribute.encodes == nil, attribute.transformer == nil else {
      return false
    }
    return StorageType.Primitive.bySwiftName[attribute.type.description]?.row.hasOrder ?? false
  }
}
