internal import SchemaModel

/// Makes the domain entities that the newest version's models map to.
struct EntityBuilder {
  private(set) var entities: [Entity] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The newest version's models.
  private let models: [String: Model]

  init(_ lineage: Lineage) {
    guard let version = lineage.history.last, let models = lineage.models.last else {
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
            help: ["give one of them another entity, or none"]))
        continue
      }
      owners[name] = model
      let fields = model.effectiveProperties(among: models).compactMap(field)
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
        property: property.name, isUnordered: isMany && property.mapping.sortedBy == nil)
    }
  }

  /// What an entity holds of each row that a relationship leads to.
  private func element(_ property: Property, _ relationship: Relationship) -> TypeReference? {
    guard let destination = models[relationship.destination.value] else { return nil }
    if property.mapping.form == .identifiers {
      return destination.property(named: "id")?.type.unwrapped
    }
    return destination.entity.map { .named($0) }
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
      diagnostics.append(
        Diagnostic(
          .conflictingEntity, "'\(entity.name)' contains itself by way of its relationships",
          element: ElementPath(entity.model), at: models[entity.model]?.location,
          help: ["say 'inEntity: identifiers' or 'inEntity: omit' at one end of them"]))
    }
  }
}
