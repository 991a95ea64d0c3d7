internal import ManagedModels

/// The places of a version's values in one store, by Core Data's rules and with the store's entity numbers.
package struct StoredVersion {
  /// The place of one entity's rows.
  package struct EntityPlace {
    package var name: String
    package var table: String
    /// `Z_ENT`; 0 for an entity that the store lacks.
    package var number: Int64
    /// The numbers of the entity and of its descendants, which also have its properties.
    package var family: [Int64]
    package var isShared: Bool
  }

  /// One column in addition to the three that every table has.
  package struct ColumnPlace {
    package var table: String
    package var column: String
    /// The declared type in SQLite; nil if unknown.
    package var type: String?
    /// The entity of the row whose `Z_PK` the column contains; nil for an attribute.
    package var destination: String?
    /// The entity that declares the property; the owner of a hidden column.
    package var entity: String
    package var property: String
    /// The name of the composite's element, or the property's name if the property is no composite.
    package var element: String
    package var isRequired: Bool
  }

  /// The table of a many-to-many relationship.
  package struct JoinPlace {
    package var table: String?
    /// The columns, each with the entity whose keys it contains.
    package var columns: [(name: String, entity: String)]
    /// The relationship after which the table is named.
    package var property: String
    /// The relationship and its inverse, as `Entity.property`.
    package var sides: [String]
  }

  /// A uniqueness constraint.
  package struct UniquePlace {
    package var table: String
    package var columns: [String]
    package var entity: String
    package var properties: [String]
  }

  package let name: String
  package private(set) var entities: [String: EntityPlace] = [:]
  package private(set) var columns: [ColumnPlace] = []
  package private(set) var joins: [JoinPlace] = []
  package private(set) var uniques: [UniquePlace] = []

  private let layout: StoreLayout
  private let structure: StoreStructure
  private let open: Set<String>

  package init(_ candidate: VersionCandidate, in structure: StoreStructure) {
    let tables = candidate.tables()
    name = candidate.name
    open = tables.open
    self.structure = structure
    layout = StoreLayout(tables.model, numbers: structure.numbers)
    for node in layout.graph.nodes {
      let table = layout.table(of: node.name)
      entities[node.name] = EntityPlace(
        name: node.name, table: table.name, number: Int64(node.number),
        family: node.family.compactMap { structure.numbers[$0] },
        isShared: (layout.graph[table.root]?.family.count ?? 1) > 1)
    }
    for table in layout.tables {
      columns += table.columns.map { place($0, in: table.name, candidate) }
    }
    joins = layout.joins.map(place)
    for node in layout.graph.nodes {
      uniques += node.entity.uniqueness.map { properties in
        UniquePlace(
          table: layout.table(of: node.name).name,
          columns: layout.columns(of: properties, in: node), entity: node.name,
          properties: properties)
      }
    }
  }

  private func place(
    _ column: ColumnLayout, in table: String, _ candidate: VersionCandidate
  ) -> ColumnPlace {
    let path = column.path.split(separator: ".").map(String.init)
    let property = path.first ?? column.path
    let element = path.last == "rawValue" ? path.dropLast().last : path.last
    let owner = layout.graph[column.entity]?.entity
    let relationship = owner?.relationships.first { $0.name == property }
    let attribute = owner?.attributes.first { $0.name == property }
    var place = ColumnPlace(
      table: table, column: column.name, type: column.type, destination: nil,
      entity: column.entity, property: property, element: element ?? property, isRequired: false)
    switch column.content {
    case .attribute:
      if candidate.gaps.types.contains("\(column.entity).\(column.path)") { place.type = nil }
      place.isRequired = path.count == 1 && attribute?.isOptional == false
    case .toOne:
      place.destination = relationship?.destination
      place.isRequired = relationship?.isOptional == false
    case .owner: place.destination = column.entity
    }
    return place
  }

  private func place(_ join: JoinLayout) -> JoinPlace {
    let columns = [(join.own, join.master.entity), (join.far, join.inverse.entity)]
    let table = [join.name, join.otherName].first { name in
      guard let actual = structure.tables[name] else { return false }
      return columns.allSatisfy { actual[$0.0] != nil }
    }
    return JoinPlace(
      table: table, columns: columns.map { (name: $0.0, entity: $0.1) },
      property: join.master.property,
      sides: [join.master, join.inverse].map { "\($0.entity).\($0.property)" })
  }

  package func lineage(of entity: String) -> [String] { layout.graph[entity]?.lineage ?? [] }

  // MARK: Comparison with the store

  /// What the store lacks of this version, and what the store has in addition; sorted.
  ///
  /// - Parameter hashed: The entities with hashes in the store.
  package func differences(hashed: Set<String>) -> [String] {
    var found: [String] = []
    let stored = Set(structure.entities.map(\.name))
    let wanted = Set(entities.keys)
    for name in wanted.subtracting(stored) { found.append("the store has no entity '\(name)'") }
    for entity in stored.subtracting(wanted) {
      found.append("the store has the entity '\(entity)', and \(name) does not")
    }
    if !hashed.isEmpty, hashed != stored {
      found.append("the store's metadata names other entities than its tables")
    }
    for entity in structure.entities where wanted.contains(entity.name) {
      let parent = structure.entities.first { $0.number == entity.superNumber }?.name
      if layout.graph[entity.name]?.lineage.dropLast().last != parent {
        found.append(
          "the store's entity '\(entity.name)' inherits from \(parent.map { "'\($0)'" } ?? "nothing")"
        )
      }
    }
    // If only one side has an entity, its other differences are not listed.
    let common = Set(entities.values.filter { stored.contains($0.name) }.map(\.table))
    for table in common { found += columnDifferences(of: table) }
    // The names of join tables contain entity numbers, which differ if the entities do.
    if wanted == stored { found += joinDifferences() }
    found += uniqueDifferences(common)
    return found.sorted()
  }

  private func columnDifferences(of table: String) -> [String] {
    guard let actual = structure.tables[table].map(StoreStructure.withoutEntityColumns) else {
      return ["the store has no table '\(table)'"]
    }
    var found: [String] = []
    let expected = columns.filter { $0.table == table }
    for place in expected {
      let property = "'\(place.entity).\(place.property)'"
      guard let type = actual[place.column]?.uppercased() else {
        found.append("the store has no column '\(table).\(place.column)' for \(property)")
        continue
      }
      if let wanted = place.type, wanted != type {
        found.append("\(property) is \(type) in the store, and \(wanted) in \(name)")
      }
    }
    guard !entities.values.contains(where: { $0.table == table && open.contains($0.name) }) else {
      return found
    }
    let names = Set(expected.map(\.column) + ["Z_PK", "Z_ENT", "Z_OPT"])
    for column in actual.keys where !names.contains(column) {
      found.append("the store has a column '\(table).\(column)', and \(name) does not")
    }
    return found
  }

  private func joinDifferences() -> [String] {
    var found: [String] = []
    var known = Set(entities.values.map(\.table))
    for join in joins {
      if let table = join.table {
        known.insert(table)
      } else {
        found.append("the store has no table for '\(join.columns[0].entity).\(join.property)'")
      }
    }
    for table in structure.tables.keys where !known.contains(table) {
      found.append("the store has a table '\(table)', and \(name) does not")
    }
    return found
  }

  private func uniqueDifferences(_ tables: Set<String>) -> [String] {
    // Indexes are compared by columns, since the name of an index on an element of a composite was never seen.
    var found: [String] = []
    let expected = uniques.filter { tables.contains($0.table) }
    for unique in expected
    where !structure.uniqueIndexes.values.contains(where: {
      $0.table == unique.table && $0.columns == unique.columns
    }) {
      found.append(
        "\(name) has '\(unique.entity)' unique by \(unique.properties.joined(separator: ", ")), and the store does not"
      )
    }
    for (index, place) in structure.uniqueIndexes
    where tables.contains(place.table)
      && !expected.contains(where: { $0.table == place.table && $0.columns == place.columns })
    {
      found.append("the store has a unique index '\(index)', and \(name) does not")
    }
    return found
  }
}
