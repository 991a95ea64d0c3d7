internal import ManagedModels

/// The actual tables and indexes of a database that belong to a model.
///
/// The tables of Core Data itself (Z_METADATA, Z_PRIMARYKEY, Z_MODELCACHE), of the history (A…) and of CloudKit
/// (ANSCK…) are not included.
package struct StoreStructure: Sendable {
  /// Declared types by column, by table.
  package private(set) var tables: [String: [String: String]] = [:]
  /// A row of `Z_PRIMARYKEY`.
  package struct Entity: Sendable {
    package var number: Int64
    package var name: String
    /// `Z_ENT` of the superentity, or 0.
    package var superNumber: Int64
  }

  /// The table and ordered columns of each index by name, for indexes created by `CREATE UNIQUE INDEX` only.
  package private(set) var uniqueIndexes: [String: (table: String, columns: [String])] = [:]
  /// The columns of each `UNIQUE` inside a `CREATE TABLE`, by table; earlier frameworks write constraints this way.
  private var ownConstraints: [String: Set<[String]>] = [:]
  package private(set) var entities: [Entity] = []
  private var hashedEntities: Set<String> = []
  /// The old names in `Z_PRIMARYKEY` of entities that a migration has renamed, by their present names.
  package private(set) var formerNames: [String: String] = [:]

  package var numbers: [String: Int64] {
    Dictionary(entities.map { ($0.name, $0.number) }) { first, _ in first }
  }

  package init(tables: [String: [String: String]], entities: [Entity]) {
    self.tables = tables
    self.entities = entities
  }

  package init(of database: SQLite) throws {
    try self.init(of: database, StoreMetadata(of: database))
  }

  package init(of database: SQLite, _ metadata: StoreMetadata) throws {
    for table in try Self.tableNames(in: database) {
      let columns = try database.query(
        "SELECT name, type FROM pragma_table_info(?)", [.text(table)]
      ) { ($0.text(at: 0), $0.text(at: 1)) }
      tables[table] = Dictionary(columns) { first, _ in first }
      let indexes = try database.query(
        """
        SELECT list.name, info.name, list.origin FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
        WHERE list."unique" AND list.origin IN ('c', 'u') ORDER BY list.name, info.seqno
        """, [.text(table)]
      ) { ($0.text(at: 0), $0.text(at: 1), $0.text(at: 2)) }
      var constraints: [String: [String]] = [:]
      for (index, column, origin) in indexes {
        if origin == "c" {
          uniqueIndexes[index, default: (table, [])].columns.append(column)
        } else {
          constraints[index, default: []].append(column)
        }
      }
      ownConstraints[table] = Set(constraints.values)
    }
    entities = try PrimaryKeyTable(database: database).entities()
    hashedEntities = Set(metadata.hashedEntityNames)
    takeNewNames()
  }

  /// Applies new names of entities: a Core Data migration that renames an entity renames its table, and may leave the
  /// old name in `Z_PRIMARYKEY` (docs/facts/store-format.md#renamed-entities).
  private mutating func takeNewNames() {
    let listed = Set(entities.map(\.name))
    let new = hashedEntities.subtracting(listed)
    let stale = entities.indices.filter { !hashedEntities.contains(entities[$0].name) }
    guard !new.isEmpty, new.count == stale.count else { return }
    func hasTable(_ name: String) -> Bool { tables["Z" + name.uppercased()] != nil }
    // Numbers follow the order of names, except for subentities, which come after their superentity.
    let numbers = Dictionary(
      hashedEntities.sorted { ModelGraph.precedes($0, $1) }.enumerated().map {
        ($1, Int64($0 + 1))
      }
    ) { first, _ in first }
    let isFlat = entities.allSatisfy { $0.superNumber == 0 }
    for place in stale {
      let entity = entities[place]
      guard entity.superNumber != 0 || !hasTable(entity.name) else { continue }
      let fitting = new.filter { name in
        (entity.superNumber != 0 || hasTable(name)) && formerNames[name] == nil
          && (new.count == 1 || isFlat && numbers[name] == entity.number)
      }
      guard let name = fitting.first, fitting.count == 1 else { continue }
      formerNames[name] = entity.name
      entities[place].name = name
    }
  }

  package func isOf(_ layout: StoreLayout) -> Bool {
    let numbers = Self.numbers(of: layout)
    return tables.mapValues(Self.withoutEntityColumns) == Self.tables(of: layout)
      && self.numbers == numbers && hashedEntities == Set(numbers.keys)
      && uniqueIndexes.mapValues(\.columns)
        == Self.uniqueIndexes(of: layout).mapValues(\.columns)
  }

  /// The differences from Core Data's layout of a model, in either direction: a line for each table, column, unique
  /// index and entity, sorted.
  package func differences(from layout: StoreLayout) -> [String] {
    var found: [String] = []
    let expected = Self.tables(of: layout)
    // The column with a row's position in an ordered relationship is in no model.
    let actual = tables.mapValues { columns in
      Self.withoutEntityColumns(columns).filter { !$0.key.hasPrefix("Z_FOK_") }
    }
    // If both sides belong to one entity, the table's name is a guess
    // (docs/facts/store-format.md#many-to-many-within-one-entity).
    let joins = layout.joins.filter { join in
      join.master.entity == join.inverse.entity && actual[join.name] == nil
        && actual[join.otherName] == expected[join.name]
    }
    let same = Set(joins.flatMap { [$0.name, $0.otherName] })
    for name in Set(expected.keys).union(actual.keys).subtracting(same) {
      switch (expected[name], actual[name]) {
      case (let wanted?, let columns?):
        for column in Set(wanted.keys).union(columns.keys) where wanted[column] != columns[column] {
          found.append(Self.line("column", "\(name).\(column)", columns[column], wanted[column]))
        }
      case (let wanted, let columns):
        found.append(Self.line("table", name, columns.map { _ in "" }, wanted.map { _ in "" }))
      }
    }
    let indexes = Self.uniqueIndexes(of: layout)
    for name in Set(indexes.keys).union(uniqueIndexes.keys)
    where indexes[name]?.columns != uniqueIndexes[name]?.columns {
      let (wanted, actual) = (indexes[name]?.columns, uniqueIndexes[name]?.columns)
      if actual == nil, let index = indexes[name],
        ownConstraints[index.table]?.contains(index.columns) == true
      {
        continue
      }
      found.append(
        Self.line(
          "unique index", name, actual?.joined(separator: ", "), wanted?.joined(separator: ", ")))
    }
    let wanted = Self.numbers(of: layout)
    let own = numbers
    for name in Set(wanted.keys).union(own.keys) where wanted[name] != own[name] {
      found.append(
        Self.line("entity", name, own[name].map(String.init), wanted[name].map(String.init)))
    }
    return found.sorted()
  }

  /// Columns of a model that its tables lack, `ZTRIP.ZNAME`, sorted.
  ///
  /// A table with an additional column may hold the missing column under another name
  /// (docs/facts/store-format.md#column-claims).
  package func missingColumns(of layout: StoreLayout) -> [String] {
    Self.tables(of: layout).flatMap { name, wanted -> [String] in
      guard let columns = tables[name].map(Self.withoutEntityColumns) else { return [] }
      let isOwn = columns.keys.allSatisfy { wanted[$0] != nil || $0.hasPrefix("Z_") }
      return isOwn ? wanted.keys.filter { columns[$0] == nil }.map { "\(name).\($0)" } : []
    }.sorted()
  }

  private static func line(
    _ kind: String, _ name: String, _ actual: String?, _ expected: String?
  ) -> String {
    switch (actual, expected) {
    case (let actual?, let expected?):
      "\(kind) '\(name)' is '\(actual)' instead of '\(expected)'"
    case (_?, nil): "\(kind) '\(name)' is unexpected"
    case (nil, _): "\(kind) '\(name)' is missing"
    }
  }

  private static func tables(of layout: StoreLayout) -> [String: [String: String]] {
    var tables: [String: [String: String]] = [:]
    for table in layout.tables { tables[table.name] = table.types }
    for join in layout.joins { tables[join.name] = [join.own: "INTEGER", join.far: "INTEGER"] }
    return tables
  }

  private static func uniqueIndexes(
    of layout: StoreLayout
  ) -> [String: (table: String, columns: [String])] {
    let indexes = layout.tables.flatMap { table in
      table.indexes.filter(\.isUnique).map { ($0.name, (table: table.name, columns: $0.columns)) }
    }
    return Dictionary(indexes) { first, _ in first }
  }

  private static func numbers(of layout: StoreLayout) -> [String: Int64] {
    Dictionary(layout.graph.nodes.map { ($0.name, Int64($0.number)) }) { first, _ in first }
  }

  /// Leaves out the second column of each link to an entity with subentities: `Z<number>_NAME`, with the destination's
  /// `Z_ENT` (likely, from published schemas of Apple's apps). It is not needed for reading, and not written here.
  package static func withoutEntityColumns(_ columns: [String: String]) -> [String: String] {
    columns.filter { name, _ in
      guard name.hasPrefix("Z"), name != "Z_PK", name != "Z_ENT", name != "Z_OPT" else {
        return true
      }
      let digits = name.dropFirst().prefix { ("0"..."9").contains($0) }
      let rest = name.dropFirst(1 + digits.count)
      return digits.isEmpty || !rest.hasPrefix("_") || columns["Z" + rest.dropFirst()] == nil
    }
  }

  // MARK: Reading

  /// Tables of entities and of many-to-many relationships, sorted. The names are entirely upper case, unlike those of
  /// Core Data's tables for R-tree indexes.
  package static func tableNames(in database: SQLite) throws -> [String] {
    // Virtual tables have no pages, and are never Core Data's tables.
    try database.query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    ) { $0.text(at: 0) }.filter { name in
      name.hasPrefix("Z") && name == name.uppercased()
        && !["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains(name)
    }
  }

  /// The model's entities with their numbers, and the SQL of its tables and indexes, one per line. Columns are in the
  /// file's order or sorted.
  package static func text(of database: SQLite, hasOrderedColumns: Bool) throws -> String {
    var lines = try PrimaryKeyTable(database: database).entities().map {
      "\($0.number) \($0.name) below \($0.superNumber)"
    }
    let tables = Set(try tableNames(in: database))
    let statements = try database.query(
      """
      SELECT tbl_name, type, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL
      ORDER BY type DESC, name
      """
    ) { (table: $0.text(at: 0), isTable: $0.text(at: 1) == "table", sql: $0.text(at: 2)) }
    for (table, isTable, sql) in statements where tables.contains(table) {
      if isTable, !hasOrderedColumns {
        let columns = try database.query(
          "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk = 0, pk, name",
          [.text(table)]
        ) { "\($0.text(at: 0)) \($0.text(at: 1))" + ($0.integer(at: 2) > 0 ? " PRIMARY KEY" : "") }
        lines.append("TABLE \(table) ( \(columns.joined(separator: ", ")) )")
      } else {
        lines.append(
          sql.filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
