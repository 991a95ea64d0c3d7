/// The tables and indexes that a database really has, as far as they are a model's.
///
/// Core Data's own (Z_METADATA, Z_PRIMARYKEY, Z_MODELCACHE), the history (A…) and CloudKit's (ANSCK…) are no
/// part of it.
struct StoreStructure {
  /// Declared types by column, by table.
  private var tables: [String: [String: String]] = [:]
  /// Columns in the order of the index, by its name; unique ones of `CREATE UNIQUE INDEX` only.
  private var uniqueIndexes: [String: [String]] = [:]
  /// Names with their `Z_ENT`.
  private var entities: [String: Int64] = [:]
  private var hashedEntities: Set<String> = []

  init(of database: SQLite) throws {
    for table in try Self.tableNames(in: database) {
      let columns = try database.query(
        "SELECT name, type FROM pragma_table_info(?)", [.text(table)]
      ) { ($0.text(at: 0), $0.text(at: 1)) }
      tables[table] = Dictionary(columns) { first, _ in first }
      let indexes = try database.query(
        """
        SELECT list.name, info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
        WHERE list."unique" AND list.origin = 'c' ORDER BY list.name, info.seqno
        """, [.text(table)]
      ) { ($0.text(at: 0), $0.text(at: 1)) }
      for (index, column) in indexes { uniqueIndexes[index, default: []].append(column) }
    }
    for entity in try PrimaryKeyTable(database: database).entities() {
      entities[entity.name] = entity.number
    }
    hashedEntities = Set(try StoreMetadata(of: database).hashedEntityNames)
  }

  /// Whether Core Data would have made this of a model.
  func isOf(_ layout: StoreLayout) -> Bool {
    var expected: [String: [String: String]] = [:]
    for table in layout.tables {
      var columns = ["Z_PK": "INTEGER", "Z_ENT": "INTEGER", "Z_OPT": "INTEGER"]
      for column in table.columns { columns[column.name] = column.type }
      expected[table.name] = columns
    }
    for join in layout.joins { expected[join.name] = [join.own: "INTEGER", join.far: "INTEGER"] }
    let indexes = layout.tables.flatMap(\.indexes).filter(\.isUnique)
    let numbers = Dictionary(
      layout.graph.nodes.map { ($0.name, Int64($0.number)) }
    ) { first, _ in first }
    return tables.mapValues(Self.withoutEntityColumns) == expected && entities == numbers
      && hashedEntities == Set(numbers.keys)
      && uniqueIndexes == Dictionary(indexes.map { ($0.name, $0.columns) }) { first, _ in first }
  }

  /// A link to an entity with subentities has a second column, `Z<number>_NAME`, with the `Z_ENT` of the
  /// destination (L: published schemas of Apple's). It is not needed to read, and not written here.
  private static func withoutEntityColumns(_ columns: [String: String]) -> [String: String] {
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

  /// Tables of entities and of many-to-many relationships, sorted. They are upper case throughout, which
  /// Core Data's tables of R-tree indexes are not.
  static func tableNames(in database: SQLite) throws -> [String] {
    try database.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
      $0.text(at: 0)
    }.filter { name in
      name.hasPrefix("Z") && name == name.uppercased()
        && !["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains(name)
    }
  }

  /// The statements of the model's tables and of their indexes with its entities' numbers, one on each line.
  static func text(of database: SQLite) throws -> String {
    var lines = try PrimaryKeyTable(database: database).entities().map {
      "\($0.number) \($0.name) below \($0.superNumber)"
    }
    let tables = Set(try tableNames(in: database))
    lines += try database.query(
      """
      SELECT tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL
      ORDER BY type DESC, name
      """
    ) { ($0.text(at: 0), $0.text(at: 1)) }
    .filter { tables.contains($0.0) }
    .map { $0.1.filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension StoreFile {
  /// The tables, columns and indexes of the model's in words of SQL, in an order that depends on nothing
  /// else: equal for a migrated store and for a new one of the same model.
  public func structure() throws -> String {
    guard contents != .empty else { return "" }
    return try StoreStructure.text(of: database)
  }
}
