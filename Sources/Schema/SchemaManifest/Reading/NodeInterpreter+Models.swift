internal import SchemaModel

extension NodeInterpreter {
  mutating func model(_ entry: YAMLEntry) -> Model? {
    reading(entry.key) { interpreter in
      _ = interpreter.isName(entry.key, at: entry.keyLocation, as: .model)
      guard let keys = interpreter.mapping(entry, by: ModelKey.self, named: "a model") else {
        interpreter.references.unread.insert(entry.key)
        return nil
      }
      return interpreter.model(entry.key, at: entry.keyLocation, keys)
    }
  }

  private mutating func model(
    _ name: String, at location: SourceLocation, _ keys: KeyedMapping<ModelKey>
  ) -> Model {
    var model = Model(name: name, location: location)
    model.documentation = keys[.doc].flatMap { words($0, breaks: true) }
    model.entity = keys[.entity].flatMap { self.name($0, as: .entity)?.value }
    model.superclass = keys[.inherits].flatMap { reference($0) }
    model.properties = keys[.properties].map { properties($0, of: name) } ?? []
    model.uniques = keys[.unique].map { uniques($0, of: name) } ?? []
    model.indexes = keys[.index].map { indexes($0, of: name) } ?? []
    if let renamedFrom = keys[.renamedFrom] {
      model.sources = reference(renamedFrom).map { [$0] } ?? []
      model.isRenamed = true
    } else {
      model.sources = keys[.from].map { references($0) } ?? []
    }
    return model
  }

  private mutating func properties(_ entry: YAMLEntry, of model: String) -> [Property] {
    let entries = entries(of: entry)
    let names = Set(entries.map(\.key))
    for entry in entries where entry.key.hasPrefix("_") {
      let other = String(entry.key.dropFirst())
      guard names.contains(other) else { continue }
      report(
        .reservedName,
        "'\(entry.key)' cannot be used together with '\(other)': @Model declares a '\(entry.key)' for '\(other)'",
        at: entry.keyLocation, help: ["rename one of the two properties"])
    }
    return entries.compactMap { entry in
      reading(entry.key) { interpreter in
        let property = interpreter.property(entry, of: model)
        if property == nil { interpreter.references.unread.insert("\(model).\(entry.key)") }
        return property
      }
    }
  }

  // MARK: Constraints and indexes

  private mutating func uniques(_ entry: YAMLEntry, of model: String) -> [UniqueConstraint] {
    constraintItems(entry).compactMap { item in
      guard case .mapping = item.content else {
        let names = propertyNames(item, in: entry.key, of: model)
        return names.isEmpty ? nil : UniqueConstraint(properties: names, location: item.location)
      }
      guard let keys = mapping(item, by: UniqueKey.self, named: "a unique constraint") else {
        return nil
      }
      guard let list = keys[.keys] else { return nil }
      let names = propertyNames(list.value, in: list.key, of: model)
      let dedupe = keys[.dedupe].flatMap { self.dedupe($0, of: model) }
      guard !names.isEmpty else { return nil }
      return UniqueConstraint(properties: names, dedupe: dedupe, location: item.location)
    }
  }

  private mutating func indexes(_ entry: YAMLEntry, of model: String) -> [Index] {
    constraintItems(entry).compactMap { item in
      guard case .mapping = item.content else {
        let names = propertyNames(item, in: entry.key, of: model)
        return names.isEmpty ? nil : Index(properties: names)
      }
      guard let keys = mapping(item, by: Index.Kind.self, named: "an index") else { return nil }
      guard let list = keys.only, let kind = Index.Kind(rawValue: list.key) else { return nil }
      let names = propertyNames(list.value, in: list.key, of: model)
      return names.isEmpty ? nil : Index(kind: kind, properties: names)
    }
  }

  /// The entries of `unique:` or `index:`. A flat list of names is reported, since it is probably a mistake.
  private mutating func constraintItems(_ entry: YAMLEntry) -> [YAMLNode] {
    let items = items(of: entry)
    guard let first = items.first, let name = first.scalar?.text else { return items }
    // Several names may mean one constraint or several.
    reportKind(
      of: first, expected: "a list of names", named: "an entry of '\(entry.key)'",
      help: ["write a list of lists: '\(entry.key): [[\(name)]]'"],
      correction: items.count == 1 ? .write("[\(name)]") : nil)
    return []
  }

  private mutating func propertyNames(
    _ node: YAMLNode, in key: String, of model: String
  ) -> [Located<String>] {
    let names = references(node, named: key)
    for name in names { references.properties.append(.init(model: model, name: name)) }
    return names
  }

  mutating func dedupe(_ entry: YAMLEntry, of model: String) -> Dedupe? {
    guard let keys = mapping(entry, by: DedupeKey.self), let choice = keys.only else { return nil }
    if keys.has(.function) { return name(choice, as: .function).map { .function($0.value) } }
    guard let property = reference(choice) else { return nil }
    references.properties.append(.init(model: model, name: property))
    return keys.has(.latest) ? .latest(by: property.value) : .earliest(by: property.value)
  }
}

extension Index.Kind: MappingKey {
  static let table = KeyTable<Self>(isChoice: true)
}
