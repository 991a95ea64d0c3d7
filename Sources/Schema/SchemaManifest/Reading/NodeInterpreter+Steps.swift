internal import SchemaModel

extension NodeInterpreter {
  static let mostSources = 10

  mutating func migration(
    _ keys: KeyedMapping<PropertyKey>, of model: String, type: TypeReference?
  ) -> PropertyMigration {
    guard keys.hasAny(of: PropertyKey.table.marks[.step] ?? []) else { return PropertyMigration() }
    var migration = PropertyMigration()
    migration.renamedFrom = keys[.renamedFrom].flatMap { reference($0) }
    migration.from = keys[.from].map { references($0) } ?? []
    if let from = keys[.from] {
      if migration.from.count > Self.mostSources {
        report(
          .wrongValue, "'from' names more than \(Self.mostSources) properties",
          at: from.value.location, help: ["values are called '$0' to '$9'"])
        migration.from.removeLast(migration.from.count - Self.mostSources)
      }
    }
    // If 'from' cannot be read, the number of values is unknown.
    let values = migration.from.isEmpty ? Self.mostSources : migration.from.count
    migration.convert = keys[.convert].flatMap { conversion($0, taking: values) }
    if let convert = migration.convert, let entry = keys[.convert] {
      reportLiteral(convert, entry, type: type)
    }
    if migration.from.count > 1, !keys.has(.convert), let from = keys[.from] {
      report(
        .missingKey,
        "'convert' is missing: it makes one value from the \(migration.from.count) properties in 'from'",
        at: from.keyLocation)
    }
    migration.revert = keys[.revert].map { reverts($0, to: migration.from, of: model) } ?? []
    migration.fill = keys[.fill].flatMap { fill($0, type: type) }
    return migration
  }

  private mutating func fill(_ entry: YAMLEntry, type: TypeReference?) -> Located<Conversion>? {
    guard let fill = conversion(entry) else { return nil }
    if case .expression(let expression) = fill.value, let scalar = entry.value.scalar {
      reportUnqualified(
        expression, SourceText(scalar, at: entry.value.location), type: type)
    }
    reportLiteral(fill, entry, type: type)
    return fill
  }

  private mutating func reportLiteral(
    _ conversion: Located<Conversion>, _ entry: YAMLEntry, type: TypeReference?
  ) {
    guard case .expression(let expression) = conversion.value, let scalar = entry.value.scalar
    else { return }
    reportLiteral(
      expression, SourceText(scalar, at: entry.value.location), key: entry.key, type: type)
  }

  /// Reads `revert:`. It has one expression, or a mapping with one for each property in `from:`.
  private mutating func reverts(
    _ entry: YAMLEntry, to sources: [Located<String>], of model: String
  ) -> [Reversion] {
    guard sources.count > 1 else { return reversion(entry, of: model).map { [$0] } ?? [] }
    let what = "'revert' with several properties in 'from'"
    guard let entries = entries(of: pointed(entry), named: what) else { return [] }
    let names = sources.map(\.value)
    for unknown in entries where !names.contains(unknown.key) {
      let meant = findings.suggestion(for: unknown.key, among: names)
      report(
        .unknownKey, "'\(unknown.key)' is not in 'from'", at: unknown.keyLocation,
        help: Suggestion.help(meant), correction: meant.map { .write($0) })
    }
    return names.compactMap { name in
      guard let own = entries.first(where: { $0.key == name }) else {
        report(.missingKey, "'revert' lacks an entry for '\(name)'", at: entry.keyLocation)
        return nil
      }
      return reversion(own, of: model)
    }
  }

  /// An expression of `$0`, or `{ from: [a, b], convert: … }` for a value made from several properties of this version.
  private mutating func reversion(_ entry: YAMLEntry, of model: String) -> Reversion? {
    let isOfSeveral =
      if case .mapping(let entries) = entry.value.content {
        entries.contains { $0.key == "from" || $0.key == "convert" }
      } else { false }
    guard isOfSeveral else { return conversion(entry, taking: 1).map { Reversion($0) } }
    guard let keys = mapping(entry, by: ReversionKey.self) else { return nil }
    reportConflict(
      keys[.function].map { [$0] } ?? [], "belongs under 'convert' here",
      help: ["write 'convert: { function: name }'"])
    guard let from = keys[.from] else { return nil }
    let names = references(from)
    for name in names { references.properties.append(.init(model: model, name: name)) }
    guard let convert = keys[.convert] else { return nil }
    return conversion(convert, taking: names.count).map { Reversion($0, from: names) }
  }
}
