internal import SchemaModel

extension NodeInterpreter {
  mutating func valueTypes(_ entry: YAMLEntry) -> [ValueTypeDeclaration] {
    entries(of: entry).compactMap { entry in
      reading(entry.key) { interpreter in
        let type = interpreter.valueType(entry)
        if type == nil { interpreter.references.unread.insert(entry.key) }
        return type
      }
    }
  }

  private mutating func valueType(_ entry: YAMLEntry) -> ValueTypeDeclaration? {
    guard let keys = mapping(entry, by: ValueTypeKey.self, named: "a type") else { return nil }
    let appName = appName(keys[.own])
    let isOwn = appName != nil || boolean(keys[.own]) || keys.has(.opaque)
    // An app's own type may be nested: `Habits.Kind`.
    let isApples =
      keys.has(.opaque) && SwiftIdentifier.transformableTypeNames.contains(entry.key)
    if !isApples {
      _ =
        isOwn
        ? isPath(entry.key, at: entry.keyLocation)
        : isName(entry.key, at: entry.keyLocation, as: .type)
    }
    let documentation = keys[.doc].flatMap { words($0, breaks: true) }
    guard let kind = valueTypeKind(keys) else { return nil }
    var type = ValueTypeDeclaration(
      name: entry.key, documentation: documentation, kind: kind, isOwn: isOwn,
      location: entry.keyLocation)
    type.appName = appName
    type.coding = keys[.coding].flatMap { text($0)?.text }
    return type
  }

  /// The app's name for the type; nil if `own:` is a boolean.
  private mutating func appName(_ entry: YAMLEntry?) -> String? {
    guard let entry, let name = entry.value.scalar?.text, name.contains(".") else { return nil }
    return isPath(name, at: entry.value.location) ? name : nil
  }

  /// Reports each part of a dotted name that cannot be a type's name.
  private mutating func isPath(_ name: String, at location: SourceLocation) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      isName(String($0), at: location, as: .type)
    }
  }

  private mutating func valueTypeKind(
    _ keys: KeyedMapping<ValueTypeKey>
  ) -> ValueTypeDeclaration.Kind? {
    if let kind = keys[.enum] { return enumeration(kind, keys[.cases]) }
    if let kind = keys[.struct] { return structure(kind) }
    guard let kind = keys[.opaque] else { return nil }
    guard boolean(kind) else {
      if kind.value.scalar?.text == "false" {
        report(
          .wrongValue, "'opaque' can only be true", at: kind.value.location,
          help: ["declare the type with 'enum:' or 'struct:'"])
      }
      return nil
    }
    return .opaque
  }

  private mutating func structure(_ entry: YAMLEntry) -> ValueTypeDeclaration.Kind? {
    guard let entries = entries(of: pointed(entry), named: "'struct'") else { return nil }
    if entries.isEmpty {
      report(.wrongValue, "a struct needs at least one property", at: entry.keyLocation)
    }
    return .structure(
      fields: entries.compactMap { entry in reading(entry.key) { $0.field(entry) } })
  }

  private mutating func field(_ entry: YAMLEntry) -> StructField? {
    _ = isName(entry.key, at: entry.keyLocation, as: .field)
    let help = ["write '\(entry.key): String'; an array type needs quotes"]
    guard let source = text(entry, help: help) else { return nil }
    let (typeSource, defaultSource) = source.typeAndDefault
    guard let type = type(typeSource) else { return nil }
    let value = defaultSource.flatMap { source in
      // A struct's stored property provides the type, so `.current` is allowed here.
      let value = expression(source, named: "a default")
      if let value { reportLiteral(value, source, key: "default", type: type) }
      return value
    }
    return StructField(
      name: entry.key, type: type, defaultValue: value, location: entry.keyLocation)
  }
}
