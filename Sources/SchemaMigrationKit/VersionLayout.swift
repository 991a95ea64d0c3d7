/// Where a version's values are in a store, by Core Data's rules: tables, columns, indexes.
///
/// Entities have the numbers that the store gave them.
struct VersionLayout {
  /// Where one entity's rows are.
  struct EntityPlace {
    var name: String
    var table: String
    var number: Int64
    /// The numbers of it and of those below it, which have its properties too.
    var family: [Int64]
    /// Whether others share the table.
    var isShared: Bool
  }

  /// One column beside the three that every table has.
  struct ColumnPlace {
    var table: String
    var column: String
    var type: MigrationOutline.ColumnType?
    var content: Content
    /// Who declares the property, and its name; for a hidden column the owner's.
    var entity: String
    var property: String
    /// The name of the composite's element; otherwise the property's.
    var element: String
    /// Whether a row must have a value in it.
    var isRequired: Bool

    enum Content: Equatable {
      case attribute
      /// The `Z_PK` of a row of an entity.
      case link(to: String)
    }
  }

  /// The table of a many-to-many relationship. Which side names it is known from few stores: any will do.
  struct Join {
    var tables: [String]
    var columns: [(name: String, entity: String)]
    var property: String
  }

  /// A uniqueness constraint.
  struct Unique {
    var table: String
    var columns: [String]
    var entity: String
    var properties: [String]
  }

  let version: MigrationOutline.Version
  /// By name.
  private(set) var entities: [String: EntityPlace] = [:]
  private(set) var columns: [ColumnPlace] = []
  private(set) var joins: [Join] = []
  private(set) var uniques: [Unique] = []

  private let byName: [String: MigrationOutline.Entity]

  init(_ version: MigrationOutline.Version, in shape: StoreShape) {
    self.version = version
    byName = Dictionary(version.entities.map { ($0.name, $0) }) { first, _ in first }
    let numbers = Dictionary(shape.entities.map { ($0.name, $0.number) }) { first, _ in first }
    // An entity that the store does not have: the rest is then only compared for what is said of it.
    let ordered = version.entities.sorted {
      (numbers[$0.name] ?? .max, $0.name.lowercased()) < (
        numbers[$1.name] ?? .max, $1.name.lowercased()
      )
    }
    var names = ColumnNames(reserved: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"])
    var tables: [String: String] = [:]
    for root in ordered where root.parent == nil {
      tables[root.name] = names.claim("Z" + root.name.uppercased())
    }
    for entity in ordered {
      let root = root(of: entity)
      let below = ordered.filter { lineage(of: $0).contains(entity.name) }
      entities[entity.name] = EntityPlace(
        name: entity.name, table: tables[root] ?? "Z" + root.uppercased(),
        number: numbers[entity.name] ?? 0, family: below.compactMap { numbers[$0.name] },
        isShared: ordered.filter { self.root(of: $0) == root }.count > 1)
    }
    for root in ordered where root.parent == nil {
      layColumns(ordered.filter { self.root(of: $0) == root.name }, ordered)
    }
    for entity in ordered { layJoins(entity) }
    for entity in ordered { layUniques(entity) }
  }

  // MARK: - Entities

  /// From the entity itself up to its root. Ends where a parent is missing, and in a circle.
  private func lineage(of entity: MigrationOutline.Entity) -> [String] {
    var names = [entity.name]
    while let last = names.last, let parent = byName[last]?.parent, byName[parent] != nil,
      !names.contains(parent)
    {
      names.append(parent)
    }
    return names
  }

  private func root(of entity: MigrationOutline.Entity) -> String {
    lineage(of: entity).last ?? entity.name
  }

  /// The relationship at the other end, with the entity that declares it.
  private func inverse(
    of relationship: MigrationOutline.Relationship
  ) -> (entity: String, relationship: MigrationOutline.Relationship)? {
    guard let name = relationship.inverse, let destination = byName[relationship.destination]
    else { return nil }
    for entity in lineage(of: destination) {
      if let found = byName[entity]?.relationships.first(where: { $0.name == name }) {
        return (entity, found)
      }
    }
    return nil
  }

  /// The entity of a name, and those above it.
  func lineage(of name: String) -> [String] {
    byName[name].map { lineage(of: $0) } ?? []
  }

  // MARK: - Columns

  private mutating func layColumns(
    _ family: [MigrationOutline.Entity], _ all: [MigrationOutline.Entity]
  ) {
    var names = ColumnNames(reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
    for entity in family {
      guard let table = entities[entity.name]?.table else { continue }
      // A collision gives the later one a number: ZID, ZID1. Properties come before elements of composites.
      let leaves = entity.attributes.flatMap { attribute in
        attribute.columns.map {
          column -> (
            attribute: MigrationOutline.Attribute, column: MigrationOutline.Column, isElement: Bool
          ) in
          let isElement = attribute.columns.count > 1 || column.name != attribute.name
          return (attribute, column, isElement)
        }
      }.sorted { one, other in
        (one.isElement ? 1 : 0, one.attribute.name, one.column.name)
          < (other.isElement ? 1 : 0, other.attribute.name, other.column.name)
      }
      for leaf in leaves {
        columns.append(
          ColumnPlace(
            table: table, column: names.claim("Z" + leaf.column.name.uppercased()),
            type: leaf.column.type, content: .attribute, entity: entity.name,
            property: leaf.attribute.name, element: leaf.column.name,
            isRequired: !leaf.isElement && !leaf.attribute.isOptional))
      }
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
      where !relationship.isToMany {
        columns.append(
          ColumnPlace(
            table: table, column: names.claim("Z" + relationship.name.uppercased()),
            type: .integer, content: .link(to: relationship.destination), entity: entity.name,
            property: relationship.name, element: relationship.name,
            isRequired: !relationship.isOptional))
      }
      for owner in all {
        let number = entities[owner.name]?.number ?? 0
        for relationship in owner.relationships.sorted(by: { $0.name < $1.name })
        where relationship.isToMany && relationship.inverse == nil
          && relationship.destination == entity.name
        {
          columns.append(
            ColumnPlace(
              table: table, column: names.claim("Z\(number)" + relationship.name.uppercased()),
              type: .integer, content: .link(to: owner.name), entity: owner.name,
              property: relationship.name, element: relationship.name, isRequired: false))
        }
      }
    }
  }

  // MARK: - Many to many

  private mutating func layJoins(_ entity: MigrationOutline.Entity) {
    for relationship in entity.relationships where relationship.isToMany {
      guard let inverse = inverse(of: relationship), inverse.relationship.isToMany else { continue }
      let isReflexive =
        inverse.entity == entity.name && inverse.relationship.name == relationship.name
      // Each pair is met from both sides.
      guard
        isReflexive
          || (entity.name, relationship.name) < (inverse.entity, inverse.relationship.name)
      else { continue }
      let own = entities[entity.name]?.number ?? 0
      let other = entities[inverse.entity]?.number ?? 0
      let name = relationship.name.uppercased()
      let inverseName = inverse.relationship.name.uppercased()
      joins.append(
        Join(
          tables: isReflexive
            ? ["Z_\(own)\(name)"] : ["Z_\(own)\(name)", "Z_\(other)\(inverseName)"],
          columns: [
            ("Z_\(own)\(inverseName)", entity.name),
            (isReflexive ? "REFLEXIVE" : "Z_\(other)\(name)", inverse.entity),
          ], property: relationship.name))
    }
  }

  // MARK: - Unique

  private mutating func layUniques(_ entity: MigrationOutline.Entity) {
    guard let place = entities[entity.name] else { return }
    let lineage = Set(lineage(of: entity))
    for properties in entity.uniques {
      let found = properties.flatMap { property in
        // "address.street" is one column of a composite attribute.
        let path = property.split(separator: ".").map(String.init)
        return columns.filter { column in
          column.property == path.first && lineage.contains(column.entity)
            && column.table == place.table
            && (path.count == 1 || path.last == "rawValue" || column.element == path.last)
        }.map(\.column)
      }
      uniques.append(
        Unique(
          table: place.table, columns: found, entity: entity.name, properties: properties))
    }
  }

  // MARK: - Held against a store

  /// What is not in the store as this version has it, and what the store has beside it; sorted.
  func differences(from shape: StoreShape) -> [String] {
    var found: [String] = []
    let stored = Set(shape.entities.map(\.name))
    let wanted = Set(version.entities.map(\.name))
    for name in wanted.subtracting(stored) { found.append("the store has no '\(name)'") }
    for name in stored.subtracting(wanted) {
      found.append("the store has '\(name)', and \(version.name) does not")
    }
    if !shape.hashes.isEmpty, Set(shape.hashes.keys) != stored {
      found.append("the store's metadata name other entities than its tables")
    }
    for entity in shape.entities where wanted.contains(entity.name) {
      let parent = shape.entities.first { $0.number == entity.parentNumber }?.name
      if byName[entity.name]?.parent != parent {
        found.append("'\(entity.name)' inherits from \(parent.map { "'\($0)'" } ?? "nothing")")
      }
    }
    // Of an entity that only one of them has, nothing else needs to be said.
    let common = Set(entities.values.filter { stored.contains($0.name) }.map(\.table))
    for table in common { found += columnDifferences(of: table, shape) }
    found += joinDifferences(shape, isSame: wanted == stored)
    found += uniqueDifferences(shape, common)
    return found.sorted()
  }

  private func columnDifferences(of table: String, _ shape: StoreShape) -> [String] {
    guard let actual = shape.tables[table].map(withoutEntityColumns) else {
      return ["the store has no table '\(table)'"]
    }
    var found: [String] = []
    let expected = columns.filter { $0.table == table }
    for place in expected {
      let name = "'\(place.entity).\(place.property)'"
      guard let type = actual[place.column] else {
        found.append("the store has no column '\(table).\(place.column)' for \(name)")
        continue
      }
      if let wanted = place.type, wanted.rawValue != type {
        found.append("\(name) is \(type) in the store, and \(wanted.rawValue) in \(version.name)")
      }
    }
    let isOpen = version.entities.contains { $0.isOpen && entities[$0.name]?.table == table }
    guard !isOpen else { return found }
    let names = Set(expected.map(\.column) + ["Z_PK", "Z_ENT", "Z_OPT"])
    for column in actual.keys where !names.contains(column) {
      found.append("the store has a column '\(table).\(column)', and \(version.name) does not")
    }
    return found
  }

  /// A link to an entity with others below it has a second column, `Z<number>_NAME`, with the destination's `Z_ENT`.
  private func withoutEntityColumns(_ columns: [String: String]) -> [String: String] {
    columns.filter { name, _ in
      guard name.hasPrefix("Z"), !["Z_PK", "Z_ENT", "Z_OPT"].contains(name) else { return true }
      let digits = name.dropFirst().prefix { ("0"..."9").contains($0) }
      let rest = name.dropFirst(1 + digits.count)
      return digits.isEmpty || !rest.hasPrefix("_") || columns["Z" + rest.dropFirst()] == nil
    }
  }

  /// The table of a many-to-many relationship that the store has.
  func table(of join: Join, in shape: StoreShape) -> String? {
    join.tables.first { table in
      guard let columns = shape.tables[table] else { return false }
      return join.columns.allSatisfy { columns[$0.name] != nil }
    }
  }

  private func joinDifferences(_ shape: StoreShape, isSame: Bool) -> [String] {
    // Their names have numbers of entities in them, and these are others where the entities are.
    guard isSame else { return [] }
    var found: [String] = []
    var known = Set(entities.values.map(\.table))
    for join in joins {
      if let table = table(of: join, in: shape) {
        known.insert(table)
      } else {
        found.append("the store has no table for '\(join.columns[0].entity).\(join.property)'")
      }
    }
    for table in shape.tables.keys where !known.contains(table) {
      found.append("the store has a table '\(table)', and \(version.name) does not")
    }
    return found
  }

  private func uniqueDifferences(_ shape: StoreShape, _ tables: Set<String>) -> [String] {
    // By columns, not by names: what an index over an element of a composite is called was never seen.
    var found: [String] = []
    let expected = uniques.filter { tables.contains($0.table) }
    for unique in expected
    where !shape.uniqueIndexes.values.contains(where: {
      $0.table == unique.table && $0.columns == unique.columns
    }) {
      found.append(
        "\(version.name) has '\(unique.entity)' unique by \(unique.properties.joined(separator: ", ")), and the store does not"
      )
    }
    for (index, place) in shape.uniqueIndexes
    where tables.contains(place.table)
      && !expected.contains(where: { $0.table == place.table && $0.columns == place.columns })
    {
      found.append("the store has a unique index '\(index)', and \(version.name) does not")
    }
    return found
  }
}

/// Names that SQLite would take for one another get a number: ZID, ZID1.
private struct ColumnNames {
  private var taken: Set<String>

  init(reserved: Set<String>) { taken = reserved }

  mutating func claim(_ name: String) -> String {
    var claimed = name
    var number = 1
    while !taken.insert(claimed).inserted {
      claimed = "\(name)\(number)"
      number += 1
    }
    return claimed
  }
}
