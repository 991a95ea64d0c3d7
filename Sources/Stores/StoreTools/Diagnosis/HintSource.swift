internal import ManagedModels
internal import SchemaEvolution
internal import StoreFormat

/// What a store's tables and all versions tell of an entity.
struct HintSource {
  private let structure: StoreStructure
  private let version: ManagedModel
  private let models: [ManagedModel]
  private let names: Set<String>
  private let words: NameWords
  /// A file may have any number of entities: beyond so many their names are no hint.
  private static let most = 500
  /// Nor are the columns of which nothing is known, beyond so many.
  private static let mostLinks = 12
  private let modifiers: Set<String>

  init(
    _ structure: StoreStructure, _ candidate: StoreMatch.Candidate, _ all: [StoreMatch.Candidate]
  ) {
    self.structure = structure
    version = candidate.model.model
    models = all.map(\.model.model)
    let entities = models.flatMap(\.entities)
    names = Set(entities.flatMap { $0.parts.map(\.name) })
    words = NameWords(names: names.union(entities.map(\.name)))
    modifiers = Set(
      entities.flatMap { $0.attributes.map(\.hashModifier) + $0.relationships.map(\.hashModifier) }
        .compactMap { $0 })
  }

  /// - Parameters:
  ///   - model: As far as it is known to be the store's.
  ///   - found: Entities of it that are as the store has them.
  func hints(for name: String, _ model: ManagedModel, found: Set<String>) -> EntityHints {
    var hints = EntityHints()
    hints.names = names
    hints.words = words
    hints.modifiers = modifiers
    let stored = structure.entities.map(\.name)
    let known = model.entities.map(\.name)
    hints.destinations =
      stored.isEmpty || stored.count > Self.most ? known.sorted() : stored.sorted()
    var seen: Set<EntityPart> = []
    hints.parts = otherEnds(of: name, in: model, found).filter { seen.insert($0).inserted }
    for version in [model] + models {
      for entity in version.entities {
        for relationship in entity.relationships {
          hints.inverses[relationship.destination, default: []].append(
            (entity.name, relationship.name))
        }
      }
    }
    for version in models {
      for entity in version.entities where entity.name == name {
        hints.parts += entity.parts.filter { seen.insert($0).inserted }
      }
    }
    hints.columns = columns(of: name, model)
    return hints
  }

  /// Relationships of an entity that the other ends tell of, as far as those are the store's.
  private func otherEnds(
    of name: String, in model: ManagedModel, _ found: Set<String>
  ) -> [EntityPart] {
    let own = model.entitiesByName[name]?.relationships ?? []
    return model.entities.filter { found.contains($0.name) && $0.name != name }.flatMap { entity in
      entity.relationships.filter { $0.destination == name }.flatMap { end -> [EntityPart] in
        guard let inverse = end.inverse,
          !own.contains(where: { $0.name == inverse && $0.inverse == end.name })
        else { return [] }
        return [(true, false), (true, true), (false, true), (false, false)].map {
          isToMany, isOptional in
          .relationship(
            ManagedRelationship(
              name: inverse, destination: entity.name, inverse: end.name, isToMany: isToMany,
              isOptional: isOptional, maximumCount: isToMany ? 0 : 1))
        }
      }
    }
  }

  private func columns(of name: String, _ known: ManagedModel) -> EntityHints.Columns? {
    // Who shares a table cannot be told from it.
    guard let entity = structure.entities.first(where: { $0.name == name }),
      entity.superNumber == 0,
      !structure.entities.contains(where: { $0.superNumber == entity.number }),
      let types = structure.tables["Z" + name.uppercased()]
    else { return nil }
    var columns = EntityHints.Columns()
    columns.types = StoreStructure.withoutEntityColumns(types).mapValues { $0.uppercased() }
    columns.uniques = structure.uniqueIndexes
      .filter { $0.key.hasPrefix("Z_\(name)_UNIQUE_") }
      .sorted { $0.key < $1.key }.map(\.value.columns)
    let links = links(of: entity, known)
    if links.count <= Self.mostLinks { columns.links = links }
    return columns
  }

  /// To-many relationships of which other tables have a trace.
  private func links(
    of entity: StoreStructure.Entity, _ known: ManagedModel
  ) -> [EntityHints.Link] {
    var links: [EntityHints.Link] = []
    guard structure.entities.count <= Self.most else { return [] }
    for other in structure.entities {
      let types = structure.tables["Z" + other.name.uppercased()] ?? [:]
      let own = known.entitiesByName[other.name]?.parts.flatMap(\.columns).map(\.name) ?? []
      for column in Set(types.keys).subtracting(own).sorted()
      where types[column]?.uppercased() == "INTEGER" {
        guard !["Z_PK", "Z_ENT", "Z_OPT"].contains(column) else { continue }
        let (number, rest) = Self.numbered(column.dropFirst())
        if number == nil {
          links.append(EntityHints.Link(destination: other.name, inverse: rest))
        } else if number == entity.number {
          links.append(EntityHints.Link(name: rest, destination: other.name))
        }
      }
    }
    for (table, columns) in structure.tables.sorted(by: { $0.key < $1.key })
    where table.hasPrefix("Z_") && columns.count == 2 {
      let (master, name) = Self.numbered(table.dropFirst(2))
      // Each column: the number of whose keys it has, and the name of the relationship that leads there.
      let sides = columns.keys.sorted().map { Self.numbered($0.dropFirst(2)) }
      guard let master, let near = sides.first(where: { $0.rest != name || $0.number == master }),
        let far = sides.first(where: { $0.rest == name }),
        let other = structure.entities.first(where: { $0.number == far.number })
      else { continue }
      if master == entity.number {
        links.append(
          EntityHints.Link(name: name, destination: other.name, inverse: near.rest))
      }
      if far.number == entity.number,
        let owner = structure.entities.first(where: { $0.number == master })
      {
        links.append(
          EntityHints.Link(name: near.rest, destination: owner.name, inverse: name))
      }
    }
    return links
  }

  /// `12NAME` as a number and a name.
  private static func numbered(_ text: Substring) -> (number: Int64?, rest: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    return (Int64(digits), String(text.dropFirst(digits.count)))
  }
}
