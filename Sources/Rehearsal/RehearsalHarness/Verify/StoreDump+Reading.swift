package import Foundation
package import ManagedModels
package import StoreEngine
internal import StoreFormat

extension StoreDump {
  /// Reads a whole store. Throws `StoreError` if the store does not fit the model.
  ///
  /// - Parameter canonical: Returns the value by which a transformable value is compared.
  package init(
    of store: StoreFile, _ model: ManagedModel,
    canonical: RehearsalRuntime.Reading = { $0 }
  ) throws {
    try store.adopt(model)
    let graph = EntityGraph(model)
    var found: [String: Table] = [:]
    // The entity of each row, by its root entity and its key.
    var entities: [String: [Int64: String]] = [:]
    var oneLinks: [String: [(relationship: ManagedRelationship, place: Int)]] = [:]
    var rows: [String: [StoreRow]] = [:]
    for entity in model.entities.map(\.name).sorted() {
      let layout = store.layout(of: entity)
      let relationships = graph.relationships(of: entity)
      let read = try store.rows(of: entity, includingSubentities: false)
      rows[entity] = read
      for row in read { entities[graph.root(of: entity), default: [:]][row.id.key] = entity }
      oneLinks[entity] = relationships.filter { !$0.isToMany }.compactMap { relationship in
        layout.index[relationship.name].map { (relationship, $0) }
      }
      found[entity] = Table(
        entity: entity, lineage: graph.lineage(of: entity),
        slots: layout.slots.filter { $0.type != nil }.map(\.path),
        destinations: Dictionary(relationships.map { ($0.name, $0.destination) }) { $1 })
    }
    // The other ends of to-one links, by destination entity, relationship and key.
    var mirrored: [String: [String: [Int64: [ObjectID]]]] = [:]
    for (entity, read) in rows {
      let layout = store.layout(of: entity)
      let places = layout.slots.indices.filter { layout.slots[$0].type != nil }
      found[entity]?.rows = read.map { row in
        var links: [String: [ObjectID]] = [:]
        for (relationship, place) in oneLinks[entity] ?? [] {
          guard case .integer(let key) = row.values[place] else {
            links[relationship.name] = []
            continue
          }
          let root = graph.root(of: relationship.destination)
          let name = entities[root]?[key] ?? relationship.destination
          links[relationship.name] = [ObjectID(entity: name, key: key)]
          if let inverse = relationship.inverse {
            mirrored[name, default: [:]][inverse, default: [:]][key, default: []].append(row.id)
          }
        }
        return Row(
          key: row.id.key,
          values: places.map {
            layout.slots[$0].type == .transformable ? canonical(row.values[$0]) : row.values[$0]
          }, links: links)
      }
    }
    for entity in found.keys {
      for relationship in graph.relationships(of: entity) where relationship.isToMany {
        let inverse = relationship.inverse.flatMap { name in
          graph.relationships(of: relationship.destination).first { $0.name == name }
        }
        for place in found[entity]!.rows.indices {
          let key = found[entity]!.rows[place].key
          let related =
            inverse?.isToMany == false
            ? mirrored[entity]?[relationship.name]?[key] ?? []
            : try store.related(ObjectID(entity: entity, key: key), by: relationship.name)
          found[entity]!.rows[place].links[relationship.name] = related.sorted(
            by: ObjectID.precedes)
        }
      }
    }
    tables = found
  }

  package init(
    at url: URL, _ model: ManagedModel, canonical: RehearsalRuntime.Reading = { $0 }
  ) throws {
    try self.init(
      of: StoreFile(at: .file(url), isReadOnly: true), model, canonical: canonical)
  }
}

/// Finds inherited properties.
struct EntityGraph {
  private let entities: [String: ManagedEntity]

  init(_ model: ManagedModel) {
    entities = model.entitiesByName
  }

  func lineage(of entity: String) -> [String] {
    var names: [String] = []
    var name: String? = entity
    while let next = name, let entity = entities[next], !names.contains(next) {
      names.insert(next, at: 0)
      name = entity.superentity
    }
    return names
  }

  func root(of entity: String) -> String { lineage(of: entity).first ?? entity }

  func relationships(of entity: String) -> [ManagedRelationship] {
    lineage(of: entity).flatMap { entities[$0]?.relationships ?? [] }
  }

  func attributes(of entity: String) -> [ManagedAttribute] {
    lineage(of: entity).flatMap { entities[$0]?.attributes ?? [] }
  }

  func contains(_ entity: String) -> Bool { entities[entity] != nil }
}
