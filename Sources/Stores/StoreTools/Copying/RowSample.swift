internal import ManagedModels
internal import StoreFormat

/// Some rows of a store with all that they lead to, so that no link is cut: the same ones for the same store.
///
/// First those with traps: nothing, an empty value, the longest, the least and the greatest, two that are equal, a link
/// that leads nowhere. Then others, evenly by their keys.
struct RowSample {
  /// Keys by table.
  private var kept: [String: Set<Int64>] = [:]

  private let tables: StoreTables
  private let survey: StoreSurvey
  private let limit: Int

  /// - Parameter limit: How many rows of each model are chosen; those that they lead to come along.
  init(of survey: StoreSurvey, _ tables: StoreTables, limit: Int) throws {
    self.tables = tables
    self.survey = survey
    self.limit = limit
    for table in tables.entityTables {
      let numbers = try survey.connection().rows(
        "SELECT DISTINCT Z_ENT FROM \(SQLite.quoted(table.name)) ORDER BY Z_ENT"
      ) { $0.value(at: 0) }
      for number in numbers { try choose(from: table, number) }
    }
    try follow()
  }

  /// Whether a row is among them.
  func contains(_ key: Int64, of table: String) -> Bool { kept[table]?.contains(key) ?? false }

  // MARK: Choosing

  private mutating func choose(from table: StoreTables.Table, _ number: StoredValue) throws {
    let name = SQLite.quoted(table.name)
    let keys = try survey.connection().rows(
      "SELECT Z_PK FROM \(name) WHERE Z_ENT IS ? ORDER BY Z_PK", [number]
    ) { $0.integer(at: 0) }
    var chosen = Set(keys.count > limit ? [] : keys)
    if keys.count > limit {
      for key in try traps(of: table, number) where chosen.count < limit { chosen.insert(key) }
      let others = keys.filter { !chosen.contains($0) }
      let missing = limit - chosen.count
      for place in 0..<missing { chosen.insert(others[place * others.count / missing]) }
    }
    kept[table.name, default: []].formUnion(chosen)
  }

  /// Kind by kind, so that few rows have something of each.
  private func traps(of table: StoreTables.Table, _ number: StoredValue) throws -> [Int64] {
    let name = SQLite.quoted(table.name)
    var found: [Int64] = []
    func ask(_ condition: String, _ order: String = "Z_PK") throws {
      found += try survey.connection().rows(
        "SELECT Z_PK FROM \(name) WHERE Z_ENT IS ? AND \(condition) ORDER BY \(order) LIMIT 1",
        [number]
      ) { $0.integer(at: 0) }
    }
    let columns = table.columns.filter(\.isValueOrLink).map { (SQLite.quoted($0.name), $0) }
    for (column, _) in columns { try ask("\(column) IS NULL") }
    let values = columns.filter { $0.1.link == nil }
    for (column, _) in values {
      try ask("length(\(column)) = 0")
      try ask("\(column) IS NOT NULL", "length(\(column)) DESC, Z_PK")
    }
    // Those of a blob would have to be read, and say nothing.
    let ordered = values.filter { !$0.1.isBlob }
    for (column, _) in ordered {
      try ask("\(column) IS NOT NULL", "\(column), Z_PK")
      try ask("\(column) IS NOT NULL", "\(column) DESC, Z_PK")
    }
    for (column, _) in ordered {
      let pair = try survey.connection().rows(
        """
        SELECT MIN(Z_PK), MAX(Z_PK) FROM \(name) WHERE Z_ENT IS ? AND \(column) IS NOT NULL
        GROUP BY \(column) HAVING COUNT(*) > 1 ORDER BY MIN(Z_PK) LIMIT 1
        """, [number]
      ) { [$0.integer(at: 0), $0.integer(at: 1)] }
      found += pair.flatMap(\.self)
    }
    for (column, place) in columns {
      guard let destination = place.link else { continue }
      let other = SQLite.quoted(destination)
      try ask("\(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(other))")
    }
    return found
  }

  // MARK: Links

  /// Takes what the rows lead to, and what that leads to.
  private mutating func follow() throws {
    let byName = Dictionary(tables.entityTables.map { ($0.name, $0) }) { first, _ in first }
    var waiting = tables.entityTables.map { ($0.name, (kept[$0.name] ?? []).sorted()) }
    while let (name, keys) = waiting.popLast() {
      guard let table = byName[name] else { continue }
      var found: [String: Set<Int64>] = [:]
      for (column, destination) in table.columns.compactMap({ column in
        column.link.map { (column.name, $0) }
      }) {
        try collect(
          "SELECT \(SQLite.quoted(column)) FROM \(SQLite.quoted(name)) WHERE Z_PK = ?", keys,
          &found[destination, default: []])
      }
      for needed in table.needed {
        try collect(needed.query, keys, &found[needed.destination, default: []])
      }
      for (destination, keys) in found.sorted(by: { $0.key < $1.key }) {
        let new = keys.subtracting(kept[destination] ?? [])
        guard !new.isEmpty else { continue }
        kept[destination, default: []].formUnion(new)
        waiting.append((destination, new.sorted()))
      }
    }
  }

  private func collect(_ query: String, _ keys: [Int64], _ found: inout Set<Int64>) throws {
    let database = survey.connection()
    let statement = try database.prepare(query)
    defer {
      statement.reset()
      database.forgetStatements()
    }
    for key in keys {
      statement.reset()
      try statement.bind(.integer(key), at: 1)
      while try statement.step() {
        if case .integer(let key) = statement.value(at: 0) { found.insert(key) }
      }
    }
  }
}
