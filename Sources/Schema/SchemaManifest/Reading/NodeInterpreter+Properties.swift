internal import SchemaModel

extension NodeInterpreter {
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

  /// A property in its short form: `name: Type = default`.
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
    guard let keys = mapping(entry, by: PropertyKey.self, named: "a property") else {
      return nil
    }
    var attribute: Attribute?
    let kind: Property.Kind?
    if let relationship = keys[.relationship] {
      kind = self.relationship(relationship, keys).map { .relationship($0) }
    } else {
      attribute = self.attribute(keys, of: model)
      kind = attribute.map { .attribute($0) }
    }
    let isRelationship = keys.has(.relationship)
    let mapping = mapping(keys, isRelationship: isRelationship)
    let migration = migration(keys, of: model, type: attribute?.valueType)
    let documentation = keys[.doc].flatMap { words($0, breaks: true) }
    let isTransient = boolean(keys[.transient])
    let originalName = keys[.originalName].flatMap { reference($0)?.value }
    let hashModifier = keys[.hashModifier].flatMap { words($0) }
    let initializerDefault = keys[.initializer].flatMap { entry in
      code(entry).flatMap { source in
        let value = expression(source, named: "'\(entry.key)'")
        if let value {
          reportLiteral(value, source, key: entry.key, type: attribute?.valueType)
        }
        return value
      }
    }
    if isRelationship { checkLinks(entry, migration) }
    if isTransient, let attribute { checkTransient(entry, keys, attribute) }
    return kind.map { kind in
      var property = Property(
        name: entry.key, documentation: documentation, kind: kind, originalName: originalName,
        hashModifier: hashModifier, mapping: mapping, location: entry.keyLocation)
      property.isTransient = isTransient
      property.initializerDefault = initializerDefault
      property.migration = migration
      return property
    }
  }

  private mutating func mapping(
    _ keys: KeyedMapping<PropertyKey>, isRelationship: Bool
  ) -> EntityMapping {
    let name = keys[.entityProperty].flatMap { self.name($0, as: .entityProperty)?.value }
    let form = choice(keys[.inEntity], of: EntityMapping.Form.self)
    if !isRelationship, form == .identifiers, let entry = keys[.inEntity] {
      report(
        .conflictingKeys, "'inEntity: identifiers' is only for relationships",
        at: entry.value.location, help: ["write value or omit"])
    }
    let sortedBy = keys[.sortedBy].map { references($0) } ?? []
    if isRelationship, let entry = keys[.sortedBy], form ?? .omit == .omit {
      report(
        .conflictingKeys, "'sortedBy' orders a list that the entity does not have",
        at: entry.keyLocation, help: ["add 'inEntity: value' or 'inEntity: identifiers'"])
    }
    // Swift cannot compare larger tuples.
    if sortedBy.count > 6, let entry = keys[.sortedBy] {
      report(.wrongValue, "'sortedBy' names more than 6 properties", at: entry.value.location)
    }
    var mapping = EntityMapping(form: form ?? (isRelationship ? .omit : .value))
    mapping.name = name
    mapping.sortedBy = isRelationship ? sortedBy : []
    return mapping
  }

  /// Reports an expression that converts a relationship. An expression has no context, so it cannot fetch the newer
  /// version's rows.
  private mutating func checkLinks(
    _ entry: YAMLEntry, _ migration: PropertyMigration
  ) {
    guard let convert = migration.convert, case .expression = convert.value else { return }
    report(
      .wrongValue, "an expression cannot set links: it sees neither the new rows nor the context",
      at: convert.location, help: ["write 'convert: { function: \(entry.key) }'"])
  }

  private mutating func checkTransient(
    _ entry: YAMLEntry, _ keys: KeyedMapping<PropertyKey>, _ attribute: Attribute
  ) {
    if attribute.defaultValue == nil, !keys.has(.default), !attribute.type.isOptional {
      report(
        .missingKey, "a transient property needs a default or an optional type",
        at: entry.keyLocation, help: ["write 'default: …', or 'type: \(attribute.type)?'"])
    }
  }
}
