internal import SchemaEvolution
internal import SchemaModel

/// Which entities can be imported from JSON, and in which order.
struct JSONImportPlan {
  struct Item {
    var entity: Entity
    var model: Model
    /// The model's properties, including inherited ones.
    var properties: [Property]
    /// The entity's fields that are identifiers of other rows.
    var links: [Link] = []
    var nested: [Link] = []

    var identifier: String? {
      guard entity.isIdentifiable else { return nil }
      return entity.fields.first { $0.name == "id" }?.property
    }

    /// Unique constraints other than the identifier's. Only constraints on comparable values are included.
    var uniques: [[Property]] {
      let single = properties.filter { $0.attribute?.options.contains(.unique) == true }.map {
        [$0]
      }
      let compound = model.uniques.map { constraint in
        constraint.names.compactMap { name in properties.first { $0.name == name } }
      }
      return (single + compound).filter { constraint in
        constraint.map(\.name) != [identifier]
          && constraint.allSatisfy { property in
            guard case .named(let name, []) = property.type.unwrapped else { return false }
            return StorageType.Primitive.bySwiftName[name] != nil && !property.isTransient
          }
      }
    }
  }

  /// A field that leads to another model.
  struct Link {
    var field: EntityField
    var property: Property
    var relationship: Relationship
    var entity: String?
  }

  /// Every entity, since nested entities are read too.
  let all: [Item]
  /// The entities that have separate JSON, each before the entities nested in it.
  let items: [Item]

  init(_ evolution: Evolution) {
    let newest = evolution.history[evolution.history.count - 1]
    let models = Dictionary(newest.models, keyedBy: \.name)
    all = evolution.entities.compactMap { entity -> Item? in
      guard let model = models[entity.model] else { return nil }
      var item = Item(
        entity: entity, model: model, properties: model.effectiveProperties(among: models))
      for field in entity.fields {
        guard let property = item.properties.first(where: { $0.name == field.property }),
          let relationship = property.relationship
        else { continue }
        let link = Link(
          field: field, property: property, relationship: relationship,
          entity: models[relationship.destination.value]?.entity)
        if property.mapping.form == .identifiers {
          item.links.append(link)
        } else {
          item.nested.append(link)
        }
      }
      return item
    }
    let isGenerated = evolution.configuration.entities == .generated
    // An entity without an identifier must have no links: its rows are compared by all their values.
    items = Self.ordered(
      all.filter { item in
        item.entity.isIdentifiable || isGenerated && item.links.isEmpty && item.nested.isEmpty
      })
  }

  /// The entity's item; nil if the entity's rows cannot be found by identifier.
  func identified(_ entity: String?) -> Item? {
    items.first { $0.entity.name == entity && $0.entity.isIdentifiable }
  }

  func hasLinks(_ item: Item) -> Bool {
    !item.links.isEmpty || item.nested.contains { identified($0.entity).map(hasLinks) ?? false }
  }

  func hasSettling(_ item: Item) -> Bool {
    item.nested.contains { identified($0.entity) != nil }
  }

  private static func ordered(_ items: [Item]) -> [Item] {
    var rest = items
    var done: [Item] = []
    while !rest.isEmpty {
      let names = Set(rest.flatMap { $0.nested.compactMap(\.entity) })
      let next = rest.firstIndex { !names.contains($0.entity.name) } ?? 0
      done.append(rest.remove(at: next))
    }
    return done
  }
}
