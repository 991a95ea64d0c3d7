/// One stored property of a model: an attribute or a relationship.
///
/// A value behind one reference: properties are large, there are many, and they are copied all the time.
package struct Property: Equatable, Sendable {
  // Only a relationship is large: an attribute is one reference.
  package enum Kind: Equatable, Sendable {
    case attribute(Attribute)
    indirect case relationship(Relationship)
  }

  private struct Contents: Sendable {
    var name: String
    var documentation: String?
    var kind: Kind
    var isTransient: Bool
    var originalName: String?
    var hashModifier: String?
    var initializerDefault: SwiftExpression?
    var mapping: EntityMapping
    var migration: PropertyMigration
    var location: SourceLocation?
  }

  private var contents: CopyOnWrite<Contents>

  package init(
    name: String, documentation: String? = nil, kind: Kind, isTransient: Bool = false,
    originalName: String? = nil, hashModifier: String? = nil,
    initializerDefault: SwiftExpression? = nil,
    mapping: EntityMapping = EntityMapping(), migration: PropertyMigration = PropertyMigration(),
    location: SourceLocation? = nil
  ) {
    contents = CopyOnWrite(
      Contents(
        name: name, documentation: documentation, kind: kind, isTransient: isTransient,
        originalName: originalName, hashModifier: hashModifier,
        initializerDefault: initializerDefault, mapping: mapping, migration: migration,
        location: location))
  }

  package static func == (lhs: Property, rhs: Property) -> Bool {
    if lhs.contents.isShared(with: rhs.contents) { return true }
    return lhs.name == rhs.name && lhs.documentation == rhs.documentation && lhs.kind == rhs.kind
      && lhs.isTransient == rhs.isTransient && lhs.originalName == rhs.originalName
      && lhs.hashModifier == rhs.hashModifier
      && lhs.initializerDefault == rhs.initializerDefault && lhs.mapping == rhs.mapping
      && lhs.migration == rhs.migration
  }

  package var name: String {
    get { contents.value.name }
    set { contents.value.name = newValue }
  }

  package var documentation: String? {
    get { contents.value.documentation }
    set { contents.value.documentation = newValue }
  }

  package var kind: Kind {
    get { contents.value.kind }
    set { contents.value.kind = newValue }
  }

  /// `@Transient`: lives in memory only.
  package var isTransient: Bool {
    get { contents.value.isTransient }
    set { contents.value.isTransient = newValue }
  }

  /// The name under which stores of before the first manifest know it.
  package var originalName: String? {
    get { contents.value.originalName }
    set { contents.value.originalName = newValue }
  }

  /// Text that enters the version's checksum and nothing else.
  package var hashModifier: String? {
    get { contents.value.hashModifier }
    set { contents.value.hashModifier = newValue }
  }

  /// What the generated initialiser takes where nothing is said; no store knows of it.
  package var initializerDefault: SwiftExpression? {
    get { contents.value.initializerDefault }
    set { contents.value.initializerDefault = newValue }
  }

  /// How it appears in the domain entity.
  package var mapping: EntityMapping {
    get { contents.value.mapping }
    set { contents.value.mapping = newValue }
  }

  /// What belongs to the step from the version before, and to no other.
  package var migration: PropertyMigration {
    get { contents.value.migration }
    set { contents.value.migration = newValue }
  }

  package var location: SourceLocation? {
    get { contents.value.location }
    set { contents.value.location = newValue }
  }

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

  /// The name in the domain entity.
  package var entityName: String { mapping.name ?? name }
}

/// A value that a model stores: `@Attribute`. Behind one reference, as a property is.
package struct Attribute: Equatable, Sendable {
  /// `@Attribute`'s options that take no argument, named as SwiftData names them.
  package enum Option: String, Hashable, Sendable, CaseIterable, Comparable {
    case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
    case spotlight, codable

    package static func < (lhs: Option, rhs: Option) -> Bool {
      allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
    }
  }

  private struct Contents: Sendable {
    var type: TypeReference
    var defaultValue: SwiftExpression?
    var options: Set<Option>
    var transformer: String?
    var encodes: TypeReference?
    var fallback: SwiftExpression?
    var dedupe: Dedupe?
    var former: String?
  }

  private var contents: CopyOnWrite<Contents>

  package init(
    type: TypeReference, defaultValue: SwiftExpression? = nil, options: Set<Option> = [],
    transformer: String? = nil, encodes: TypeReference? = nil, fallback: SwiftExpression? = nil,
    dedupe: Dedupe? = nil
  ) {
    contents = CopyOnWrite(
      Contents(
        type: type, defaultValue: defaultValue, options: options, transformer: transformer,
        encodes: encodes, fallback: fallback, dedupe: dedupe))
  }

  package static func == (lhs: Attribute, rhs: Attribute) -> Bool {
    if lhs.contents.isShared(with: rhs.contents) { return true }
    // One by one: both contents as a whole would be copied first.
    return lhs.type == rhs.type && lhs.defaultValue == rhs.defaultValue
      && lhs.options == rhs.options && lhs.transformer == rhs.transformer
      && lhs.encodes == rhs.encodes && lhs.fallback == rhs.fallback && lhs.dedupe == rhs.dedupe
      && lhs.former == rhs.former
  }

  package var type: TypeReference {
    get { contents.value.type }
    set { contents.value.type = newValue }
  }

  /// The default at the property, which old rows get when the property is new.
  package var defaultValue: SwiftExpression? {
    get { contents.value.defaultValue }
    set { contents.value.defaultValue = newValue }
  }

  package var options: Set<Option> {
    get { contents.value.options }
    set { contents.value.options = newValue }
  }

  /// The value transformer's name of `.transformable(by:)`.
  package var transformer: String? {
    get { contents.value.transformer }
    set { contents.value.transformer = newValue }
  }

  /// The type whose JSON stands in a `Data` or `String` property.
  package var encodes: TypeReference? {
    get { contents.value.encodes }
    set { contents.value.encodes = newValue }
  }

  /// What reading gives where the JSON is empty or cannot be decoded.
  package var fallback: SwiftExpression? {
    get { contents.value.fallback }
    set { contents.value.fallback = newValue }
  }

  /// What becomes of rows that are alike when `unique` is new.
  package var dedupe: Dedupe? {
    get { contents.value.dedupe }
    set { contents.value.dedupe = newValue }
  }

  /// The enum that stores the values in place of the type, in versions with cases that the type no longer has. Analysis
  /// sets it; no manifest says it.
  package var former: String? {
    get { contents.value.former }
    set { contents.value.former = newValue }
  }

  /// The type of the value that the app means: what is encoded, where something is.
  package var valueType: TypeReference {
    guard let encodes else { return type }
    return type.isOptional && fallback == nil ? encodes.optionalized : encodes
  }

  /// The type that the model declares.
  package var storedType: TypeReference {
    guard let former else { return type }
    return type.isOptional ? .optional(.named(former)) : .named(former)
  }
}

/// A property's place in the domain entity.
package struct EntityMapping: Hashable, Sendable {
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// The value itself; for a relationship, the entities at its other end.
    case value
    /// For a relationship: the `id`s of the models at its other end.
    case identifiers
    /// Not in the entity.
    case omit
  }

  /// The entity's name for it; nil where it is the property's own.
  package var name: String?
  package var form: Form
  /// For a to-many relationship: the properties at its other end that say the order of the list, the first one first.
  package var sortedBy: [Located<String>]

  package init(name: String? = nil, form: Form = .value, sortedBy: [Located<String>] = []) {
    self.name = name
    self.form = form
    self.sortedBy = sortedBy
  }
}

/// How a property's values come from the version before.
///
/// Nearly every property of nearly every version says nothing of a step, and then this is one empty reference.
package struct PropertyMigration: Equatable, Sendable {
  private indirect enum Storage: Equatable, Sendable {
    case declared(Declaration)
  }

  private struct Declaration: Equatable, Sendable {
    var renamedFrom: Located<String>?
    var from: [Located<String>] = []
    var convert: Located<Conversion>?
    var revert: [Reversion] = []
    var fill: Located<Conversion>?

    var isEmpty: Bool {
      renamedFrom == nil && from.isEmpty && convert == nil && revert.isEmpty && fill == nil
    }
  }

  private var storage: Storage?

  private subscript<Value>(keyPath: WritableKeyPath<Declaration, Value>, or empty: Value) -> Value {
    get {
      guard case .declared(let declaration)? = storage else { return empty }
      return declaration[keyPath: keyPath]
    }
    set {
      var declaration = Declaration()
      if case .declared(let known)? = storage { declaration = known }
      declaration[keyPath: keyPath] = newValue
      storage = declaration.isEmpty ? nil : .declared(declaration)
    }
  }

  /// The property that this one was: same values, new name.
  package var renamedFrom: Located<String>? {
    get { self[\.renamedFrom, or: nil] }
    set { self[\.renamedFrom, or: nil] = newValue }
  }

  /// The properties whose values `convert` takes as `$0`, `$1`, …
  package var from: [Located<String>] {
    get { self[\.from, or: []] }
    set { self[\.from, or: []] = newValue }
  }

  package var convert: Located<Conversion>? {
    get { self[\.convert, or: nil] }
    set { self[\.convert, or: nil] = newValue }
  }

  /// For each property of `from`, in order, how `fromEntity(_:)` of older versions gets it back from `$0`.
  package var revert: [Reversion] {
    get { self[\.revert, or: []] }
    set { self[\.revert, or: []] = newValue }
  }

  /// The value of rows that have none.
  package var fill: Located<Conversion>? {
    get { self[\.fill, or: nil] }
    set { self[\.fill, or: nil] = newValue }
  }

  package init(
    renamedFrom: Located<String>? = nil, from: [Located<String>] = [],
    convert: Located<Conversion>? = nil, revert: [Reversion] = [],
    fill: Located<Conversion>? = nil
  ) {
    let declaration = Declaration(
      renamedFrom: renamedFrom, from: from, convert: convert, revert: revert, fill: fill)
    storage = declaration.isEmpty ? nil : .declared(declaration)
  }

  package var isEmpty: Bool { storage == nil }
}

/// How one value is made of others.
package enum Conversion: Hashable, Sendable {
  case expression(SwiftExpression)
  /// A function in the user file of the step, which the app writes.
  case function(String)
}

/// How `fromEntity(_:)` of older versions gets a value of the version before back.
package struct Reversion: Equatable, Sendable {
  package var conversion: Located<Conversion>
  /// The properties whose values it takes as `$0`, `$1`, …; none where it takes that of its own property.
  package var from: [Located<String>]

  package init(_ conversion: Located<Conversion>, from: [Located<String>] = []) {
    self.conversion = conversion
    self.from = from
  }

  package var value: Conversion { conversion.value }
  package var location: SourceLocation? { conversion.location }
}

extension Property {
  /// Whether a store has it: what is ephemeral is transient to Core Data
  /// (docs/facts/identity.md#ephemeral-is-transient).
  package var isStored: Bool { !isTransient && attribute?.options.contains(.ephemeral) != true }
}

extension Property {
  /// What a new row has where nobody sets it; nil where somebody must.
  package var initialValue: SwiftExpression? {
    if let value = attribute?.defaultValue { return value }
    if relationship?.cardinality == .many { return .name("[]") }
    return type.isOptional ? .name("nil") : nil
  }

  /// What the generated initialiser takes where nothing is said; nil where something must be.
  package var initializerValue: SwiftExpression? { initializerDefault ?? initialValue }
}

extension Property {
  /// Whether no two rows may be alike in it alone, by an option of its own.
  package var isUnique: Bool {
    attribute?.options.contains(.unique) ?? relationship?.isUnique ?? false
  }

  /// Whether every row has a value of it, of which one comes before another.
  package var isSortable: Bool {
    guard isStored, let attribute, attribute.encodes == nil, attribute.transformer == nil else {
      return false
    }
    switch StorageType.Primitive.bySwiftName[attribute.type.description] {
    case .bool, .data, .url, nil: return false
    default: return true
    }
  }
}
