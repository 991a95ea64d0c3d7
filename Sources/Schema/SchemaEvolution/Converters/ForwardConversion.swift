internal import SchemaModel

/// A value followed through versions, and why it is not simply a property's or a field's.
struct TracedValue {
  var value: DerivedValue
  var note: ConvertedValue.Note?
}

/// `toEntity()` of one model of one version: follows properties of the newest version back to the model's own.
struct ForwardConversion {
  let lineage: Lineage
  /// The model's form in each version from its own to the newest.
  let path: [Model]
  /// The index of the model's version.
  let index: Int
  private let isSame: [Bool]

  init(lineage: Lineage, path: [Model], index: Int) {
    self.lineage = lineage
    self.path = path
    self.index = index
    isSame = lineage.sameness(of: path, from: index)
  }

  private var history: [SchemaVersion] { lineage.history }

  /// The value of a property of the newest version, made of the older model's properties; nil where nothing gives it.
  func value(of property: Property) -> TracedValue? {
    if let relationship = property.relationship {
      return links(property, relationship)
    }
    return follow(property, level: path.count - 1)
  }

  /// Follows an attribute back from one level of the path to its start.
  private func follow(_ property: Property, level: Int) -> TracedValue? {
    if level == 0 { return TracedValue(value: .property(property)) }
    guard let attribute = property.attribute else { return nil }
    if isSame[level] { return follow(property, level: level - 1) }
    let version = index + level
    let migration = property.migration
    let step = lineage.name(ofStepTo: version)
    let fill = migration.fill.map { DerivedValue.converted([], by: $0.value, step: step) }
    let substitute = fill ?? attribute.substitute.map(DerivedValue.expression)
    let before = lineage.properties(of: path[level - 1], at: version - 1)
    let sources = migration.from.compactMap { from in before.first { $0.name == from.value } }
    if !migration.from.isEmpty, sources.count == migration.from.count {
      if sources.contains(where: { $0.relationship != nil }), !isReadable(migration, level: level) {
        let value = substitute ?? (attribute.valueType.isOptional ? .nothing : nil)
        return value.map {
          TracedValue(value: $0, note: .unspecified(by: history[index].number))
        }
      }
      let traced = sources.compactMap { follow($0, level: level - 1) }
      guard traced.count == sources.count else { return nil }
      guard let convert = migration.convert?.value else {
        return TracedValue(
          value: lineage.layouts.value(traced[0].value, of: sources[0], as: attribute))
      }
      return TracedValue(
        value: .converted(traced.map(\.value), by: convert, step: step),
        note: traced.lazy.compactMap(\.note).first)
    }
    let name = migration.renamedFrom?.value ?? property.name
    if let was = before.first(where: { $0.name == name }), let old = was.attribute,
      !was.isTransient
    {
      guard let traced = follow(was, level: level - 1) else { return nil }
      return DerivedValue.adapting(
        traced.value, from: old.valueType, to: attribute.valueType, substitute: substitute,
        lineage.layouts
      ).map { TracedValue(value: $0, note: traced.note) }
    }
    let value = substitute ?? (attribute.valueType.isOptional ? .nothing : nil)
    return value.map { TracedValue(value: $0, note: .since(history[version].number)) }
  }

  /// Whether the model's own rows can be converted as those of the step's older version: what is made of linked rows
  /// names what they have there, and a function names their class.
  private func isReadable(_ migration: PropertyMigration, level: Int) -> Bool {
    guard level == 1, case .expression? = migration.convert?.value else { return false }
    return true
  }

  func isMadeOfLinks(_ property: Property) -> Bool {
    var current = property
    for level in stride(from: path.count - 1, to: 0, by: -1) {
      let before = lineage.properties(of: path[level - 1], at: index + level - 1)
      let names = current.migration.from.map(\.value)
      if before.contains(where: { names.contains($0.name) && $0.relationship != nil }) {
        return true
      }
      let name = names.first ?? current.migration.renamedFrom?.value ?? current.name
      guard let was = before.first(where: { $0.name == name }) else { return false }
      current = was
    }
    return false
  }

  private func links(_ property: Property, _ relationship: Relationship) -> TracedValue? {
    var current = property
    for level in stride(from: path.count - 1, to: 0, by: -1) {
      let version = index + level
      let before = lineage.properties(of: path[level - 1], at: version - 1)
      let source = current.migration.renamedFrom?.value ?? current.name
      let was = before.first { $0.name == source }
      guard current.migration.convert == nil, let was, was.relationship != nil else {
        return noLinks(relationship, .since(history[version].number))
      }
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
      // The rows are all there; their order is not.
      let note = ConvertedValue.Note.unordered(by: history[index].number)
      return TracedValue(value: .links(link), note: link.sortKeys.isEmpty ? note : nil)
    }
    // Ids of another type, or rows that became several models': the links are there and say nothing.
    return noLinks(relationship, .unspecified(by: history[index].number))
  }

  private func noLinks(
    _ relationship: Relationship, _ note: ConvertedValue.Note
  ) -> TracedValue? {
    if relationship.cardinality.isMany { return TracedValue(value: .emptyList, note: note) }
    return relationship.cardinality == .one ? nil : TracedValue(value: .nothing, note: note)
  }

  /// The form of an older relationship's rows in the entity; nil if they cannot be in it.
  private func form(
    of property: Property, _ old: Relationship, _ new: Relationship
  ) -> LinkReading.Form? {
    guard property.mapping.form == .identifiers else {
      return lineage.converts(old, to: new, at: index) ? .entities : nil
    }
    func identifier(_ model: String, _ version: Int) -> Property? {
      lineage.models[version][model].flatMap {
        lineage.properties(of: $0, at: version).first { $0.name == "id" }
      }
    }
    let id = identifier(old.destination.value, index)
    let current = identifier(new.destination.value, history.count - 1)
    guard let id, let current, id.type == current.type else { return nil }
    return .identifiers
  }

  /// The older rows' properties with the values that the newest sorts by, up to the first that is not there as it is.
  private func sortKeys(
    _ keys: [String], of relationship: Relationship, at old: Relationship
  ) -> [String] {
    guard let destination = lineage.models[index][old.destination.value],
      let path = lineage.path(of: destination, from: index), let newest = path.last,
      newest.name == relationship.destination.value
    else { return [] }
    let properties = lineage.properties(of: newest, at: history.count - 1)
    let conversion = ForwardConversion(lineage: lineage, path: path, index: index)
    var found: [String] = []
    for key in keys {
      guard let property = properties.first(where: { $0.name == key }),
        case .property(let source)? = conversion.value(of: property)?.value, source.isSortable
      else { break }
      found.append(source.name)
    }
    return found
  }

  /// A list cannot be read as one row, nor an optional row as a required one.
  private func isReadable(_ old: Relationship, _ new: Relationship) -> Bool {
    if new.cardinality.isMany { return true }
    return !old.cardinality.isMany
      && !(old.cardinality == .optionalOne && new.cardinality == .one)
  }
}
