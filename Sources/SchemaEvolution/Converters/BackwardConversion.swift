internal import SchemaModel

/// `fromEntity(_:)` of one model of one version: follows its properties forward to the entity, and their values back.
struct BackwardConversion {
  enum Outcome {
    case value(DerivedValue, note: ConvertedValue.Note?)
    /// The initialiser's default serves: the caller links the rows.
    case initializersDefault
    /// There is no value; where one was dropped, in that version.
    case impossible(goneIn: Int?)
  }

  let lineage: Lineage
  let entity: Entity
  /// The model's form in each version from its own to the newest.
  let path: [Model]
  /// The model's version.
  let index: Int

  private var history: [SchemaVersion] { lineage.history }

  /// What the initialiser gets for a property of the model.
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
    case .unknown(let version):
      let note = ConvertedValue.Note.lost(since: history[version].number)
      if let value = attribute.substitute {
        return .value(.storing(.expression(value), as: attribute), note: note)
      }
      return attribute.type.isOptional
        ? .value(.nothing, note: note) : .impossible(goneIn: version)
    }
  }

  private enum Restored {
    case value(TracedValue)
    /// Nothing of it is left since that version.
    case unknown(since: Int)
  }

  /// Follows an attribute forward to the newest version, and its value back from the entity.
  private func restore(_ property: Property, _ attribute: Attribute, level: Int) -> Restored {
    guard level < path.count - 1 else {
      guard let field = entity.fields.first(where: { $0.property == property.name }) else {
        return .unknown(since: index + level)
      }
      return .value(TracedValue(value: .field(field.name)))
    }
    let version = index + level + 1
    if lineage.isSame(path[level + 1], since: version - 1) {
      return restore(property, attribute, level: level + 1)
    }
    let next = lineage.properties(of: path[level + 1], at: version)
    if let successor = Self.successor(of: property, among: next, made: false),
      let now = successor.attribute,
      !successor.isTransient
    {
      return restore(attribute, from: successor, now, level: level + 1)
    }
    for successor in next {
      guard
        let position = successor.migration.from.firstIndex(where: { $0.value == property.name }),
        let now = successor.attribute, successor.migration.revert.indices.contains(position),
        case .value(let traced) = restore(successor, now, level: level + 1)
      else { continue }
      return .value(
        reverted(traced, from: now, by: successor.migration.revert[position].value, version))
    }
    let element = ElementPath(path[level].name, property.name)
    let drop = history[version].drops.first { $0.element.value == element }
    guard let revert = drop?.revert else { return .unknown(since: version) }
    return .value(
      TracedValue(value: .expression(revert), note: .dropped(in: history[version].number)))
  }

  /// The value of an attribute that goes on in another, perhaps under another name and with another type.
  private func restore(
    _ attribute: Attribute, from successor: Property, _ now: Attribute, level: Int
  ) -> Restored {
    let version = index + level
    let restored = restore(successor, now, level: level)
    guard case .value(let traced) = restored else { return restored }
    if let revert = successor.migration.revert.first?.value {
      return .value(reverted(traced, from: now, by: revert, version))
    }
    let adapted = DerivedValue.adapting(
      traced.value, from: now.valueType, to: attribute.valueType,
      substitute: attribute.substitute.map(DerivedValue.expression))
    guard let adapted else { return .unknown(since: version) }
    return .value(TracedValue(value: adapted, note: traced.note))
  }

  private func reverted(
    _ traced: TracedValue, from attribute: Attribute, by revert: Conversion, _ version: Int
  ) -> TracedValue {
    TracedValue(
      value: .reverted(
        traced.value, from: attribute.valueType, by: revert,
        step: lineage.name(ofStepTo: version)),
      note: traced.note)
  }

  /// The property of the next version that a property goes on in.
  ///
  /// - Parameter made: Whether one of the same name that is made of others counts.
  private static func successor(
    of property: Property, among next: [Property], made: Bool
  ) -> Property? {
    next.first { $0.migration.renamedFrom?.value == property.name }
      ?? next.first {
        $0.name == property.name && $0.migration.renamedFrom == nil
          && (made || $0.migration.from.isEmpty)
      }
  }

  // MARK: Relationships

  private func rows(_ property: Property, _ relationship: Relationship) -> Outcome {
    guard let field = field(of: property, relationship) else {
      return relationship.cardinality == .one ? .impossible(goneIn: nil) : .initializersDefault
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

  /// The entity's field that holds the rows at a relationship's other end.
  private func field(of property: Property, _ relationship: Relationship) -> EntityField? {
    var successor = property
    for level in path.indices.dropFirst() {
      let next = lineage.properties(of: path[level], at: index + level)
      guard let found = Self.successor(of: successor, among: next, made: true),
        found.relationship != nil,
        found.migration.convert == nil
      else { return nil }
      successor = found
    }
    guard successor.mapping.form == .value, let now = successor.relationship,
      lineage.converts(relationship, to: now, at: index)
    else { return nil }
    return entity.fields.first { $0.property == successor.name }
  }
}
