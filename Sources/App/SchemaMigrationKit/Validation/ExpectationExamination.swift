internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// Holds what manifests assert of steps against a migrated store and its backup. Rows are read side by side: memory does
/// not grow with the store.
struct ExpectationExamination {
  private typealias Expectation = MigrationPlanDescription.Expectation

  private let plan: MigrationPlanDescription
  private let from: StoreVersion
  private let layout: StoredVersion
  private let database: SQLite
  private let backup: URL

  /// - Parameters:
  ///   - from: The version of the store before.
  ///   - layout: The newest version in the store.
  ///   - database: The store, in a read transaction.
  ///   - backup: The store before.
  init(
    _ plan: MigrationPlanDescription, _ from: StoreVersion, _ layout: StoredVersion,
    _ database: SQLite, since backup: URL
  ) {
    self.plan = plan
    self.from = from
    self.layout = layout
    self.database = database
    self.backup = backup
  }

  /// What does not hold; what this store cannot show is left out.
  func issues() throws -> [ValidationReport.Issue] {
    let expectations = plan.expectations.filter { from < $0.step }
    guard !expectations.isEmpty, let version = plan.version(from) else { return [] }
    let before = try SQLite.snapshot(of: backup.path)
    let reading = try StoreReading(of: before)
    let old = Side(StoredVersion(version.candidate, in: reading.structure), before)
    let new = Side(layout, database)
    return try expectations.compactMap { expectation in
      let origin = expectation.origins.first { $0.version == from }
      let found = try broken(expectation, origin, old, new)
      return found.count == 0
        ? nil
        : .expectationBroken(expectation.text, count: found.count, example: found.example)
    }
  }

  private func broken(
    _ expectation: Expectation, _ origin: Expectation.Origin?, _ old: Side, _ new: Side
  ) throws -> (count: Int, example: Int64) {
    var found = (count: 0, example: Int64(0))
    func note(_ key: Int64) {
      if found.count == 0 { found.example = key }
      found.count += 1
    }
    switch expectation.claim {
    case .count:
      guard let origin else { return found }
      return try old.count(of: origin.entities) == new.count(of: [expectation.entity])
        ? found : (1, 0)
    case .present(let property):
      guard let origin, let after = try new.rows(of: expectation.entity, [property]) else {
        return found
      }
      // Without a former name the step gives every row its value.
      let former = try origin.names[property].flatMap { name in
        try origin.entities.first.flatMap { try old.rows(of: $0, [name]) }
      }
      while let row = try after.next() {
        guard row.isEmpty else { continue }
        // What a row lacked before, the migration has not taken.
        if let former, let was = try former.row(row.key), was.isEmpty { continue }
        note(row.key)
      }
    case .after(let holds):
      guard let rows = try new.rows(of: expectation.entity, expectation.names) else {
        return found
      }
      while let row = try rows.next() {
        if try Self.holds({ try holds(row.told()) }) == false { note(row.key) }
      }
    case .pair(let holds):
      guard let origin, let entity = origin.entities.first,
        let after = try new.rows(of: expectation.entity, expectation.names),
        let before = try old.rows(of: entity, origin.names)
      else { return found }
      while let row = try after.next() {
        guard let was = try before.row(row.key) else { continue }
        if try Self.holds({ try holds(was.told(isOld: true), row.told()) }, hasOrigin: true)
          == false
        {
          note(row.key)
        }
      }
    }
    return found
  }

  /// Whether it holds; nil where the row has what its type cannot read, and had it before as far as anybody can know.
  /// That is no work of the migration.
  private static func holds(_ body: () throws -> Bool, hasOrigin: Bool = false) throws -> Bool? {
    do {
      return try body()
    } catch let unreadable as Expectation.Row.Unreadable {
      return unreadable.isOld || !hasOrigin ? nil : false
    } catch {
      // The expression's own.
      return false
    }
  }
}

/// A store, laid out as a version.
private struct Side {
  let layout: StoredVersion
  let database: SQLite

  init(_ layout: StoredVersion, _ database: SQLite) {
    self.layout = layout
    self.database = database
  }

  /// Where the rows of an entity and of those below it are.
  private func place(of entity: String) -> (table: String, condition: String)? {
    layout.entities[entity].map { place in
      let numbers = place.family.map(String.init).joined(separator: ", ")
      return (
        SQLite.quoted(place.table), place.isShared ? "Z_ENT IN (\(numbers))" : "1"
      )
    }
  }

  /// The rows of entities and of those below them, each once.
  func count(of entities: [String]) throws -> Int64 {
    let conditions = Dictionary(
      grouping: entities.compactMap(place), by: \.table
    ).mapValues { places in Set(places.map(\.condition)).sorted().joined(separator: " OR ") }
    return try conditions.sorted { $0.key < $1.key }.reduce(0) { sum, place in
      try sum + database.number("SELECT COUNT(rowid) FROM \(place.key) WHERE \(place.value)")
    }
  }

  func rows(of entity: String, _ properties: [String]) throws -> Rows? {
    try rows(of: entity, Dictionary(uniqueKeysWithValues: properties.map { ($0, $0) }))
  }

  /// Its rows in the order of their keys; nil where a property has no column of its own.
  ///
  /// - Parameter names: What properties are called here, by what the assertion calls them.
  func rows(of entity: String, _ names: [String: String]) throws -> Rows? {
    guard let place = place(of: entity) else { return nil }
    let lineage = Set(layout.lineage(of: entity))
    var columns: [String: Int] = [:]
    var list = ""
    for (name, property) in names.sorted(by: { $0.key < $1.key }) {
      let found = layout.columns.filter { $0.property == property && lineage.contains($0.entity) }
      guard let column = found.first, found.count == 1 else { return nil }
      columns[name] = columns.count + 1
      list += ", \(SQLite.quoted(column.column))"
    }
    let statement = "SELECT Z_PK\(list) FROM \(place.table) WHERE \(place.condition)"
    return Rows(
      all: try database.prepare("\(statement) ORDER BY Z_PK"),
      one: try database.prepare("\(statement) AND Z_PK = ?"), columns: columns)
  }
}

/// Rows of one entity.
private struct Rows {
  struct Row {
    let key: Int64
    let values: [String: StoredValue]

    var isEmpty: Bool { values.values.allSatisfy(\.isNull) }

    func told(isOld: Bool = false) -> MigrationPlanDescription.Expectation.Row {
      let values = values
      return MigrationPlanDescription.Expectation.Row(
        values: RowValues { values[$0] }, isOld: isOld)
    }
  }

  let all: Statement
  let one: Statement
  let columns: [String: Int]

  /// The next of all rows.
  func next() throws -> Row? {
    guard try all.step() else {
      all.reset()
      return nil
    }
    return row(all)
  }

  /// The row of a key.
  func row(_ key: Int64) throws -> Row? {
    defer { one.reset() }
    try one.bind([.integer(key)])
    return try one.step() ? row(one) : nil
  }

  private func row(_ statement: Statement) -> Row {
    Row(
      key: statement.integer(at: 0),
      values: columns.mapValues { statement.value(at: $0) })
  }
}
