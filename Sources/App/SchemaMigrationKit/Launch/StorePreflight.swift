public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Examines a store before it is opened: which version it has, what a migration would do, and whether it can run.
///
/// It only reads, and the store may be open meanwhile. It takes as long as counting the rows. In an async function the
/// compiler chooses the async form, which leaves the caller's actor. The other form blocks.
public struct StorePreflight: Sendable {
  /// The store's database.
  public let store: URL
  /// The versions that the store may have, and the migrations between them.
  public let plan: MigrationPlanDescription

  let files: StoreFiles
  let environment: SystemEnvironment

  /// Creates a pre-flight. This reads nothing yet.
  ///
  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: The versions that the store may have, and the migrations between them.
  public init(of store: URL, plan: MigrationPlanDescription) {
    self.init(plan: plan, backups: StoreBackups(of: store, environment: SystemEnvironment()))
  }

  init(plan: MigrationPlanDescription, backups: StoreBackups) {
    store = backups.store
    self.plan = plan
    files = backups.files
    environment = backups.environment
  }

  /// Examines the store.
  ///
  /// - Returns: What was found. A damaged store is a verdict and not an error.
  /// - Throws: `BackupError` if the store cannot be read for a reason outside of the store: no permission, or a lock
  ///   that is not released. `CancellationError` if the task is cancelled.
  public func check() throws -> PreflightReport { try check(heedsCancellation: true) }

  func check(heedsCancellation: Bool) throws -> PreflightReport {
    do {
      return try report(heedsCancellation)
    } catch {
      throw environment.translated(error)
    }
  }

  private func report(_ heedsCancellation: Bool) throws -> PreflightReport {
    var report = PreflightReport(verdict: .absent)
    guard let status = try Disk.status(files.database) else { return report }
    guard !status.isFolder else {
      report.verdict = .notAStore("it is a folder")
      return report
    }
    try measure(&report)
    do {
      // SQLite and Core Data both treat an empty file as an empty database.
      if report.databaseSize == 0 { return report }
      let database = try SQLite.snapshot(
        of: files.database, heedsCancellation: heedsCancellation)
      try requireWhole(database)
      let reading = try StoreReading(of: database)
      report.verdict = PreflightReport.Verdict(reading.evidence, plan)
      if let version = report.verdict.version {
        let stored = StoredVersion(version.candidate, in: reading.structure)
        report.rowCounts = try RowCounts(stored, reading.structure, database).counts
        report.linkCounts = try LinkCounts(stored, reading.structure, database).counts
      }
      if report.coreDataVersion != nil {
        // Core Data may write a whole new store next to the old one, with external files and a WAL of twice the
        // database's size.
        report.spaceNeeded = 2 * (report.storeSize + report.databaseSize) + 1 << 20
      }
    } catch StoreReading.Failure.empty {
      report.verdict = .absent
    } catch StoreReading.Failure.notAStore(let why) {
      report.verdict = .notAStore(why)
    } catch StoreReading.Failure.damaged(let why) {
      report.verdict = .damaged(why)
    } catch let error as StoreError where error.failure?.isExcess == true {
      report.verdict = .damaged(error.reason)
    } catch let error as StoreError where error.failure?.isOfSchema == true {
      let message = error.failure?.message ?? error.reason
      report.verdict = .damaged("its tables are not as Core Data makes them (\(message))")
    } catch let error as StoreError where error.failure?.isDamage == true {
      let message = error.failure?.message ?? error.reason
      report.verdict =
        error.failure?.isForeign == true
        ? .notAStore("it is not an SQLite database, or it is encrypted (\(message))")
        : .damaged(message)
    }
    return report
  }

  /// Checks that the file was not cut off. SQLite reads a page that was cut off as if zeros followed. If there is a
  /// WAL, the missing part may be in the WAL.
  private func requireWhole(_ database: SQLite) throws {
    let page = try database.number("PRAGMA page_size")
    let size = try Disk.status(files.database)?.size ?? 0
    guard try Disk.status(files.database + "-wal")?.size ?? 0 == 0, page > 0, size % page != 0
    else { return }
    throw StoreReading.Failure.damaged("the file was cut off after \(size) bytes")
  }

  private func measure(_ report: inout PreflightReport) throws {
    report.databaseSize = try Disk.status(files.database)?.size ?? 0
    report.databaseSize += try Disk.status(files.database + "-wal")?.size ?? 0
    var external: Int64 = 0
    for path in (try? files.externalPaths().files) ?? [] {
      external += try Disk.statusOfTarget(files.place(ofExternal: path))?.size ?? 0
    }
    report.storeSize = report.databaseSize + external
    // The backup needs as much space as the store. Then a migration may write every page again before the old pages are
    // freed, and the migration's WAL may be twice as long as the database. After a failure the WAL is removed, and the
    // backup is copied next to the store.
    let database = report.databaseSize
    report.spaceNeeded =
      report.storeSize + max(3 * database, database + report.storeSize) + 1 << 20
    report.spaceAvailable = try? environment.freeSpace(files.folder)
  }
}

/// The result of a pre-flight.
public struct PreflightReport: Sendable, Hashable, CustomStringConvertible {
  /// What the store's contents mean for the app.
  public internal(set) var verdict: Verdict
  /// The number of rows of each entity, without its subentities' rows; empty unless the version is known.
  public internal(set) var rowCounts: [String: Int] = [:]
  /// The number of links of each many-to-many relationship, by both sides as `Entity.property`.
  var linkCounts: [String: Int] = [:]
  /// The size of the store in bytes, with its WAL and its external files.
  public internal(set) var storeSize: Int64 = 0
  /// The size of the database and its WAL in bytes.
  var databaseSize: Int64 = 0
  /// The number of bytes that a backup, a migration and restoring the backup may need together.
  public internal(set) var spaceNeeded: Int64 = 0
  /// The number of free bytes in the store's volume; `nil` if it is unknown.
  public internal(set) var spaceAvailable: Int64?
  var doubt: String?

  /// What a store's contents mean for an app.
  public enum Verdict: Sendable, Hashable {
    /// There is no store, or an empty file. Opening it creates a store.
    case absent
    /// The store has the version with which the app works.
    case current(MigrationPlanDescription.Version)
    /// The store has an older version and needs these stages. An older Core Data version has no number: it gets the
    /// number of the version to which its first stage, of kind `coreData`, leads.
    case migrates(from: MigrationPlanDescription.Version, stages: [MigrationPlanDescription.Stage])
    /// The store has a version that was removed from the plan. This app does not migrate it, and leaves it alone.
    case retired(MigrationPlanDescription.Version)
    /// The app does not know the store's version by its tables or hashes, and the store's identifier is newer.
    case newer(identifier: String)
    /// The store's version cannot be determined, or the app does not know it.
    case unknown(Unknown)
    /// The file is a store, but it cannot be read, for this reason.
    case damaged(String)
    /// The file is not a Core Data store, for this reason.
    case notAStore(String)

    /// The version of the store; `nil` if it is unknown.
    public var version: MigrationPlanDescription.Version? {
      switch self {
      case .current(let version), .migrates(let version, _): version
      default: nil
      }
    }
  }

  /// The reason why a store's version is unknown.
  public struct Unknown: Sendable, Hashable {
    /// A sentence for people.
    public let why: String
    /// The versions that the store may still have. They are the versions with the store's tables, or else the versions
    /// with the store's identifier as long as their hashes are unknown. A migration assumes one of them, after a
    /// backup, and SwiftData decides. If this is empty, the store has no known version, and is left alone.
    public let possible: [MigrationPlanDescription.Version]
    /// The name of the version with the fewest differences, or of the one that the store's metadata names.
    public let nearest: String?
    /// The differences between the store and the nearest version, a line for each.
    public let differences: [String]
  }

  /// The stages that the store needs; empty unless it migrates.
  public var stages: [MigrationPlanDescription.Stage] {
    if case .migrates(_, let stages) = verdict { stages } else { [] }
  }

  /// The older version of a Core Data model that the store has, as Xcode shows it: "Trips 2"; `nil` for any other
  /// store.
  public var coreDataVersion: String? {
    if case .migrates(let version, let stages) = verdict, stages.first?.kind == .coreData {
      version.name
    } else {
      nil
    }
  }

  /// Whether the app's code runs in one of the stages.
  public var isCustom: Bool { stages.contains { $0.kind == .custom } }

  /// The number of all rows of all entities.
  public var rowTotal: Int { rowCounts.values.reduce(0, +) }

  /// The result, in lines for people.
  public var description: String {
    var lines = [verdict.description]
    for stage in stages { lines.append("  \(stage.title) (\(stage.kind.rawValue))") }
    if verdict.version != nil {
      lines.append("\(counting(rowTotal, "row")), \(megabytes(storeSize))")
    }
    if !stages.isEmpty {
      let available = spaceAvailable.map { ", with \(megabytes($0)) free" } ?? ""
      lines.append("needs \(megabytes(spaceNeeded)) on the disk\(available)")
    }
    return lines.joined(separator: "\n")
  }
}

extension PreflightReport.Verdict: CustomStringConvertible {
  public var description: String {
    switch self {
    case .absent: "there is no store yet"
    case .current(let version): "the store has version \(version.name), the newest"
    case .migrates(let version, let stages):
      "the store has version \(version.name), \(counting(stages.count, "stage")) before the newest"
    case .retired(let version):
      "the store has version \(version.name), which this app no longer migrates"
    case .newer(let identifier):
      "the store has version \(identifier), which is newer than this app"
    case .unknown(let unknown):
      ([unknown.why] + unknown.differences.map { "  \($0)" }).joined(separator: "\n")
    case .damaged(let why): "the store is damaged: \(why)"
    case .notAStore(let why): "the file is not a store: \(why)"
    }
  }
}

func megabytes(_ bytes: Int64) -> String { "\((bytes + 999_999) / 1_000_000) MB" }

/// The number of rows of each entity in a version.
struct RowCounts {
  private(set) var counts: [String: Int] = [:]

  init(_ version: StoredVersion, _ structure: StoreStructure, _ database: SQLite) throws {
    for place in version.entities.values where structure.tables[place.table] != nil {
      // If a table has only one entity's rows, SQLite scans the table's smallest index. `COUNT(*)` would use a loop
      // that cannot be interrupted.
      let table = SQLite.quoted(place.table)
      counts[place.name] =
        place.isShared
        ? Int(
          try database.number(
            "SELECT COUNT(*) FROM \(table) WHERE Z_ENT = ?", [.integer(place.number)]))
        : Int(try database.number("SELECT COUNT(rowid) FROM \(table)"))
    }
  }
}

extension PreflightReport.Verdict {
  init(_ evidence: StoreEvidence, _ plan: MigrationPlanDescription) {
    // Check this before the tables, since an older Core Data version may have the same tables as a version of the plan.
    if let origin = plan.coreDataOrigin(ofStoreWith: evidence.hashes),
      let version = plan.version(of: origin), let stage = plan.stage(of: origin)
    {
      self =
        plan.version(stage.to) == nil
        ? .retired(version)
        : .migrates(from: version, stages: [stage] + plan.stages(from: stage.to))
      return
    }
    let found = VersionRecognizer(evidence, candidates: plan.known.map(\.candidate))
    // If all candidates that fit have been removed from the plan, it does not matter which one the store has.
    if let last = found.fitting.last, last < plan.retired.count {
      self = .retired(plan.known[last])
      return
    }
    switch found.verdict {
    case .exact(let place, _):
      let version = plan.known[place]
      self =
        version == plan.newest
        ? .current(version)
        : .migrates(from: version, stages: plan.stages(from: version.number))
    case .newer(let identifier): self = .newer(identifier: identifier)
    case .disputed, .ambiguous, .unknown:
      self = .unknown(PreflightReport.Unknown(found, evidence, plan))
    }
  }
}

extension PreflightReport.Unknown {
  fileprivate init(
    _ found: VersionRecognizer, _ evidence: StoreEvidence, _ plan: MigrationPlanDescription
  ) {
    let identifiers = evidence.identifiers.sorted().joined(separator: ", ")
    let told = identifiers.isEmpty ? "no version" : "'\(identifiers)'"
    // A version that was removed from the plan is not migrated, whatever the store's number is.
    let retired = plan.retired.count
    let fitting = found.fitting.filter { $0 >= retired }.map { plan.known[$0] }
    if fitting.count > 1 {
      let names = fitting.map(\.name).joined(separator: ", ")
      self.init(
        why: "the store's tables match \(names), but its metadata names \(told)",
        possible: fitting, nearest: fitting.last?.name, differences: [])
      return
    }
    guard let nearest = found.nearest else {
      self.init(why: "the app's plan has no versions", possible: [], nearest: nil, differences: [])
      return
    }
    let name = plan.known[nearest].name
    var why =
      found.named.isEmpty
      ? "the store matches no version that the app knows; the closest is \(name)"
      : "the store claims to be \(told), but does not match the app's \(name)"
    if let version = fitting.first { why += "; its tables match \(version.name)" }
    let lines = found.comparisons[nearest].tables
    // SwiftData compares hashes. If both sides have hashes, the number does not count.
    let named = found.named.filter { $0 >= retired }.map { plan.known[$0] }.filter { version in
      evidence.hashes.isEmpty || version.knownHashes.isEmpty && version.computedHashes.isEmpty
    }
    self.init(
      why: why, possible: fitting.isEmpty ? named : fitting,
      nearest: name,
      differences: lines.isEmpty
        ? ["its entity hashes differ from those that \(name) shipped with"] : lines)
  }
}
