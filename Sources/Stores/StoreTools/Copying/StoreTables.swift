internal import ManagedModels
internal import StoreFormat

/// What each table and column of a store is for, by its model.
struct StoreTables {
  /// One column of an entity's table.
  struct Column {
    /// What stands in it.
    enum Content: Equatable {
      /// Core Data's own: keys, entities' numbers, counters, places in an order.
      case own
      /// The key of a row of that table.
      case link(String)
      /// A value of a type, where the model says which.
      case value(AttributeType?, isExternal: Bool)
      /// How many rows a relationship leads to.
      case count
    }

    var name: String
    var content: Content
    /// Whether SQLite declares it for bytes.
    var isBlob: Bool

    /// The table that it leads to.
    var link: String? {
      if case .link(let table) = content { return table }
      return nil
    }

    var isValueOrLink: Bool {
      switch content {
      case .value, .link: true
      case .own, .count: false
      }
    }
  }

  /// A table of entities' rows.
  struct Table {
    var name: String
    /// In the order of the file.
    var columns: [Column]
    /// Asks for rows that a row must have at the other end of a relationship.
    var needed: [(query: String, destination: String)] = []
  }

  /// A table of pairs of keys.
  struct Join {
    var name: String
    /// Columns with the tables that they lead to.
    var ends: [(column: String, table: String)]
  }

  /// In the order of their roots' numbers.
  private(set) var entityTables: [Table] = []
  private(set) var joins: [Join] = []

  init(_ facts: StoreFacts, _ model: ManagedModel) {
    let numbers = Dictionary(facts.entities.map { ($0.name, $0.number) }) { first, _ in first }
    let layout = StoreLayout(model, numbers: numbers)
    for table in layout.tables {
      guard let types = facts.tables[table.name] else { continue }
      entityTables.append(self.table(table, types, layout, facts))
    }
    for join in layout.joins {
      // Which side names it is known from few stores: either will do.
      let number = layout.graph[join.inverse.entity]?.number ?? 0
      let names = [join.name, "Z_\(number)\(join.inverse.property.uppercased())"]
      let ends = [(join.own, join.master.entity), (join.far, join.inverse.entity)]
      let name = names.first { name in
        ends.allSatisfy { facts.tables[name]?[$0.0] != nil }
      }
      guard let name else { continue }
      joins.append(
        Join(name: name, ends: ends.map { ($0.0, layout.table(of: $0.1).name) }))
    }
  }

  private func table(
    _ table: TableLayout, _ types: [String: String], _ layout: StoreLayout, _ facts: StoreFacts
  ) -> Table {
    let known = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
    let links = StoreStructure.withoutEntityColumns(types)
    var found = Table(name: table.name, columns: [])
    for (name, type) in types.sorted(by: { $0.key < $1.key }) {
      var column = Column(
        name: name, content: .value(nil, isExternal: false), isBlob: type.uppercased() == "BLOB")
      if let place = known[name] {
        column.content = content(place, layout)
      } else if ["Z_PK", "Z_ENT", "Z_OPT"].contains(name) || links[name] == nil
        || name.hasPrefix("Z_FOK_")
      {
        column.content = .own
      }
      found.columns.append(column)
    }
    for node in layout.graph.nodes where layout.table(of: node.name).name == table.name {
      for relationship in node.entity.relationships
      where relationship.isToMany && relationship.minimumCount > 0 {
        guard let storage = layout.storage(of: relationship.name, in: node) else { continue }
        let (name, key, own): (String, String, String)
        switch storage {
        case .own: continue
        case .destination(let table, let column, _): (name, key, own) = (table, "Z_PK", column)
        case .join(let table, let own_, let far, _): (name, key, own) = (table, far, own_)
        }
        guard facts.tables[name]?[key] != nil, facts.tables[name]?[own] != nil else { continue }
        let (selected, condition) = (SQLite.quoted(key), SQLite.quoted(own))
        found.needed.append(
          (
            """
            SELECT \(selected) FROM \(SQLite.quoted(name)) WHERE \(condition) = ?
            ORDER BY \(selected) LIMIT \(relationship.minimumCount)
            """, layout.table(of: relationship.destination).name
          ))
      }
    }
    return found
  }

  private func content(_ place: ColumnLayout, _ layout: StoreLayout) -> Column.Content {
    let owner = layout.graph[place.entity]?.entity
    switch place.content {
    case .owner: return .link(layout.table(of: place.entity).name)
    case .toOne:
      let relationship = owner?.relationships.first { $0.name == place.path }
      guard let destination = relationship?.destination, layout.graph[destination] != nil else {
        return .own
      }
      return .link(layout.table(of: destination).name)
    case .attribute(let type):
      let attribute = owner?.attributes.first { $0.name == place.path }
      if attribute?.derivation?.hasPrefix("count") == true { return .count }
      return .value(type, isExternal: attribute?.isExternal ?? false)
    }
  }
}
