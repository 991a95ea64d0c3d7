public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Looks at a store after its migration: whether all rows are there, and whether they fit together.
///
/// Only reads, also while others have the store open. SQLite does the looking, a table at a time: memory does not grow
/// with the store.
public struct StoreValidation: Sendable {
  private let plan: MigrationPlanDescription
  private let files: StoreFiles

  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: Its newest version is what the store is held against.
  public init(of store: URL, plan: MigrationPlanDescription) {
    self.plan = plan
    files = StoreFiles(store)
  }

  /// What is wrong with the store.
  ///
  /// - Parameter before: What the pre-flight found, for the numbers of rows; without it they are not compared.
  /// - Throws: `BackupError` when the store cannot be read; `CancellationError` when the task is cancelled.
  public func report(since before: PreflightReport? = nil) throws -> ValidationReport {
    try report(
      from: before?.verdict.version?.number, counts: before?.rowCounts ?? [:],
      heedsCancellation: true)
  }

  /// What is wrong with the store, whoever has lost patience meanwhile.
  func report(
    from: StoreVersion?, counts: [String: Int], heedsCancellation: Bool = false
  ) throws -> ValidationReport {
    guard let newest = plan.newest else {
      return ValidationReport(version: "", counts: [], issues: [])
    }
    do {
      let database = try SQLite.snapshot(
        of: files.database, heedsCancellation: heedsCancellation)
      let reading = try StoreReading(of: database)
      var examination = Examination(newest, reading.structure, database)
      let verdict = PreflightReport.Verdict(reading.evidence, plan)
      if case .current = verdict {
      } else {
        examination.issues.append(.otherVersion("the store is not of \(newest.name): \(verdict)"))
      }
      let after = try RowCounts(examination.layout, reading.structure, database).counts
      let found = compare(from.flatMap { Ancestry(plan, from: $0) }, counts, after)
      try examination.examine()
      return ValidationReport(
        version: newest.name, counts: found.counts, issues: found.issues + examination.issues)
    } catch let trouble as StoreReading.Failure {
      let why =
        switch trouble {
        case .empty: "the store is empty"
        case .notAStore(let why), .damaged(let why): why
        }
      // All of them are gone.
      let found = compare(from.flatMap { Ancestry(plan, from: $0) }, counts, [:])
      return ValidationReport(
        version: newest.name, counts: found.counts, issues: found.issues + [.otherVersion(why)])
    } catch let error as StoreError {
      throw error.backupError
    } catch let failure as SystemFailure {
      throw failure.backupError
    }
  }

  private func compare(
    _ ancestry: Ancestry?, _ before: [String: Int], _ after: [String: Int]
  ) -> (counts: [ValidationReport.Count], issues: [ValidationReport.Issue]) {
    var counts: [ValidationReport.Count] = []
    var issues: [ValidationReport.Issue] = []
    for entity in (plan.newest?.entities ?? []).map(\.name).sorted() {
      let origin = ancestry?.origins[entity]
      let old = origin.flatMap { before[$0.entity] }
      let new = after[entity] ?? 0
      counts.append(
        ValidationReport.Count(entity: entity, before: old, after: new, reason: origin?.reason))
      guard let old, origin?.reason == nil, old != new else { continue }
      issues.append(
        new < old
          ? .rowsLost(entity: entity, before: old, after: new)
          : .rowsGained(entity: entity, before: old, after: new))
    }
    return (counts, issues)
  }
}

/// What each entity of the newest version was in the version that a store comes from.
struct Ancestry {
  struct Origin {
    var entity: String
    /// Why the number of rows may have changed on the way.
    var reason: String?
  }

  /// By the newest version's entities; new ones are not in it.
  private(set) var origins: [String: Origin] = [:]

  init?(_ plan: MigrationPlanDescription, from number: StoreVersion) {
    guard let version = plan.version(number) else { return nil }
    for entity in version.entities { origins[entity.name] = Origin(entity: entity.name) }
    for stage in plan.stages(from: number) {
      var next: [String: Origin] = [:]
      for entity in plan.version(stage.to)?.entities ?? [] {
        switch stage.rowEffects[entity.name] ?? .kept {
        case .kept: next[entity.name] = origins[entity.name]
        case .renamed(let old): next[entity.name] = origins[old]
        case .mayChange(let reason):
          guard var origin = origins[entity.name] else { continue }
          origin.reason = [origin.reason, reason].compactMap { $0 }.joined(separator: "; ")
          next[entity.name] = origin
        case .created, .removed: break
        }
      }
      origins = next
    }
  }
}

/// One look at all rows of a store.
private struct Examination {
  let layout: StoredVersion
  var issues: [ValidationReport.Issue] = []
  private let structure: StoreStructure
  private let database: SQLite

  /// SQLite gives no more than 2,000 values at once.
  private static let sumsAtOnce = 200

  init(_ version: MigrationPlanDescription.Version, _ structure: StoreStructure, _ database: SQLite)
  {
    layout = StoredVersion(version.candidate, in: structure)
    self.structure = structure
    self.database = database
  }

  mutating func examine() throws {
    for table in Set(layout.entities.values.map(\.table)).sorted()
    where structure.tables[table] != nil {
      try examineValues(of: table)
    }
    for column in layout.columns {
      if let destination = column.destination, has(column.table, column.column) {
        try examineLinks(column, to: destination)
      }
    }
    for join in layout.joins {
      if let table = join.table { try examine(join, in: table) }
    }
    for unique in layout.uniques
    where !unique.columns.isEmpty && unique.columns.allSatisfy({ has(unique.table, $0) }) {
      try examine(unique)
    }
  }

  private func has(_ table: String, _ column: String) -> Bool {
    structure.tables[table]?[column] != nil
  }

  private func list(_ numbers: [Int64]) -> String {
    "(" + numbers.map(String.init).joined(separator: ", ") + ")"
  }

  /// Values that must be there and rows that belong to nobody, in one pass over the table.
  private mutating func examineValues(of table: String) throws {
    let places = layout.entities.values.filter { $0.table == table }
    var sums = ["Z_ENT IS NULL OR Z_ENT NOT IN \(list(places.map(\.number).sorted()))"]
    var questions: [StoredVersion.ColumnPlace?] = [nil]
    for column in layout.columns
    where column.table == table && column.isRequired && has(table, column.column) {
      guard let family = layout.entities[column.entity]?.family else { continue }
      questions.append(column)
      sums.append("\(SQLite.quoted(column.column)) IS NULL AND Z_ENT IN \(list(family))")
    }
    for start in stride(from: 0, to: sums.count, by: Self.sumsAtOnce) {
      let range = start..<min(start + Self.sumsAtOnce, sums.count)
      let selected = sums[range].map { "TOTAL(\($0))" }.joined(separator: ", ")
      let counts = try database.rows("SELECT \(selected) FROM \(SQLite.quoted(table))") { row in
        range.indices.map { Int(row.real(at: $0 - range.lowerBound)) }
      }.first
      for (question, count) in zip(questions[range], counts ?? []) where count > 0 {
        issues.append(
          question.map {
            .missingValues(entity: $0.entity, property: $0.property, count: count)
          } ?? .strangers(table: table, count: count))
      }
    }
  }

  /// The condition that a key is that of no row of an entity or of those below it.
  private func isMissing(_ key: String, from entity: String) -> String? {
    guard let place = layout.entities[entity], structure.tables[place.table] != nil else {
      return nil
    }
    let family = place.isShared ? " AND there.Z_ENT IN \(list(place.family))" : ""
    return
      "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(SQLite.quoted(place.table)) AS there WHERE there.Z_PK = \(key)\(family))"
  }

  private mutating func examineLinks(
    _ column: StoredVersion.ColumnPlace, to destination: String
  ) throws {
    guard let condition = isMissing("here.\(SQLite.quoted(column.column))", from: destination)
    else {
      return
    }
    try countOrphans(
      "SELECT COUNT(*), MIN(here.Z_PK) FROM \(SQLite.quoted(column.table)) AS here WHERE \(condition)",
      column.entity, column.property)
  }

  private mutating func examine(_ join: StoredVersion.JoinPlace, in table: String) throws {
    let ends = join.columns.compactMap {
      isMissing("here.\(SQLite.quoted($0.name))", from: $0.entity)
    }
    guard ends.count == join.columns.count else { return }
    let conditions = ends.map { "(\($0))" }.joined(separator: " OR ")
    try countOrphans(
      """
      SELECT COUNT(*), MIN(here.\(SQLite.quoted(join.columns[0].name))) FROM \(SQLite.quoted(table)) AS here
      WHERE \(conditions)
      """, join.columns[0].entity, join.property)
  }

  private mutating func countOrphans(
    _ query: String, _ entity: String, _ property: String
  ) throws {
    let found = try database.rows(query) {
      (count: Int($0.integer(at: 0)), example: $0.integer(at: 1))
    }
    guard let found = found.first, found.count > 0 else { return }
    issues.append(
      .orphans(
        entity: entity, relationship: property, count: found.count, example: found.example))
  }

  private mutating func examine(_ unique: StoredVersion.UniquePlace) throws {
    let columns = unique.columns.map { SQLite.quoted($0) }
    // A missing value is equal to no other.
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let count = try database.number(
      """
      SELECT COUNT(*) FROM (SELECT 1 FROM \(SQLite.quoted(unique.table)) WHERE \(present)
      GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1)
      """)
    if count > 0 {
      issues.append(
        .duplicates(entity: unique.entity, properties: unique.properties, count: Int(count)))
    }
  }
}
