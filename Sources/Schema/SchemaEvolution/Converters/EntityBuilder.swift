internal import SchemaModel

/// Builds the domain entities of the newest version's models.
struct EntityBuilder {
  private(set) var entities: [Entity] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let models: [String: Model]

  init(_ graph: HistoryGraph) {
    guard let version = graph.history.last, let models = graph.models.last else {
      models = [:]
      return
    }
    self.models = models
    findEntities(version)
    findCycles()
  }

  private mutating func findEntities(_ version: SchemaVersion) {
    var owners: [String: Model] = [:]
    for model in version.models.sorted(by: { $0.name < $1.name }) {
      guard let name = model.entity else { continue }
      if let other = owners[name] {
        diagnostics.append(
          Diagnostic(
            .conflictingEntity, "'\(other.name)' and '\(model.name)' both map to '\(name)'",
            element: ElementPath(model.name), at: model.location,
            help: ["give one of the models another entity, or none"]))
        continue
      }
      owners[name] = model
      let properties = model.effectiveProperties(among: models)
      diagnostics += properties.compactMap { missingLink($0, of: model) }
      let fields = properties.compactMap(field)
      entities.append(
        Entity(name: name, documentation: model.documentation, model: model.name, fields: fields))
    }
  }

  private func field(_ property: Property) -> EntityField? {
    guard property.mapping.form != .omit, !property.isTransient else { return nil }
    switch property.kind {
    case .attribute(let attribute):
      return EntityField(
        name: property.entityName, type: attribute.valueType,
        documentation: property.documentation,
        defaultValue: attribute.substitute
          ?? (attribute.valueType.isOptional ? .name("nil") : nil),
        property: property.name)
    case .relationship(let relationship):
      guard let element = element(property, relationship) else { return nil }
      let isMany = relationship.cardinality.isMany
      let type: TypeReference =
        isMany
        ? .array(element) : relationship.cardinality == .one ? element : .optional(element)
      return EntityField(
        name: property.entityName, type: type, documentation: property.documentation,
        defaultValue: isMany ? .name("[]") : type.isOptional ? .name("nil") : nil,
        property: property.name, isUnordered: isMany && property.mapping.sortedBy.isEmpty)
    }
  }

  /// The type that an entity contains for each of a relationship's destination rows; `nil` if no type can represent the
  /// rows.
  private func element(_ property: Property, _ relationship: Relationship) -> TypeReference? {
    guard let destination = models[relationship.destination.value] else { return nil }
    if property.mapping.form == .identifiers {
      return identifier(of: destination)?.type.unwrapped
    }
    return destination.entity.map { .named($0) }
  }

  private func identifier(of model: Model) -> Property? {
    model.effectiveProperties(among: models).first { $0.name == "id" }
  }

  private func missingLink(_ property: Property, of model: Model) -> Diagnostic? {
    guard property.mapping.form != .omit, let relationship = property.relationship,
      let destination = models[relationship.destination.value],
      element(property, relationship) == nil
    else { return nil }
    let isIdentifiers = property.mapping.form == .identifiers
    let name = destination.name
    let hasIdentifier = identifier(of: destination) != nil
    let path = ElementPath(model.name, property.name)
    return Diagnostic(
      .missingLink,
      isIdentifiers
        ? "the entity holds '\(path)' as identifiers, but '\(name)' has no 'id'"
        : "the entity holds '\(path)' as values, but '\(name)' has no entity",
      element: path, at: property.location,
      help: [
        isIdentifiers
          ? "give '\(name)' an 'id': id: { type: UUID, fill: UUID() }"
          : "give '\(name)' an entity: entity: …",
        isIdentifiers
          ? destination.entity == nil
            ? "or leave the relationship out: inEntity: omit"
            : "or write inEntity: value to hold values, or inEntity: omit to leave the relationship out"
          : hasIdentifier
            ? "or write inEntity: identifiers to hold identifiers, or inEntity: omit to leave the relationship out"
            : "or leave the relationship out: inEntity: omit",
      ])
  }

  /// Reports entities that contain themselves as a value. Their conversion would never end.
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
      diagnostics.append(
        Diagnostic(
          .conflictingEntity, "'\(entity.name)' contains itself through its relationships",
          element: ElementPath(entity.model), at: models[entity.model]?.location,
          help: ["write 'inEntity: identifiers' or 'inEntity: omit' at one end of the relationship"]
        ))
    }
  }
}
