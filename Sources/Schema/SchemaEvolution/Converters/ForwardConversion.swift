internal import SchemaModel

/// A value followed through versions, with a note if it is more than the value of a property or field.
struct TracedValue {
  var value: DerivedValue
  var note: ConvertedValue.Note?
}

/// `toEntity()` of one model of one version. Properties of the newest version are followed back to the model's
/// properties.
struct ForwardConversion {
  let graph: HistoryGraph
  let path: ModelPath

  private var index: Int { path.start }
  private var history: [SchemaVersion] { graph.history }

  func value(of property: Property) -> TracedValue? {
    if let relationship = property.relationship {
      return links(property, relationship)
    }
    return follow(property, level: path.models.count - 1)
  }

  private func follow(_ property: Property, level: Int) -> TracedValue? {
    if level == 0 { return TracedValue(value: .property(property)) }
    guard let attribute = property.attribute else { return nil }
    let step = graph.steps[index + level - 1]
    let migration = property.migration
    let substitute =
      migration.fill.map { step.fill($0.value) }
      ?? attribute.substitute.map(DerivedValue.expression)
    func substituted(_ note: ConvertedValue.Note) -> TracedValue? {
      let value = substitute ?? (attribute.valueType.isOptional ? .nothing : nil)
      return value.map { TracedValue(value: $0, note: note) }
    }
    switch path.origin(of: property, at: level) {
    case .made(let sources) where sources.count == migration.from.count:
      if sources.contains(where: { $0.relationship != nil }), !isReadable(migration, level: level) {
        return substituted(.unspecified(by: history[index].number))
      }
      let traced = sources.compactMap { follow($0, level: level - 1) }
      guard traced.count == sources.count else { return nil }
      guard let convert = migration.convert?.value else {
        return TracedValue(
          value: graph.layouts.value(traced[0].value, of: sources[0], as: attribute))
      }
      return TracedValue(
        value: .converted(traced.map(\.value), by: convert, step: step.name),
        note: traced.lazy.compactMap(\.note).first)
    case .continued(let was):
      guard let old = was.attribute else { break }
      guard let traced = follow(was, level: level - 1) else { return nil }
      return DerivedValue.adapting(
        traced.value, from: old.valueType, to: attribute.valueType, substitute: substitute,
        graph.layouts
      ).map { TracedValue(value: $0, note: traced.note) }
    case .made, .nothing: break
    }
    return substituted(.since(step.new.number))
  }

  /// Whether rows of the path's first model can be converted like rows of the step's older version. A conversion of
  /// linked rows uses the properties of that version, and a function uses its classes.
  private func isReadable(_ migration: PropertyMigration, level: Int) -> Bool {
    guard level == 1, case .expression? = migration.convert?.value else { return false }
    return true
  }

  func isMadeOfLinks(_ property: Property) -> Bool {
    var current = property
    for level in (1..<path.models.count).reversed() {
      switch path.origin(of: current, at: level) {
      case .continued(let was): current = was
      case .made(let sources):
        if sources.contains(where: { $0.relationship != nil }) { return true }
        guard let first = sources.first else { return false }
        current = first
      case .nothing: return false
      }
    }
    return false
  }

  private func links(_ property: Property, _ relationship: Relationship) -> TracedValue? {
    var current = property
    for level in (1..<path.models.count).reversed() {
      guard case .continued(let was) = path.origin(of: current, at: level),
        was.relationship != nil
      else { return noLinks(relationship, .since(history[index + level].number)) }
      current = was
    }
    guard let old = current.relationship else { return nil }
    if let form = form(of: property, old, relationship), isReadable(old, relationship) {
      var link = LinkReading(
        property: current.name, cardinality: old.cardinality, form: form,
        isList: relationship.cardinality.isMany)
      let keys = property.mapping.sortedBy.map(\.value)
      guard !keys.isEmpty, old.cardinality.isMany else { return TracedValue(value: .links(link)) }
      link.sortKeys = sortKeys(keys, of: relationship, at: old)
      let note = ConvertedValue.Note.unordered(by: history[index].number)
      return TracedValue(value: .links(link), note: link.sortKeys.isEmpty ? note : nil)
    }
    // The links exist but cannot be represented, because their identifiers have another type, or because the rows were
    // split into several models.
    return noLinks(relationship, .unspecified(by: history[index].number))
  }

  private func noLinks(
    _ relationship: Relationship, _ note: ConvertedValue.Note
  ) -> TracedValue? {
    if relationship.cardinality.isMany { return TracedValue(value: .emptyList, note: note) }
    return relationship.cardinality == .one ? nil : TracedValue(value: .nothing, note: note)
  }

  private func form(
    of property: Property, _ old: Relationship, _ new: Relationship
  ) -> LinkReading.Form? {
    guard property.mapping.form == .identifiers else {
      return graph.converts(old, to: new, at: index) ? .entities : nil
    }
    func identifier(_ model: String, _ version: Int) -> Property? {
      graph.models[version][model].flatMap {
        graph.properties(of: $0, at: version).first { $0.name == "id" }
      }
    }
    let id = identifier(old.destination.value, index)
    let current = identifier(new.destination.value, history.count - 1)
    guard let id, let current, id.type == current.type else { return nil }
    return .identifiers
  }

  /// The older names of the newest version's sort keys, up to the first key that is missing or converted.
  private func sortKeys(
    _ keys: [String], of relationship: Relationship, at old: Relationship
  ) -> [String] {
    guard let path = graph.path(of: old.destination.value, from: index),
      path.newest.name == relationship.destination.value
    else { return [] }
    let properties = graph.properties(of: path.newest, at: history.count - 1)
    let conversion = ForwardConversion(graph: graph, path: path)
    var found: [String] = []
    for key in keys {
      guard let property = properties.first(where: { $0.name == key }),
        case .property(let source)? = conversion.value(of: property)?.value, source.isSortable
      else { break }
      found.append(source.name)
    }
    return found
  }

  /// Whether the older relationship can be read as the newer one. A list cannot be read as one row, and an optional row
  /// cannot be read as a required one.
  private func isReadable(_ old: Relationship, _ new: Relationship) -> Bool {
    if new.cardinality.isMany { return true }
    return !old.cardinality.isMany
      && !(old.cardinality == .optionalOne && new.cardinality == .one)
  }
}
