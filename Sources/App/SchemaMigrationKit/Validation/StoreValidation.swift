public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Checks a store after its migration: whether all rows exist, and whether they fit together.
///
/// It only reads, and the store may be open meanwhile. SQLite checks one table at a time, so memory does not grow with
/// the store. In an async function the compiler chooses the async form, which leaves the caller's actor. The other form
/// blocks.
public struct StoreValidation: Sendable {
  private let plan: MigrationPlanDescription
  private let files: StoreFiles
  let environment: SystemEnvironment

  /// Creates a validation. This reads nothing yet.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: The plan whose newest version the store should have.
  public init(of store: URL, plan: MigrationPlanDescription) {
    self.init(of: store, plan: plan, environment: SystemEnvironment())
  }

  init(of store: URL, plan: MigrationPlanDescription, environment: SystemEnvironment) {
    self.plan = plan
    files = StoreFiles(store)
    self.environment = environment
  }

  /// Checks the store.
  ///
  /// - Parameter before: The pre-flight's report, for the numbers of rows. Without the report the numbers are not
  ///   compared.
  /// - Returns: The counts, and what is wrong with the store.
  /// - Throws: `BackupError` if the store cannot be read. `CancellationError` if the task is cancelled.
  public func report(since before: PreflightReport? = nil) throws -> ValidationReport {
    try report(
      from: before?.verdict.version?.number, coreDataVersion: before?.coreDataVersion,
      counts: before?.rowCounts ?? [:],
      links: before?.linkCounts ?? [:], heedsCancellation: true)
  }

  /// Checks the store. By default, cancellation does not stop the check.
  ///
  /// - Parameter coreDataVersion: The older version of a Core Data model that the store had.
  func report(
    from: StoreVersion?, coreDataVersion: String? = nil, counts: [String: Int],
    links: [String: Int] = [:], heedsCancellation: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> ValidationReport {
    let ancestry = from.flatMap { Ancestry(plan, from: $0, coreDataVersion) }
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
        examination.issues.append(
          .otherVersion("the store does not have version \(newest.name): \(verdict)"))
      }
      let after = try RowCounts(examination.layout, reading.structure, database).counts
      let found = compare(ancestry, counts, after)
      let linksAfter = try LinkCounts(examination.layout, reading.structure, database).counts
      let lost = lostLinks(ancestry, links, linksAfter)
      try examination.examine(progress)
      return ValidationReport(
        version: newest.name, counts: found.counts,
        issues: found.issues + lost + examination.issues)
    } catch let trouble as StoreReading.Failure {
      let why =
        switch trouble {
        case .empty: "the store is empty"
        case .notAStore(let why), .damaged(let why): why
        }
      // Nothing of the store can be read, so all rows count as lost.
      let found = compare(ancestry, counts, [:])
      return ValidationReport(
        version: newest.name, counts: found.counts, issues: found.issues + [.otherVersion(why)])
    } catch {
      throw environment.translated(error)
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

  private func lostLinks(
    _ ancestry: Ancestry?, _ before: [String: Int], _ after: [String: Int]
  ) -> [ValidationReport.Issue] {
    (ancestry?.links ?? []).compactMap { link in
      let new = after[link.name] ?? 0
      guard let old = before[link.origin], link.reason == nil, new < old else { return nil }
      return .linksLost(
        entity: link.entity, relationship: link.relationship, before: old, after: new)
    }
  }
}

/// The origin of each entity and each many-to-many relationship of the newest version, in the version from which a
/// store was migrated.
///
/// An app has no version history. The plan's row effects describe what each stage does, including bridges.
struct Ancestry {
  struct Origin {
    var entity: String
    /// The reason why the number of rows may have changed.
    var reason: String?
  }

  /// A many-to-many relationship.
  struct Link {
    /// The entity of the side whose name comes first in sorted order.
    var entity: String
    var relationship: String
    /// The relationship, as `Entity.relationship`, in the version from which the store was migrated.
    var origin: String
    var reason: String?

    var name: String { "\(entity).\(relationship)" }
  }

  /// The origins, by the newest version's entities, without new entities.
  private(set) var origins: [String: Origin] = [:]
  /// The newest version's links, sorted by name, without new ones.
  private(set) var links: [Link] = []

  init?(
    _ plan: MigrationPlanDescription, from number: StoreVersion, _ coreDataVersion: String? = nil
  ) {
    var origin = plan.version(number)
    var stages = plan.stages(from: number)
    if let coreDataVersion {
      let old = plan.coreDataVersion(coreDataVersion)
      origin = old.flatMap(plan.version)
      stages = [old.flatMap(plan.stage)].compactMap { $0 } + stages
    }
    guard let version = origin else { return nil }
    var last = version.layout
    for entity in version.entities { origins[entity.name] = Origin(entity: entity.name) }
    links = last.pairs.map { pair in
      Link(entity: pair[0].entity, relationship: pair[0].property, origin: pair[0].name)
    }
    for stage in stages {
      if let new = plan.version(stage.to)?.layout {
        links = links(through: stage, last, new)
        last = new
      }
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

  private func links(
    through stage: MigrationPlanDescription.Stage, _ old: StoreLayout, _ new: StoreLayout
  ) -> [Link] {
    let pairs = old.pairs
    /// The entity before the stage; `nil` for a new one.
    func source(_ entity: String) -> String? {
      switch stage.rowEffects[entity] ?? .kept {
      case .kept, .mayChange: entity
      case .renamed(let old): old
      case .created, .removed: nil
      }
    }
    /// The relationship before the stage, found by its name or by its inverse's.
    func source(_ pair: [StoreLayout.PropertyKey]) -> Link? {
      for side in pair {
        guard let entity = source(side.entity) else { return nil }
        var name = "\(entity).\(side.property)"
        if case .renamed(let old)? = stage.rowEffects[side.name] { name = old }
        guard let found = pairs.first(where: { $0.contains { $0.name == name } }),
          Set(found.map(\.entity)) == Set(pair.compactMap { source($0.entity) })
        else { continue }
        return links.first { $0.name == found[0].name }
      }
      return nil
    }
    let renamed = Set(
      stage.rowEffects.values.compactMap { effect -> String? in
        if case .renamed(let old) = effect { old } else { nil }
      })
    return new.pairs.compactMap { pair in
      guard let origin = source(pair) else { return nil }
      var reasons = origin.reason.map { [$0] } ?? []
      for side in pair {
        for name in [side.name] + new.family(of: side.entity) {
          switch stage.rowEffects[name] {
          case .mayChange(let reason)?: reasons.append(reason)
          case .created? where name == side.name, .removed? where name == side.name: return nil
          default: break
          }
        }
        for name in old.family(of: source(side.entity) ?? "")
        where stage.rowEffects[name] == .removed && !renamed.contains(name) {
          reasons.append("the rows of \(name) are removed")
        }
      }
      var said: Set<String> = []
      reasons = reasons.filter { said.insert($0).inserted }
      return Link(
        entity: pair[0].entity, relationship: pair[0].property, origin: origin.origin,
        reason: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
  }
}

extension MigrationPlanDescription.Version {
  fileprivate var layout: StoreLayout { StoreLayout(candidate.model, numbers: [:]) }
}

extension StoreLayout {
  fileprivate var pairs: [[PropertyKey]] {
    joins.map { [$0.master, $0.inverse].sorted { $0.name < $1.name } }
      .sorted { $0[0].name < $1[0].name }
  }

  fileprivate func family(of entity: String) -> [String] { graph[entity]?.family.sorted() ?? [] }
}

extension StoreLayout.PropertyKey {
  fileprivate var name: String { "\(entity).\(property)" }
}

/// A check of all rows of a store.
private struct Examination {
  let layout: StoredVersion
  var issues: [ValidationReport.Issue] = []
  private let structure: StoreStructure
  private let database: SQLite

  /// The number of sums in one query, since SQLite returns at most 2,000 values.
  private static let sumsAtOnce = 200

  init(_ version: MigrationPlanDescription.Version, _ structure: StoreStructure, _ database: SQLite)
  {
    layout = StoredVersion(version.candidate, in: structure)
    self.structure = structure
    self.database = database
  }

  mutating func examine(_ progress: (_ done: Int, _ total: Int) -> Void) throws {
    let tables = Set(layout.entities.values.map(\.table)).sorted()
      .filter { structure.tables[$0] != nil }
    let links = layout.columns.filter { has($0.table, $0.column) }
      .compactMap { column in column.destination.map { (column, $0) } }
    let joins = layout.joins.compactMap { join in join.table.map { (join, $0) } }
    let uniques = layout.uniques.filter { unique in
      !unique.columns.isEmpty && unique.columns.allSatisfy { has(unique.table, $0) }
    }
    let total = tables.count + links.count + joins.count + uniques.count
    var done = 0
    func took() {
      done += 1
      progress(done, total)
    }
    for table in tables {
      try examineValues(of: table)
      took()
    }
    for (column, destination) in links {
      try examineLinks(column, to: destination)
      took()
    }
    for (join, table) in joins {
      try examine(join, in: table)
      took()
    }
    for unique in uniques {
      try examine(unique)
      took()
    }
  }

  private func has(_ table: String, _ column: String) -> Bool {
    structure.tables[table]?[column] != nil
  }

  private func list(_ numbers: [Int64]) -> String {
    "(" + numbers.map(String.init).joined(separator: ", ") + ")"
  }

  /// Checks for missing values and for rows without a valid entity, in one pass over the table.
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

  /// The SQL condition that a key belongs to no row of an entity or its subentities.
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
    // A missing value does not equal any other.
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
