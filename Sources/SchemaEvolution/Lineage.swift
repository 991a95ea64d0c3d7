internal import SchemaDiagnostics
internal import SchemaModel

/// Follows every property through all versions, and makes of that the converters of every version.
struct Lineage: Sendable {
  let history: [SchemaVersion]
  let pairings: [HopPairing]
  let converterKinds: Configuration.Converters

  private(set) var entities: [Entity] = []
  /// For each version, its converters by model name.
  private(set) var converters: [[String: Converter]] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let models: [[String: Model]]
  private var entitiesByName: [String: Entity] = [:]

  init(history: [SchemaVersion], pairings: [HopPairing], converters kinds: Configuration.Converters)
  {
    self.history = history
    self.pairings = pairings
    converterKinds = kinds
    models = history.map { version in
      Dictionary(version.models.map { ($0.name, $0) }) { first, _ in first }
    }
    guard let last = history.last else { return }
    entities = findEntities(last)
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    findCycles()
    guard kinds != .none else {
      converters = history.map { _ in [:] }
      return
    }
    findConverters()
  }

  // MARK: Entities

  private mutating func findEntities(_ version: SchemaVersion) -> [Entity] {
    var owners: [String: Model] = [:]
    var found: [Entity] = []
    for model in version.models.sorted(by: { $0.name < $1.name }) {
      guard let name = model.entity else { continue }
      if let other = owners[name] {
        diagnostics.append(
          Diagnostic(
            .conflictingEntity, "'\(other.name)' and '\(model.name)' both map to '\(name)'",
            element: ElementPath(model.name), at: model.location,
            help: ["give one of them another entity, or none"]))
        continue
      }
      owners[name] = model
      let fields = effectiveProperties(of: model, at: history.count - 1).compactMap {
        field($0, version)
      }
      found.append(
        Entity(name: name, documentation: model.documentation, model: model.name, fields: fields))
    }
    return found
  }

  private func field(_ property: Property, _ version: SchemaVersion) -> EntityField? {
    guard property.mapping.form != .omit, !property.isTransient else { return nil }
    switch property.kind {
    case .attribute(let attribute):
      let value =
        attribute.encodes == nil
        ? attribute.defaultValue : attribute.fallback
      return EntityField(
        name: property.entityName, type: attribute.valueType,
        documentation: property.documentation,
        defaultValue: value ?? (attribute.valueType.isOptional ? .name("nil") : nil),
        property: property.name)
    case .relationship(let relationship):
      guard let destination = models[history.count - 1][relationship.destination.value] else {
        return nil
      }
      let element: TypeReference
      if property.mapping.form == .identifiers {
        guard let id = destination.property(named: "id") else { return nil }
        element = id.type.unwrapped
      } else {
        guard let entity = destination.entity else { return nil }
        element = .named(entity)
      }
      let isMany = relationship.cardinality.isMany
      let type: TypeReference =
        isMany
        ? .array(element) : relationship.cardinality == .one ? element : .optional(element)
      return EntityField(
        name: property.entityName, type: type, documentation: property.documentation,
        defaultValue: isMany ? .name("[]") : type.isOptional ? .name("nil") : nil,
        property: property.name)
    }
  }

  /// An entity that holds itself as a value would have no end.
  private mutating func findCycles() {
    var edges: [String: Set<String>] = [:]
    for entity in entities {
      edges[entity.name] = Set(entity.fields.flatMap(\.type.names)).intersection(
        entities.map(\.name))
    }
    func reaches(_ start: String) -> Bool {
      var seen: Set<String> = []
      var queue = Array(edges[start] ?? [])
      while let next = queue.popLast() {
        if next == start { return true }
        if seen.insert(next).inserted { queue += edges[next] ?? [] }
      }
      return false
    }
    for entity in entities where reaches(entity.name) {
      let model = models[history.count - 1][entity.model]
      diagnostics.append(
        Diagnostic(
          .conflictingEntity, "'\(entity.name)' contains itself by way of its relationships",
          element: ElementPath(entity.model), at: model?.location,
          help: ["say 'inEntity: identifiers' or 'inEntity: omit' at one end of them"]))
    }
  }

  // MARK: Converters

  private mutating func findConverters() {
    var found: [[String: Converter]] = Array(repeating: [:], count: history.count)
    for index in history.indices.reversed() {
      for model in history[index].models {
        // A model that the next version leaves as it is converts in the same way, or in none.
        if index + 1 < history.count, isUnchanged(model, at: index) {
          found[index][model.name] = found[index + 1][model.name]
          continue
        }
        guard let path = path(of: model, from: index),
          let entity = path.last?.entity.flatMap({ entitiesByName[$0] })
        else { continue }
        found[index][model.name] = converter(path, entity, at: index)
      }
    }
    converters = found
  }

  /// Whether a model is in two neighbouring versions the same, so that its properties go on as they are.
  private func isSame(_ model: Model, since index: Int) -> Bool {
    model.superclass == nil && pairings[index].isUnchanged(model.name)
  }

  /// Whether a model, and what it tells of those that it leads to, are the next version's as well.
  private func isUnchanged(_ model: Model, at index: Int) -> Bool {
    guard isSame(model, since: index) else { return false }
    let pairing = pairings[index]
    return model.properties.allSatisfy { property in
      guard let relationship = property.relationship, property.mapping.form != .omit else {
        return true
      }
      let name = relationship.destination.value
      if pairing.isUnchanged(name) { return true }
      guard let was = models[index][name], let now = models[index + 1][name] else { return false }
      return now.sources.isEmpty && was.entity == now.entity
        && was.property(named: "id") == now.property(named: "id")
    }
  }

  /// The model's form in each version from its own to the newest; nil when its rows do not come so far.
  func path(of model: Model, from index: Int) -> [Model]? {
    var path = [model]
    for pairing in pairings[index...] {
      guard let current = path.last else { return nil }
      if let same = pairing.newModels[current.name], same.sources.isEmpty {
        path.append(same)
        continue
      }
      let takers = pairing.takers(of: current.name)
      guard takers.count == 1 else { return nil }
      path.append(takers[0])
    }
    return path
  }

  private mutating func converter(_ path: [Model], _ entity: Entity, at index: Int) -> Converter {
    let to = entity.fields.map { field in
      forward(field, path, at: index)
    }
    let from =
      converterKinds == .both
      ? effectiveProperties(of: path[0], at: index).compactMap { property in
        backward(property, entity, path, at: index)
      } : []
    return Converter(model: path[0].name, entity: entity.name, toEntity: to, fromEntity: from)
  }

  // MARK: To the entity

  private mutating func forward(
    _ field: EntityField, _ path: [Model], at index: Int
  ) -> ConvertedValue {
    let last = history.count - 1
    let current = effectiveProperties(of: path[path.count - 1], at: last)
      .first { $0.name == field.property }
    guard let current else {
      return ConvertedValue(label: field.name, value: .name("nil"), note: nil)
    }
    guard let traced = trace(current, path, at: index) else {
      diagnostics.append(
        Diagnostic(
          .noWayForward,
          "\(history[index].number.name)'s '\(path[0].name)' has nothing for '\(entityName(path)).\(field.name)'",
          element: ElementPath(path[path.count - 1].name, current.name), at: current.location,
          help: ["give it a default or a 'fill:'"]))
      return ConvertedValue(label: field.name, value: .name("nil"), note: nil)
    }
    return ConvertedValue(label: field.name, value: traced.value, note: traced.note)
  }

  private func entityName(_ path: [Model]) -> String { path.last?.entity ?? "" }

  /// The value of a property of the newest version, as an expression over the older model's properties.
  private func trace(
    _ property: Property, _ path: [Model], at index: Int
  ) -> (value: SwiftExpression, note: ConvertedValue.Note?)? {
    if let relationship = property.relationship {
      return traceLinks(property, relationship, path, at: index)
    }
    return traceValue(property, path, level: path.count - 1, at: index)
  }

  /// Follows an attribute back from one level of the path to its start.
  private func traceValue(
    _ property: Property, _ path: [Model], level: Int, at index: Int
  ) -> (value: SwiftExpression, note: ConvertedValue.Note?)? {
    guard let attribute = property.attribute else { return nil }
    if level == 0 { return (property.reading(from: nil), nil) }
    let version = index + level
    if isSame(path[level], since: version - 1) {
      return traceValue(property, path, level: level - 1, at: index)
    }
    let hop = property.hop
    let owned = HopPlanner.ownedName(history[version - 1].number, history[version].number)
    let before = effectiveProperties(of: path[level - 1], at: version - 1)
    func fill() -> SwiftExpression? {
      hop.fill?.value.expression(arguments: 0, in: owned)
    }
    let sources = hop.from.compactMap { from in before.first { $0.name == from.value } }
    if !hop.from.isEmpty, sources.count == hop.from.count {
      let values = sources.map { traceValue($0, path, level: level - 1, at: index) }
      let arguments = values.compactMap { $0?.value }
      guard arguments.count == sources.count else { return nil }
      guard let convert = hop.convert?.value else { return (arguments[0], nil) }
      let expression = convert.expression(arguments: arguments.count, in: owned)
      return (expression.applied(to: arguments), values.lazy.compactMap { $0?.note }.first)
    }
    let name = hop.renamedFrom?.value ?? property.name
    if let was = before.first(where: { $0.name == name }), let old = was.attribute,
      !was.isTransient
    {
      guard let value = traceValue(was, path, level: level - 1, at: index) else { return nil }
      let substitute =
        fill() ?? (attribute.encodes == nil ? attribute.defaultValue : attribute.fallback)
      guard
        let adapted = BuiltInConversion.adapt(
          value.value, from: old.valueType, to: attribute.valueType, substitute: substitute)
      else { return nil }
      return (adapted, value.note)
    }
    let since = ConvertedValue.Note.since(history[version].number)
    if let fill = fill() { return (fill, since) }
    let value = attribute.encodes == nil ? attribute.defaultValue : attribute.fallback
    if let value { return (value, since) }
    return attribute.valueType.isOptional ? (.name("nil"), since) : nil
  }

  private func traceLinks(
    _ property: Property, _ relationship: Relationship, _ path: [Model], at index: Int
  ) -> (value: SwiftExpression, note: ConvertedValue.Note?)? {
    var name = property.name
    var current = property
    for level in stride(from: path.count - 1, to: 0, by: -1) {
      let version = index + level
      let before = effectiveProperties(of: path[level - 1], at: version - 1)
      let source = current.hop.renamedFrom?.value ?? current.name
      let was = before.first { $0.name == source }
      guard current.hop.convert == nil, let was, was.relationship != nil else {
        let since = ConvertedValue.Note.since(history[version].number)
        if relationship.cardinality.isMany { return (.name("[]"), since) }
        return relationship.cardinality == .one ? nil : (.name("nil"), since)
      }
      current = was
      name = was.name
    }
    guard let old = current.relationship else { return nil }
    let link = SwiftIdentifier.quoted(name)
    let value =
      property.mapping.form == .identifiers
      ? identifiers(link, old, relationship, at: index)
      : converts(old, to: relationship, at: index) ? entities(link, old, relationship) : nil
    if let value { return (value, nil) }
    // Ids of another type, or rows that became several models': the links are there and say nothing.
    let note = ConvertedValue.Note.untold(by: history[index].number)
    if relationship.cardinality.isMany { return (.name("[]"), note) }
    return relationship.cardinality == .one ? nil : (.name("nil"), note)
  }

  /// Whether rows that an older relationship leads to have converters to the entity at the newest one's end.
  private func converts(_ old: Relationship, to new: Relationship, at index: Int) -> Bool {
    guard let destination = models[index][old.destination.value] else { return false }
    return path(of: destination, from: index)?.last?.name == new.destination.value
  }

  private func identifiers(
    _ link: String, _ old: Relationship, _ new: Relationship, at index: Int
  ) -> SwiftExpression? {
    let id = models[index][old.destination.value]?.property(named: "id")
    let current = models[history.count - 1][new.destination.value]?.property(named: "id")
    guard let id, let current, id.type == current.type else { return nil }
    switch (old.cardinality, new.cardinality.isMany) {
    case (.many, true): return .name("\(link).map(\\.id)")
    case (.optionalMany, true): return .compound("\(link)?.map(\\.id) ?? []")
    case (.optionalOne, true): return .compound("\(link).map { [$0.id] } ?? []")
    case (.one, true): return .name("[\(link).id]")
    case (.optionalOne, false): return new.cardinality == .one ? nil : .name("\(link)?.id")
    case (.one, false): return .name("\(link).id")
    case (.many, false), (.optionalMany, false): return nil
    }
  }

  private func entities(
    _ link: String, _ old: Relationship, _ new: Relationship
  ) -> SwiftExpression? {
    switch (old.cardinality, new.cardinality.isMany) {
    case (.many, true): return .name("\(link).map { $0.toEntity() }")
    case (.optionalMany, true): return .compound("\(link)?.map { $0.toEntity() } ?? []")
    case (.optionalOne, true): return .compound("\(link).map { [$0.toEntity()] } ?? []")
    case (.one, true): return .name("[\(link).toEntity()]")
    case (.optionalOne, false): return new.cardinality == .one ? nil : .name("\(link)?.toEntity()")
    case (.one, false): return .name("\(link).toEntity()")
    case (.many, false), (.optionalMany, false): return nil
    }
  }

  // MARK: From the entity

  private mutating func backward(
    _ property: Property, _ entity: Entity, _ path: [Model], at index: Int
  ) -> ConvertedValue? {
    guard !property.isTransient else { return nil }
    if let relationship = property.relationship {
      return backwardLinks(property, relationship, entity, path, at: index)
    }
    guard let attribute = property.attribute else { return nil }
    let label = property.name
    switch restore(property, entity, path, level: 0, at: index) {
    case .value(let value, let note):
      return ConvertedValue(label: label, value: attribute.storing(value), note: note)
    case .unknown(let version):
      let note = ConvertedValue.Note.lost(since: history[version].number)
      if let value = attribute.encodes == nil ? attribute.defaultValue : attribute.fallback {
        return ConvertedValue(label: label, value: attribute.storing(value), note: note)
      }
      if attribute.type.isOptional {
        return ConvertedValue(label: label, value: .name("nil"), note: note)
      }
      reportNoWayBack(property, path[0], at: index, goneIn: version)
      return nil
    }
  }

  private enum Restored {
    case value(SwiftExpression, note: ConvertedValue.Note?)
    /// Nothing of it is left since that version.
    case unknown(since: Int)
  }

  /// Follows an attribute forward to the newest version, and its value back from the entity.
  private func restore(
    _ property: Property, _ entity: Entity, _ path: [Model], level: Int, at index: Int
  ) -> Restored {
    guard let attribute = property.attribute else { return .unknown(since: index + level) }
    guard level < path.count - 1 else {
      guard let field = entity.fields.first(where: { $0.property == property.name }) else {
        return .unknown(since: index + level)
      }
      return .value(.name("entity.\(SwiftIdentifier.quoted(field.name))"), note: nil)
    }
    let version = index + level + 1
    if isSame(path[level + 1], since: version - 1) {
      return restore(property, entity, path, level: level + 1, at: index)
    }
    let owned = HopPlanner.ownedName(history[version - 1].number, history[version].number)
    let next = effectiveProperties(of: path[level + 1], at: version)
    func revert(_ heir: Property, _ position: Int) -> SwiftExpression? {
      guard heir.hop.revert.indices.contains(position) else { return nil }
      return heir.hop.revert[position].value.expression(arguments: 1, in: owned)
    }
    let heir =
      next.first { $0.hop.renamedFrom?.value == property.name }
      ?? next.first {
        $0.name == property.name && $0.hop.renamedFrom == nil && $0.hop.from.isEmpty
      }
    if let heir, let now = heir.attribute, !heir.isTransient {
      let restored = restore(heir, entity, path, level: level + 1, at: index)
      guard case .value(let value, let note) = restored else { return restored }
      if let revert = revert(heir, 0) {
        return .value(revert.applied(to: [value.typedNil(as: now.valueType)]), note: note)
      }
      let substitute =
        attribute.encodes == nil ? attribute.defaultValue : attribute.fallback
      guard
        let adapted = BuiltInConversion.adapt(
          value, from: now.valueType, to: attribute.valueType, substitute: substitute)
      else { return .unknown(since: version) }
      return .value(adapted, note: note)
    }
    for heir in next {
      guard let position = heir.hop.from.firstIndex(where: { $0.value == property.name }),
        let revert = revert(heir, position)
      else { continue }
      let restored = restore(heir, entity, path, level: level + 1, at: index)
      guard case .value(let value, let note) = restored, let now = heir.attribute else { continue }
      return .value(revert.applied(to: [value.typedNil(as: now.valueType)]), note: note)
    }
    let element = ElementPath(path[level].name, property.name)
    if let drop = history[version].drops.first(where: { $0.element.value == element }),
      let revert = drop.revert
    {
      return .value(revert, note: .dropped(in: history[version].number))
    }
    return .unknown(since: version)
  }

  private mutating func backwardLinks(
    _ property: Property, _ relationship: Relationship, _ entity: Entity, _ path: [Model],
    at index: Int
  ) -> ConvertedValue? {
    let field = heir(of: property, path, at: index).flatMap { heir -> EntityField? in
      guard heir.mapping.form == .value, let now = heir.relationship,
        converts(relationship, to: now, at: index)
      else { return nil }
      return entity.fields.first { $0.property == heir.name }
    }
    guard let field else {
      if relationship.cardinality == .one {
        reportNoWayBack(property, path[0], at: index, goneIn: nil)
      }
      // The initialiser's default: the caller links the rows.
      return nil
    }
    let name = "entity.\(SwiftIdentifier.quoted(field.name))"
    let model = "\(ConvertedValue.schemaMark).\(relationship.destination.value)"
    let isFieldMany = if case .array = field.type { true } else { false }
    let value: String
    switch (relationship.cardinality, isFieldMany) {
    case (.many, true), (.optionalMany, true): value = "\(name).map(\(model).fromEntity)"
    case (.optionalOne, true): value = "\(name).first.map(\(model).fromEntity)"
    case (.optionalOne, false) where field.type.isOptional:
      value = "\(name).map(\(model).fromEntity)"
    case (.one, false) where !field.type.isOptional, (.optionalOne, false):
      value = "\(model).fromEntity(\(name))"
    default:
      reportNoWayBack(property, path[0], at: index, goneIn: nil)
      return nil
    }
    return ConvertedValue(label: property.name, value: .name(value), note: nil)
  }

  /// What a relationship is called in the newest version; nil when it is gone or found anew.
  private func heir(of property: Property, _ path: [Model], at index: Int) -> Property? {
    var current = property
    for level in 1..<max(1, path.count) {
      let next = effectiveProperties(of: path[level], at: index + level)
      let heir =
        next.first { $0.hop.renamedFrom?.value == current.name }
        ?? next.first { $0.name == current.name && $0.hop.renamedFrom == nil }
      guard let heir, heir.relationship != nil, heir.hop.convert == nil else { return nil }
      current = heir
    }
    return current
  }

  private mutating func reportNoWayBack(
    _ property: Property, _ model: Model, at index: Int, goneIn version: Int?
  ) {
    let element = ElementPath(model.name, property.name)
    var help: [String] = []
    if let version {
      let name = history[version].number.name
      let gone = !(history[version].drops.filter { $0.element.value == element }.isEmpty)
      help.append(
        gone
          ? "in \(name) say: drops: { \(element): { reason: \"why\", revert: … } }"
          : "in \(name) say 'revert:' where its values go, for example revert: '$0 ?? …'")
    } else {
      help.append("make the relationship optional, or say 'inEntity: value'")
    }
    help.append("or leave fromEntity(_:) out: 'converters: toEntity' in schemagen.yaml")
    diagnostics.append(
      Diagnostic(
        .noWayBack,
        "fromEntity(_:) of \(history[index].number.name) has no value for '\(element)'",
        element: element, at: property.location, help: help))
  }

  // MARK: Inheritance

  /// A model's own properties after those that it inherits.
  func effectiveProperties(of model: Model, at index: Int) -> [Property] {
    model.effectiveProperties(among: models[index])
  }
}
