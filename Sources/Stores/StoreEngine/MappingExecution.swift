public import ManagedModels
internal import StoreFormat

/// Runs an inferred mapping on a store, inside the caller's transaction. All work is done in SQL, so no row passes
/// through Swift. Primary keys are kept. A table that only gains or renames columns is altered in place, as in Core
/// Data (docs/facts/migration.md#alter-table); any other changed table is copied.
struct MappingExecution {
  private let mapping: InferredMapping
  private let source: StoreLayout
  private let target: StoreLayout
  private let database: SQLite
  /// The temporary names of old tables, by their original names.
  private var aside: [String: String] = [:]

  init(
    _ mapping: InferredMapping, from source: StoreLayout, to target: StoreLayout,
    in database: SQLite
  ) {
    self.mapping = mapping
    self.source = source
    self.target = target
    self.database = database
  }

  /// Throws `StoreError.migrationFailed` for a row that lacks a required value, and for rows that violate a new unique
  /// constraint.
  mutating func run() throws {
    let maximums = try keyMaximums()
    var alterations: [String: Alteration] = [:]
    for table in target.tables { alterations[table.name] = try alteration(of: table) }
    let keptJoins = Set(target.joins.filter(isKept).map(\.name))
    for table in source.tables.map(\.name) where alterations[table] == nil {
      try setAside(table)
    }
    for join in source.joins.map(\.name) where !keptJoins.contains(join) { try setAside(join) }
    for table in target.tables {
      if let alteration = alterations[table.name] {
        try alter(table, alteration)
      } else {
        try database.execute(table.statement)
        try fill(table)
      }
    }
    for join in target.joins where !keptJoins.contains(join.name) {
      try database.execute(join.statement)
      try fill(join)
    }
    for table in aside.values.sorted() { try database.execute("DROP TABLE \(table)") }
    try checkDemands()
    for table in target.tables {
      try index(table.name, by: table.indexes)
    }
    for join in target.joins where !keptJoins.contains(join.name) {
      try database.execute(join.indexStatement)
    }
    try PrimaryKeyTable(database: database).write(target.graph, maximums: maximums)
  }

  private mutating func setAside(_ table: String) throws {
    aside[table] = "OLD_\(table)"
    try database.execute("ALTER TABLE \(table) RENAME TO OLD_\(table)")
  }

  private func old(_ table: String) -> String { aside[table] ?? table }

  // MARK: What stays

  /// The changes to a table whose rows stay in place.
  private struct Alteration {
    var renamed: [(from: String, to: String)] = []
    var added: [ColumnLayout] = []
    /// The constants of an entity's rows in new columns. All other rows get NULL.
    var constants: [(entity: Int, column: String, value: StoredValue)] = []
  }

  /// Returns nil if rows must be copied: a column is removed, declared or computed differently, or an entity is added,
  /// removed or inherits differently.
  private func alteration(of table: TableLayout) throws -> Alteration? {
    guard let before = source.graph[table.root], before.superNumber == 0,
      let family = target.graph[table.root]?.family, Set(family) == Set(before.family)
    else { return nil }
    let old = source.table(of: table.root)
    guard old.name == table.name, try hasExactly(old) else { return nil }

    var alteration = Alteration()
    var left = Dictionary(old.columns.map { ($0.name, $0) }) { first, _ in first }
    for column in table.columns {
      let owners = owners(of: column, among: family, in: target)
      let expressions = owners.compactMap { entity in
        mapping[entity].map { expression(for: column, in: $0) }
      }
      guard expressions.count == owners.count else { return nil }
      guard case .column(let origin)? = expressions.first else {
        for (entity, expression) in zip(owners, expressions) {
          switch expression {
          case .null: continue
          case .expression("?", let constants):
            guard let number = target.graph[entity]?.number else { return nil }
            alteration.constants += constants.map { (number, column.name, $0) }
          case .column, .expression: return nil
          }
        }
        alteration.added.append(column)
        continue
      }
      guard let oldColumn = left.removeValue(forKey: origin), oldColumn.type == column.type,
        expressions.allSatisfy({ $0 == expressions[0] }),
        owners == self.owners(of: oldColumn, among: family, in: source)
      else { return nil }
      if origin != column.name { alteration.renamed.append((origin, column.name)) }
    }
    let names = Set(old.columns.map(\.name))
    let new = alteration.added.map(\.name) + alteration.renamed.map(\.to)
    return left.isEmpty && names.isDisjoint(with: new) ? alteration : nil
  }

  private func hasExactly(_ table: TableLayout) throws -> Bool {
    let types = table.types
    let found = try database.query(
      "SELECT name, type FROM pragma_table_info(?)", [.text(table.name)]
    ) { ($0.text(at: 0), $0.text(at: 1)) }
    return found.count == types.count && found.allSatisfy { types[$0.0] == $0.1 }
  }

  private func owners(
    of column: ColumnLayout, among family: [String], in layout: StoreLayout
  ) -> [String] {
    family.filter { entity in
      column.isHidden || layout.graph[entity]?.lineage.contains(column.entity) == true
    }
  }

  private func alter(_ table: TableLayout, _ alteration: Alteration) throws {
    try renumber(table)
    for (old, new) in alteration.renamed {
      try database.execute("ALTER TABLE \(table.name) RENAME COLUMN \(old) TO \(new)")
    }
    for column in alteration.added {
      try database.execute("ALTER TABLE \(table.name) ADD COLUMN \(column.name) \(column.type)")
    }
    let isAlone = target.graph[table.root]?.family.count == 1
    for (entity, constants) in Dictionary(grouping: alteration.constants, by: \.entity)
      .sorted(by: { $0.key < $1.key })
    {
      let assignments = constants.map { "\($0.column) = ?" }.joined(separator: ", ")
      try database.run(
        "UPDATE \(table.name) SET \(assignments)\(isAlone ? "" : " WHERE Z_ENT = \(entity)")",
        constants.map(\.value))
    }
  }

  private func isKept(_ join: JoinLayout) -> Bool {
    let pairs = pairs(of: join)
    return source.joins.contains { $0.statement == join.statement }
      && pairs == ["SELECT \(join.own), \(join.far) FROM \(join.name)"]
  }

  private func renumber(_ table: TableLayout) throws {
    let family = target.graph[table.root]?.family ?? []
    let cases = family.compactMap { entity -> String? in
      guard let before = source.graph[entity]?.number, let after = target.graph[entity]?.number,
        before != after
      else { return nil }
      return " WHEN \(before) THEN \(after)"
    }
    guard !cases.isEmpty else { return }
    try database.execute(
      "UPDATE \(table.name) SET Z_ENT = CASE Z_ENT\(cases.joined()) ELSE Z_ENT END")
  }

  // MARK: Rows

  private func fill(_ table: TableLayout) throws {
    for entity in target.graph[table.root]?.family ?? [] {
      guard let mapping = mapping[entity], let before = mapping.source else { continue }
      var names = ["Z_PK", "Z_ENT", "Z_OPT"]
      var expressions = ["Z_PK", "\(mapping.target.number)", "Z_OPT"]
      var constants: [StoredValue] = []
      for column in table.columns {
        switch expression(for: column, in: mapping) {
        case .null: continue
        case .column(let sql): expressions.append(sql)
        case .expression(let sql, let values):
          expressions.append(sql)
          constants += values
        }
        names.append(column.name)
      }
      // If a table has only one entity, all of its rows belong to that entity, whatever `Z_ENT` they have.
      let isAlone = source.graph[before.root]?.family.count == 1
      try database.run(
        """
        INSERT INTO \(table.name) (\(names.joined(separator: ", ")))
        SELECT \(expressions.joined(separator: ", ")) FROM \(old(source.table(of: before.name).name)) AS row
        \(isAlone ? "" : "WHERE Z_ENT = \(before.number) ")ORDER BY Z_PK
        """, constants)
    }
  }

  /// A column of a migrated row as an expression of the old row, which is called `row`.
  private enum Expression: Equatable {
    case null
    case column(String)
    case expression(String, [StoredValue])
  }

  private func expression(
    for column: ColumnLayout, in mapping: InferredMapping.EntityMapping
  ) -> Expression {
    switch column.content {
    case .attribute:
      guard mapping.target.lineage.contains(column.entity),
        let value = mapping.values.first(where: { $0.path == column.path })
      else { return .null }
      return expression(for: value, in: mapping)
    case .toOne:
      guard mapping.target.lineage.contains(column.entity),
        let link = mapping.relationships.first(where: { $0.target.name == column.path })
      else { return .null }
      return expression(forLink: link, in: mapping)
    case .owner:
      guard let declarer = target.graph[column.entity],
        let relationship = declarer.entity.relationships.first(where: { $0.name == column.path }),
        mapping.target.lineage.contains(relationship.destination)
      else { return .null }
      return owner(by: sources(of: relationship.name, in: declarer.name), in: mapping)
    }
  }

  private func expression(
    for value: InferredMapping.ValueMapping, in mapping: InferredMapping.EntityMapping
  ) -> Expression {
    switch value.origin {
    case .null: return .null
    case .constant(let constant): return .expression("?", [constant])
    case .value(let path, let type, let nils):
      guard let before = mapping.source?.name, let layout = source.entities[before],
        let place = layout.index[path]
      else { return .null }
      let column = layout.slots[place].column
      let converted = Self.conversion(of: column, from: type, to: value.type)
      if let nils { return .expression("COALESCE(\(converted), ?)", [nils]) }
      return converted == column ? .column(column) : .expression(converted, [])
    }
  }

  /// Converts numbers as SQL does: fractions are truncated, too large values are clamped, and a Bool is true if the
  /// number is not 0. Whole numbers are unchanged, even in a narrower type.
  private static func conversion(
    of column: String, from old: AttributeType, to new: AttributeType
  ) -> String {
    if old == new || (old.isWhole && new.isWhole && new != .boolean) { return column }
    switch new {
    case .boolean: return "(CAST(\(column) AS NUMERIC) <> 0)"
    case .integer16, .integer32, .integer64: return "CAST(\(column) AS INTEGER)"
    case .double, .float: return "CAST(\(column) AS REAL)"
    default: return "CAST(\(column) AS NUMERIC)"
    }
  }

  // MARK: Links

  /// The storage of a source relationship, and the table of its owners.
  private struct LinkSource: Hashable {
    var storage: LinkStorage
    var owners: String
  }

  /// The former storage of a target relationship's links. There is one, unless relationships moved between the entities
  /// of a tree.
  private func sources(of relationship: String, in entity: String) -> [LinkSource] {
    var found: [LinkSource] = []
    for name in target.graph[entity]?.family ?? [] {
      guard let mapping = mapping[name], let before = mapping.source,
        let link = mapping.relationships.first(where: { $0.target.name == relationship })?.source,
        let storage = source.storage(of: link.name, in: before)
      else { continue }
      let candidate = LinkSource(storage: storage, owners: source.table(of: before.name).name)
      if !found.contains(candidate) { found.append(candidate) }
    }
    return found
  }

  /// The expression for a to-one link: its former column, or a lookup through its inverse. Whether Core Data also keeps
  /// a link if only one end matches is unknown (docs/facts/migration.md#link-kept-by-either-side).
  private func expression(
    forLink link: InferredMapping.RelationshipMapping, in mapping: InferredMapping.EntityMapping
  ) -> Expression {
    if let old = link.source, let before = mapping.source,
      case .own(let column)? = source.storage(of: old.name, in: before)
    {
      return .column(column)
    }
    guard let inverse = target.graph.inverse(of: link.target) else { return .null }
    return owner(
      by: sources(of: inverse.relationship.name, in: inverse.entity), in: mapping)
  }

  /// The key of the row that links to the current row. If several rows link to the current row, this is the smallest
  /// key in the first source with such a row.
  private func owner(
    by sources: [LinkSource], in mapping: InferredMapping.EntityMapping
  ) -> Expression {
    // If the column is in the table of another entity, the relationship's destination has changed, and the column has
    // no links to this row.
    let sources = sources.filter { link in
      guard case .destination(let table, _, _) = link.storage else { return true }
      return mapping.source.map { source.table(of: $0.name).name } == table
    }
    let expressions = sources.map { link in
      switch link.storage {
      case .own(let column):
        "(SELECT MIN(Z_PK) FROM \(old(link.owners)) WHERE \(column) = row.Z_PK)"
      case .destination(_, let column, _): column
      case .join(let table, let own, let far, _):
        "(SELECT MIN(\(own)) FROM \(old(table)) WHERE \(far) = row.Z_PK)"
      }
    }
    guard let first = expressions.first else { return .null }
    if expressions.count > 1 {
      return .expression("COALESCE(\(expressions.joined(separator: ", ")))", [])
    }
    if case .destination? = sources.first?.storage { return .column(first) }
    return .expression(first, [])
  }

  private func fill(_ join: JoinLayout) throws {
    for pairs in pairs(of: join) {
      try database.run("INSERT OR IGNORE INTO \(join.name) (\(join.own), \(join.far)) \(pairs)")
    }
  }

  /// Queries for the pairs of keys of all links, in which the key of the side that names the join table is first.
  private func pairs(of join: JoinLayout) -> [String] {
    let forward = sources(of: join.master.property, in: join.master.entity)
    let backward = sources(of: join.inverse.property, in: join.inverse.entity)
    var queries = forward.map { pairs(of: $0, isReversed: false) }
    for query in backward.map({ pairs(of: $0, isReversed: true) }) where !queries.contains(query) {
      queries.append(query)
    }
    return queries
  }

  private func pairs(of link: LinkSource, isReversed: Bool) -> String {
    let own: String
    let far: String
    let table: String
    switch link.storage {
    case .own(let column): (own, far, table) = ("Z_PK", column, link.owners)
    case .destination(let destination, let column, _):
      (own, far, table) = (column, "Z_PK", destination)
    case .join(let join, let owners, let others, let isReflexive):
      // Both directions of each link are stored already.
      (own, far, table) =
        isReflexive && isReversed ? (others, owners, join) : (owners, others, join)
    }
    let columns = isReversed ? "\(far), \(own)" : "\(own), \(far)"
    let query = "SELECT \(columns) FROM \(old(table))"
    if case .join = link.storage { return query }
    return query + " WHERE \(own) IS NOT NULL AND \(far) IS NOT NULL"
  }

  // MARK: Required values

  private func checkDemands() throws {
    for entity in mapping.entities where entity.source != nil {
      let slots = target.entities[entity.target.name]?.slots ?? []
      let demanded = Set(
        entity.values.filter(\.isDemanded).map(\.path)
          + entity.relationships.filter(\.isDemanded).map(\.target.name))
      let table = target.table(of: entity.target.name).name
      for slot in slots where demanded.contains(slot.path) {
        let row = try database.value(
          "SELECT Z_PK FROM \(table) WHERE Z_ENT = \(entity.target.number) AND \(slot.column) IS NULL LIMIT 1"
        )
        guard case .integer(let key)? = row else { continue }
        throw StoreError(
          .migrationFailed,
          "'\(entity.target.name).\(slot.path)' is required, and row \(key) would have no value")
      }
    }
  }

  // MARK: Indexes

  private func index(_ table: String, by indexes: [IndexLayout]) throws {
    let present = try database.query(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
      [.text(table)]
    ) { ($0.text(at: 0), $0.text(at: 1)) }
    let wanted = Set(indexes.map(\.statement))
    for (name, statement) in present where !wanted.contains(statement) {
      try database.execute("DROP INDEX \"\(name)\"")
    }
    let known = Set(present.map(\.1))
    for index in indexes where !known.contains(index.statement) {
      do {
        try database.execute(index.statement)
      } catch let error as StoreError where error.kind == .notUnique {
        throw try violation(of: index, error)
      }
    }
  }

  private func violation(of index: IndexLayout, _ error: StoreError) throws -> StoreError {
    let columns = index.columns.joined(separator: ", ")
    let isThere = index.columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let example = try database.query(
      """
      SELECT \(columns), COUNT(*) FROM \(index.table) WHERE \(isThere)
      GROUP BY \(columns) HAVING COUNT(*) > 1 LIMIT 1
      """
    ) { statement in
      let values = index.columns.indices.map { statement.value(at: $0).quoted }
      return
        "\(statement.integer(at: index.columns.count)) rows have \(values.joined(separator: ", "))"
    }.first
    let properties = index.properties.map { "'\(index.entity ?? "").\($0)'" }
      .joined(separator: ", ")
    return StoreError(
      .migrationFailed,
      "Cannot migrate store in-place: constraint violation during attempted migration: "
        + "\(error.failure?.message ?? error.reason); \(properties) is unique now, but \(example ?? "rows are equal")"
    )
  }

  // MARK: Keys

  /// The highest key of each root of the target, from the trees from which the root's rows came.
  private func keyMaximums() throws -> [String: Int64] {
    let keys = PrimaryKeyTable(database: database)
    var maximums: [String: Int64] = [:]
    for node in target.graph.nodes where node.superNumber == 0 {
      for before in node.family.compactMap({ source.graph[$0] }) {
        guard let root = source.graph[before.root] else { continue }
        let used = try database.value("SELECT MAX(Z_PK) FROM \(source.table(of: root.name).name)")
        var maximum = try keys.maximum(of: root) ?? 0
        if case .integer(let used)? = used { maximum = max(maximum, used) }
        maximums[node.name] = max(maximums[node.name] ?? 0, maximum)
      }
    }
    return maximums
  }
}

extension ColumnLayout {
  fileprivate var isHidden: Bool {
    if case .owner = content { return true }
    return false
  }
}

extension AttributeType {
  fileprivate var isWhole: Bool { row.column == "INTEGER" }
}

extension StoredValue {
  fileprivate var quoted: String {
    switch self {
    case .null: "nothing"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value.count > 40 ? "'\(value.prefix(40))…'" : "'\(value)'"
    case .blob(let value):
      value.prefix(16).hexadecimal + (value.count > 16 ? "…" : "")
    }
  }
}

extension StoreFile {
  /// Infers a mapping from `model` to another and runs it, in one transaction.
  ///
  /// Between models with equal hashes the store is unchanged: Core Data sees no difference, so even a new index is not
  /// built (docs/facts/migration.md#index-needs-a-migration). Throws `StoreError.noMapping` before any change, and
  /// `.migrationFailed` after rolling everything back.
  public func migrate(to model: ManagedModel) throws {
    let source = try adopted()
    let target = try StoreLayout(model)
    guard source.graph.model.versionHashes != model.versionHashes else {
      layout = target
      return
    }
    let mapping: InferredMapping
    do {
      mapping = try InferredMapping(from: source.graph, to: target.graph)
    } catch let error as StoreError where error.kind == .cannotInfer {
      // The error contains the reason (docs/facts/migration.md#inference-error-is-134140).
      throw StoreError(
        .noMapping, "Can't find or automatically infer mapping model for migration: \(error)")
    }
    var metadata = metadata
    try metadata.mark(with: model)
    // Open statements would lock the tables.
    database.forgetStatements()
    try write(checkpoints: .migrate) {
      var execution = MappingExecution(mapping, from: source, to: target, in: database)
      try execution.run()
      try mark(metadata)
    }
    self.metadata = metadata
    layout = target
    contents = .portable(model)
  }
}
