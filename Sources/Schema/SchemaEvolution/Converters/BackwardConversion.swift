internal import SchemaModel

/// `fromEntity(_:)` of one model of one version. Each property is followed forward to the entity, whose value is then
/// converted back to the property's.
struct BackwardConversion {
  enum Outcome {
    case value(DerivedValue, note: ConvertedValue.Note?)
    /// The property's default, because the values went into another property in a later version, and nothing converts
    /// them back.
    case defaulted(DerivedValue, note: ConvertedValue.Note?, into: Property, version: Int)
    case initializersDefault
    /// There is no value. `goneIn` is the version that removed the property, if any.
    case impossible(goneIn: Int?)
  }

  let graph: HistoryGraph
  let entity: Entity
  let path: ModelPath

  private var index: Int { path.start }
  private var history: [SchemaVersion] { graph.history }

  func value(of property: Property) -> Outcome {
    switch property.kind {
    case .relationship(let relationship): rows(property, relationship)
    case .attribute(let attribute): value(of: property, attribute)
    }
  }

  // MARK: Attributes

  private func value(of property: Property, _ attribute: Attribute) -> Outcome {
    switch restore(property, attribute, level: 0) {
    case .value(let traced):
      return .value(.storing(traced.value, as: attribute), note: traced.note)
    case .unknown(let version, let successor):
      let note = ConvertedValue.Note.lost(since: history[version].number)
      if let value = attribute.substitute {
        let value = DerivedValue.storing(.expression(value), as: attribute)
        return successor.map { .defaulted(value, note: note, into: $0, version: version) }
          ?? .value(value, note: note)
      }
      return attribute.type.isOptional
        ? .value(.nothing, note: note) : .impossible(goneIn: version)
    }
  }

  private enum Restored {
    case value(TracedValue)
    /// The value has been lost since a version. `into` is the property made from it, if nothing converts that property
    /// back.
    case unknown(since: Int, into: Property? = nil)
  }

  private func restore(_ property: Property, _ attribute: Attribute, level: Int) -> Restored {
    guard level < path.models.count - 1 else {
      guard let field = entity.fields.first(where: { $0.property == property.name }) else {
        return .unknown(since: index + level)
      }
      return .value(TracedValue(value: .field(field.name)))
    }
    let version = index + level + 1
    if let successor = path.successor(of: property, at: level + 1), let now = successor.attribute {
      return restore(attribute, from: successor, now, level: level + 1)
    }
    let successors = path.conversions(of: property, at: level + 1)
    for successor in successors {
      guard
        let position = successor.migration.from.firstIndex(where: { $0.value == property.name }),
        successor.migration.revert.indices.contains(position),
        let traced = restored(
          by: successor.migration.revert[position], of: successor, level: level + 1)
      else { continue }
      return .value(traced)
    }
    let element = ElementPath(path.models[level].name, property.name)
    let drop = history[version].drops.first { $0.element.value == element }
    guard let revert = drop?.revert else {
      let isUnsaid = successors.allSatisfy(\.migration.revert.isEmpty)
      return .unknown(since: version, into: isUnsaid ? successors.first : nil)
    }
    return .value(
      TracedValue(value: .expression(revert), note: .lost(since: history[version].number)))
  }

  private func restore(
    _ attribute: Attribute, from successor: Property, _ now: Attribute, level: Int
  ) -> Restored {
    let version = index + level
    let newer = restore(successor, now, level: level)
    guard case .value(let traced) = newer else { return newer }
    if let revert = successor.migration.revert.first {
      return restored(by: revert, of: successor, level: level).map { .value($0) }
        ?? .unknown(since: version)
    }
    let adapted = DerivedValue.adapting(
      traced.value, from: now.valueType, to: attribute.valueType,
      substitute: attribute.substitute.map(DerivedValue.expression), graph.layouts)
    guard let adapted else { return .unknown(since: version) }
    return .value(TracedValue(value: adapted, note: traced.note))
  }

  /// The result of `revert:` for the entity's values; `nil` if one of the values is lost.
  private func restored(
    by reversion: Reversion, of successor: Property, level: Int
  ) -> TracedValue? {
    let next = graph.properties(of: path.models[level], at: index + level)
    let sources =
      reversion.from.isEmpty
      ? [successor] : reversion.from.compactMap { from in next.first { $0.name == from.value } }
    var values: [TracedValue] = []
    var types: [TypeReference] = []
    for source in sources {
      guard let attribute = source.attribute,
        case .value(let traced) = restore(source, attribute, level: level)
      else { return nil }
      values.append(traced)
      types.append(attribute.valueType)
    }
    guard !values.isEmpty, values.count == max(1, reversion.from.count) else { return nil }
    return TracedValue(
      value: .reverted(
        values.map(\.value), from: types, by: reversion.value,
        step: graph.steps[index + level - 1].name),
      note: values.lazy.compactMap(\.note).first)
  }

  // MARK: Relationships

  private func rows(_ property: Property, _ relationship: Relationship) -> Outcome {
    guard let field = field(of: property, relationship) else {
      return relationship.cardinality == .one ? .impossible(goneIn: nil) : .initializersDefault
    }
    // A new row with an existing unique value would replace the existing row, without its links. Rows that this row
    // owns are created with it. Other rows may exist already, and only the caller knows which.
    if relationship.cardinality != .one, relationship.deleteRule != .cascade,
      let destination = graph.models[index][relationship.destination.value],
      destination.hasUniqueness(among: graph.models[index])
    {
      return .initializersDefault
    }
    let isFieldMany = if case .array = field.type { true } else { false }
    let making: LinkMaking
    switch (relationship.cardinality, isFieldMany) {
    case (.many, true), (.optionalMany, true): making = .each
    case (.optionalOne, true): making = .first
    case (.optionalOne, false): making = field.type.isOptional ? .each : .one
    case (.one, false) where !field.type.isOptional: making = .one
    default: return .impossible(goneIn: nil)
    }
    return .value(
      .rows(of: relationship.destination.value, field: field.name, making), note: nil)
  }

  private func field(of property: Property, _ relationship: Relationship) -> EntityField? {
    var successor = property
    for level in path.models.indices.dropFirst() {
      guard let found = path.successor(of: successor, at: level), found.relationship != nil else {
        return nil
      }
      successor = found
    }
    guard successor.mapping.form == .value, let now = successor.relationship,
      graph.converts(relationship, to: now, at: index)
    else { return nil }
    return entity.fields.first { $0.property == successor.name }
  }
}
