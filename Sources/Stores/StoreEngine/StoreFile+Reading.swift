public import ManagedModels
public import StoreFormat

extension StoreFile {
  /// Rows of an entity in the order of their keys, including subentities' rows if requested. Each row has the values
  /// for the slots of its actual entity.
  ///
  /// - Parameters:
  ///   - after: Only greater keys are returned.
  ///   - limit: The maximum number of rows.
  public func rows(
    of entity: String, includingSubentities: Bool = true, after: Int64? = nil, limit: Int? = nil
  ) throws -> [StoreRow] {
    let reader = try reader(of: entity, includingSubentities: includingSubentities)
    let statement = try database.prepare(reader.page)
    defer { statement.reset() }
    try statement.bind(.integer(after ?? .min), at: 1)
    // SQLite treats a negative limit as no limit.
    try statement.bind(.integer(limit.map { Int64(max(0, $0)) } ?? -1), at: 2)
    var rows: [StoreRow] = []
    while try statement.step() { rows.append(reader.row(statement)) }
    return rows
  }

  /// The result of `make` for each row's identifier, including subentities' rows, in the order of their keys.
  public func identifiers<Identifier>(
    of entity: String, _ make: (ObjectID) -> Identifier
  ) throws -> [Identifier] {
    let layout = try adopted()
    let node = try layout.graph.node(entity)
    let filter = RowReader.filter(layout, node, includingSubentities: true)
    let names = entityNames(inTableOf: entity, layout)
    return try database.query(
      "SELECT Z_PK, Z_ENT FROM \(layout.table(of: entity).name)"
        + (filter.map { " WHERE \($0)" } ?? "") + " ORDER BY Z_PK", []
    ) { statement in
      make(
        ObjectID(
          entity: names[statement.integer(at: 1)] ?? entity, key: statement.integer(at: 0)))
    }
  }

  /// Returns the row with a key in the table of an entity's root, or nil. The row's `id` names the row's actual entity.
  public func row(_ id: ObjectID) throws -> StoreRow? {
    let root = try adopted().graph.node(id.entity).root
    let reader = try reader(of: root, includingSubentities: true)
    let statement = try database.prepare(reader.single)
    defer { statement.reset() }
    try statement.bind(.integer(id.key), at: 1)
    return try statement.step() ? reader.row(statement) : nil
  }

  /// How many rows an entity has.
  public func count(of entity: String, includingSubentities: Bool = true) throws -> Int {
    let reader = try reader(of: entity, includingSubentities: includingSubentities)
    guard case .integer(let count)? = try database.value(reader.count) else { return 0 }
    return Int(count)
  }

  /// The greatest key in the table of an entity's root; 0 for an empty one.
  public func lastKey(of entity: String) throws -> Int64 {
    let table = try adopted().table(of: entity)
    guard case .integer(let key)? = try database.value("SELECT MAX(Z_PK) FROM \(table.name)") else {
      return 0
    }
    return key
  }

  /// The rows at the other end of a to-many relationship, in the order of their keys.
  public func related(_ id: ObjectID, by relationship: String) throws -> [ObjectID] {
    let layout = try adopted()
    let node = try layout.graph.node(id.entity)
    guard let declared = node.relationships.first(where: { $0.name == relationship }),
      let storage = layout.storage(of: relationship, in: node)
    else {
      throw StoreError(.incompatibleModel, "'\(id.entity)' has no relationship '\(relationship)'")
    }
    let destination = layout.table(of: declared.destination)
    let query: String
    switch storage {
    case .own:
      throw StoreError(
        .incompatibleModel, "'\(id.entity).\(relationship)' is not a to-many relationship")
    case .destination(let table, let column, _):
      query = "SELECT Z_PK, Z_ENT FROM \(table) WHERE \(column) = ? ORDER BY Z_PK"
    case .join(let table, let own, let far, _):
      query = """
        SELECT Z_PK, Z_ENT FROM \(table) JOIN \(destination.name) ON Z_PK = \(far)
        WHERE \(own) = ? ORDER BY Z_PK
        """
    }
    let names = entityNames(inTableOf: declared.destination, layout)
    return try database.query(query, [.integer(id.key)]) { statement in
      ObjectID(
        entity: names[statement.integer(at: 1)] ?? declared.destination,
        key: statement.integer(at: 0))
    }
  }

  /// Returns the row whose properties (attributes or to-one relationships) have the given values, for the upsert of a
  /// unique constraint. A null matches nothing.
  public func row(
    of entity: String, where values: [String: StoredValue]
  ) throws -> ObjectID? {
    let layout = try adopted()
    let node = try layout.graph.node(entity)
    var conditions: [String] = []
    var wanted: [StoredValue] = []
    for (property, value) in values.sorted(by: { $0.key < $1.key }) {
      if value == .null { return nil }
      let columns = layout.columns(of: [property], in: node)
      guard columns.count == 1 else {
        throw StoreError(.incompatibleModel, "'\(entity).\(property)' is not one column")
      }
      conditions.append("\(columns[0]) = ?")
      wanted.append(value)
    }
    let table = layout.table(of: entity)
    if let filter = RowReader.filter(layout, node, includingSubentities: true) {
      conditions.append(filter)
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let names = entityNames(inTableOf: entity, layout)
    return try database.query(
      "SELECT Z_PK, Z_ENT FROM \(table.name)\(condition) ORDER BY Z_PK LIMIT 1", wanted
    ) { statement in
      ObjectID(
        entity: names[statement.integer(at: 1)] ?? entity, key: statement.integer(at: 0))
    }.first
  }

  private func entityNames(inTableOf entity: String, _ layout: StoreLayout) -> [Int64: String] {
    let root = layout.table(of: entity).root
    return Dictionary(
      (layout.graph[root]?.family ?? []).compactMap { layout.graph[$0] }
        .map { (Int64($0.number), $0.name) }
    ) { first, _ in first }
  }

  private func reader(of entity: String, includingSubentities: Bool) throws -> RowReader {
    let key = RowReader.Key(entity: entity, includingSubentities: includingSubentities)
    if let reader = readers[key] { return reader }
    let layout = try adopted()
    let reader = RowReader(
      layout, try layout.graph.node(entity), includingSubentities: includingSubentities)
    readers[key] = reader
    return reader
  }
}

extension StoreFile {
  /// The model's tables, columns and indexes as SQL text.
  ///
  /// A migrated table has the columns of a new one in another order (docs/facts/migration.md#migrated-is-not-fresh).
  /// Without `ordered` the columns are sorted, so the text is equal for a migrated and a new table.
  public func structure(ordered: Bool = false) throws -> String {
    guard contents != .empty else { return "" }
    return try StoreStructure.text(of: database, hasOrderedColumns: ordered)
  }
}
