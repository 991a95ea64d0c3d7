internal import SchemaModel

enum PropertyKey: String, MappingKey {
  case type, `default`, doc
  case initializer = "init"
  case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
  case spotlight, codable, transformable, transient
  case hashModifier, originalName, encodes, fallback, entityProperty, inEntity, sortedBy
  case relationship, inverse, deleteRule, minimum, maximum
  case renamedFrom, from, convert, revert, fill, dedupe

  /// The options that take no argument, each with the key of its name.
  static let ofOptions: [(Attribute.Option, PropertyKey)] =
    Attribute.Option.allCases.compactMap { option in
      PropertyKey(rawValue: option.rawValue).map { (option, $0) }
    }
  /// Keys that a relationship cannot have.
  static let ofAttributes: [PropertyKey] = [
    .default, .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral,
    .spotlight, .codable, .transformable, .transient, .encodes, .fallback, .dedupe,
  ]
  /// Keys that only a relationship can have.
  static let ofRelationships: [PropertyKey] = [
    .inverse, .deleteRule, .minimum, .maximum, .sortedBy,
  ]
  /// Keys that say how something is stored, which `transient` is not.
  static let ofStorage: [PropertyKey] =
    [
      .unique, .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral,
      .spotlight, .codable, .transformable, .hashModifier, .originalName,
    ] + ofStep
  static let ofStep: [PropertyKey] = [.renamedFrom, .from, .convert, .revert, .fill, .dedupe]
}

extension NodeInterpreter {
  /// A property in its short or its long form; nil where its type is not known.
  mutating func property(_ entry: YAMLEntry, of model: String) -> Property? {
    _ = isName(entry.key, at: entry.keyLocation, as: .property)
    switch entry.value.content {
    case .scalar: return shortProperty(entry)
    case .mapping: return longProperty(entry, of: model)
    case .sequence(let items):
      let element = items.count == 1 ? items[0].scalar?.text : nil
      let help =
        element.map {
          "write '\(entry.key): \"[\($0)]\"', or '\(entry.key): { relationship: \"[\($0)]\" }' if '\($0)' is a model"
        } ?? "put quotes around an array type: '\(entry.key): \"[String]\"'"
      reportKind(
        of: entry.value, expected: "a type or a mapping", named: "a property", help: [help])
      return nil
    }
  }

  /// `name: Type = default`
  private mutating func shortProperty(_ entry: YAMLEntry) -> Property? {
    let help = ["write '\(entry.key): String', or a mapping with 'type:'"]
    guard let source = text(pointed(entry), named: "the property", help: help) else { return nil }
    let (typeSource, defaultSource) = source.typeAndDefault
    guard let type = type(typeSource, isAttribute: true) else { return nil }
    let value = defaultSource.flatMap { defaultValue($0, key: "default", type: type) }
    let attribute = Attribute(type: type, defaultValue: value)
    return Property(name: entry.key, kind: .attribute(attribute), location: entry.keyLocation)
  }

  private mutating func longProperty(_ entry: YAMLEntry, of model: String) -> Property? {
    guard let keys = mapping(entry.value, by: PropertyKey.self, named: "a property") else {
      return nil
    }
    var attribute: Attribute?
    let kind: Property.Kind?
    if let relationship = keys[.relationship] {
      kind = self.relationship(relationship, keys).map { .relationship($0) }
    } else {
      attribute = self.attribute(entry, keys, of: model)
      kind = attribute.map { .attribute($0) }
    }
    let isRelationship = keys.has(.relationship)
    let documentation = documentation(keys[.doc])
    let isTransient = boolean(keys[.transient])
    let originalName = keys[.originalName].flatMap { reference($0)?.value }
    let hashModifier = keys[.hashModifier].flatMap { visibleLine($0) }
    let initializerDefault = keys[.initializer].flatMap { entry in
      text(entry, help: Self.emptyStringHelp(entry.key)).flatMap { source in
        let value = expression(source, named: "'\(entry.key)'")
        if let value {
          reportLiteral(value, source, key: entry.key, type: attribute?.valueType)
        }
        return value
      }
    }
    let mapping = mapping(keys, isRelationship: isRelationship)
    let migration = migration(keys, of: model, type: attribute?.valueType)
    if isRelationship { checkLinks(entry, keys, migration) }
    if isTransient, let attribute { checkTransient(entry, keys, attribute) }
    return kind.map { kind in
      Property(
        name: entry.key, documentation: documentation, kind: kind, isTransient: isTransient,
        originalName: originalName, hashModifier: hashModifier,
        initializerDefault: initializerDefault, mapping: mapping, migration: migration,
        location: entry.keyLocation)
    }
  }

  private mutating func mapping(
    _ keys: KeyedMapping<PropertyKey>, isRelationship: Bool
  ) -> EntityMapping {
    let name = keys[.entityProperty].flatMap { self.name($0, as: .entityProperty)?.value }
    let form = choice(keys[.inEntity], of: EntityMapping.Form.self)
    if !isRelationship, form == .identifiers, let entry = keys[.inEntity] {
      report(
        .conflictingKeys, "'inEntity: identifiers' belongs to a relationship",
        at: entry.value.location, help: ["write value or omit"])
    }
    let sortedBy = keys[.sortedBy].map { references($0) } ?? []
    if isRelationship, let entry = keys[.sortedBy], form ?? .omit == .omit {
      report(
        .conflictingKeys, "'sortedBy' orders a list that the entity does not have",
        at: entry.keyLocation, help: ["add 'inEntity: value' or 'inEntity: identifiers'"])
    }
    // Swift compares tuples of no more.
    if sortedBy.count > 6, let entry = keys[.sortedBy] {
      report(.wrongValue, "'sortedBy' names more than 6 properties", at: entry.value.location)
    }
    return EntityMapping(
      name: name, form: form ?? (isRelationship ? .omit : .value),
      sortedBy: isRelationship ? sortedBy : [])
  }

  /// Rows of the newer version are found with the context, which an expression does not see.
  private mutating func checkLinks(
    _ entry: YAMLEntry, _ keys: KeyedMapping<PropertyKey>, _ migration: PropertyMigration
  ) {
    reportConflict(
      keys.written(of: [.revert]), "does not belong to a relationship",
      help: ["remove it: fromEntity(_:) leaves converted links to its caller"])
    guard let convert = migration.convert, case .expression = convert.value else { return }
    report(
      .wrongValue, "an expression cannot make links: it sees neither the new rows nor the context",
      at: convert.location, help: ["write 'convert: { function: \(entry.key) }'"])
  }

  /// Reports keys about storage on `@Transient`, which lives in memory, and a missing first value.
  private mutating func checkTransient(
    _ entry: YAMLEntry, _ keys: KeyedMapping<PropertyKey>, _ attribute: Attribute
  ) {
    reportConflict(
      keys.written(of: PropertyKey.ofStorage), "means nothing for a transient property",
      help: ["a transient property is not stored"])
    reportConflict(
      keys.written(of: [.initializer]), "means nothing for a transient property",
      help: ["the generated initialiser does not take it"])
    if attribute.defaultValue == nil, !keys.has(.default), !attribute.type.isOptional {
      report(
        .missingKey, "a transient property needs a default or an optional type",
        at: entry.keyLocation, help: ["write 'default: …', or 'type: \(attribute.type)?'"])
    }
  }
}
