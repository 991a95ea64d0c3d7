/// One stored property of a model: an attribute or a relationship.
package struct Property: Equatable, Sendable {
  package indirect enum Kind: Equatable, Sendable {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  package var name: String
  package var documentation: String?
  package var kind: Kind
  /// Whether it is `@Transient`: its value is only in memory.
  package var isTransient = false
  /// The name that the property has in stores from before the first manifest.
  package var originalName: String?
  /// A string that changes the version's hash and nothing else.
  package var hashModifier: String?
  /// The initialiser's default argument, which does not affect the store.
  package var initializerDefault: SwiftExpression?
  package var mapping = EntityMapping()
  /// What belongs only to the step from the previous version.
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

  /// The property's type as its declaration writes it, models unqualified: `[HabitModel]`, `String?`.
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
  /// `@Attribute`'s options that take no argument, named as SwiftData names them.
  package enum Option: String, Hashable, Sendable, CaseIterable, Comparable {
    case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
    case spotlight, codable

    package static func < (lhs: Option, rhs: Option) -> Bool {
      allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
    }
  }

  package var type: TypeReference
  /// The default at the property. Old rows get it if the property is new.
  package var defaultValue: SwiftExpression?
  package var options: Set<Option> = []
  /// The value transformer's name of `.transformable(by:)`.
  package var transformer: String?
  /// The type that is stored as JSON in a `Data` or `String` property.
  package var encodes: TypeReference?
  /// The value to use if the JSON is empty or cannot be decoded.
  package var fallback: SwiftExpression?
  /// What happens to duplicate rows if `unique` is new.
  package var dedupe: Dedupe?
  /// The enum that stores the values instead of the declared type, in versions with cases that the type no longer has.
  /// Analysis sets it; manifests do not contain it.
  package var former: String?

  /// The type that the app uses: the encoded type, if there is one.
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
    /// The value itself. For a relationship, the entities at its other end.
    case value
    /// The `id`s of the models at a relationship's other end.
    case identifiers
    /// Not in the entity.
    case omit
  }

  /// Its name in the entity; nil if that is the property's own.
  package var name: String?
  package var form = Form.value
  /// The sort keys of a to-many relationship, the most significant first. They are properties of the destination.
  package var sortedBy: [Located<String>] = []
}

/// How a property's values come from the previous version.
package struct PropertyMigration: Equatable, Sendable {
  /// The property's former name: the values stay the same.
  package var renamedFrom: Located<String>?
  /// The properties whose values `convert` takes as `$0`, `$1`, …
  package var from: [Located<String>] = []
  package var convert: Located<Conversion>?
  /// For each property of `from`, in order, how `fromEntity(_:)` of older versions restores its value from `$0`.
  package var revert: [Reversion] = []
  /// The value for rows that have none.
  package var fill: Located<Conversion>?

  package var isEmpty: Bool { self == PropertyMigration() }
}

/// How one value is made from others.
package enum Conversion: Hashable, Sendable {
  case expression(SwiftExpression)
  /// A function in the user file of the step, which the app writes.
  case function(String)
}

/// How `fromEntity(_:)` of older versions restores a value of the previous version.
package struct Reversion: Equatable, Sendable {
  package var conversion: Located<Conversion>
  /// The properties whose values it takes as `$0`, `$1`, …; none if it takes the value of its own property.
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
  /// Whether it is in the store: an ephemeral property is transient to Core Data
  /// (docs/facts/identity.md#ephemeral-is-transient).
  package var isStored: Bool { !isTransient && attribute?.options.contains(.ephemeral) != true }
}

extension Property {
  /// The value in a new row if it is not set; nil if a value is required.
  package var initialValue: SwiftExpression? {
    if let value = attribute?.defaultValue { return value }
    if relationship?.cardinality == .many { return .name("[]") }
    return type.isOptional ? .name("nil") : nil
  }

  /// What the generated initialiser uses if no argument is given; nil if one is required.
  package var initializerValue: SwiftExpression? { initializerDefault ?? initialValue }
}

extension Property {
  /// Whether it has the `unique` option itself.
  package var isUnique: Bool {
    attribute?.options.contains(.unique) ?? relationship?.isUnique ?? false
  }

  /// Whether every row has a value and values can be ordered.
  package var isSortable: Bool {
    guard isStored, let attribute, attribute.encodes == nil, attribute.transformer == nil else {
      return false
    }
    return StorageType.Primitive.bySwiftName[attribute.type.description]?.row.hasOrder ?? false
  }
}
