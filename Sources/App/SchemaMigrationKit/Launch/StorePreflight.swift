public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Looks at a store before it is opened: which version it is of, what a migration would do, and whether it can at all.
///
/// Only reads, also while others have the store open. It takes as long as counting the rows does: in an async function
/// the form is taken that leaves the caller's actor, and elsewhere it blocks.
public struct StorePreflight: Sendable {
  /// The store's database.
  public let store: URL
  /// What the store can be.
  public let plan: MigrationPlanDescription

  let files: StoreFiles
  let environment: SystemEnvironment

  /// - Parameters:
  ///   - store: The store's database.
  ///   - plan: What the store can be.
  public init(of store: URL, plan: MigrationPlanDescription) {
    self.init(plan: plan, backups: StoreBackups(of: store, environment: SystemEnvironment()))
  }

  init(plan: MigrationPlanDescription, backups: StoreBackups) {
    store = backups.store
    self.plan = plan
    files = backups.files
    environment = backups.environment
  }

  /// What was found.
  ///
  /// - Throws: `BackupError` when the store cannot be read for a reason that is not the store's own: no permission,
  ///   a lock that nobody gives back; `CancellationError` when the task is cancelled.
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
      // SQLite takes nothing at all for an empty database, and so does Core Data.
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
        // Core Data may write the whole store anew beside the old one, with external files and a log twice as long.
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

  /// SQLite reads a page that was cut off as if zeros followed. With a log, what is missing is made good from there.
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
    // The backup takes as much as the store. Then a migration may write every page anew before the old ones go, and its
    // log may be twice as long as the database; when it has failed, the log goes, and the backup is copied beside the
    // store.
    let database = report.databaseSize
    report.spaceNeeded =
      report.storeSize + max(3 * database, database + report.storeSize) + 1 << 20
    report.spaceAvailable = try? environment.freeSpace(files.folder)
  }
}

/// What a look at a store before it is opened has found.
public struct PreflightReport: Sendable, Hashable, CustomStringConvertible {
  /// What the store is.
  public internal(set) var verdict: Verdict
  /// How many rows each entity has, those of entities below it not among them; empty unless the version is known.
  public internal(set) var rowCounts: [String: Int] = [:]
  /// How many links each many-to-many relationship has, by both its sides as `Entity.property`.
  var linkCounts: [String: Int] = [:]
  /// The length of the store with its log and its external files, in bytes.
  public internal(set) var storeSize: Int64 = 0
  /// The length of the database and its log alone, in bytes.
  var databaseSize: Int64 = 0
  /// The bytes that a backup, a migration and putting the backup back may need together.
  public internal(set) var spaceNeeded: Int64 = 0
  /// The bytes that are free where the store is; `nil` where that cannot be told.
  public internal(set) var spaceAvailable: Int64?
  /// Why the verdict is not certain.
  var doubt: String?

  /// What a store is to an app.
  public enum Verdict: Sendable, Hashable {
    /// There is no store, or an empty one: it will be made.
    case absent
    /// It is of the version that the app works with.
    case current(MigrationPlanDescription.Version)
    /// It is of an older one, and these stages are before it. An older version of a Core Data model has the number of the
    /// version that its first stage, of the kind `coreData`, leads to.
    case migrates(from: MigrationPlanDescription.Version, stages: [MigrationPlanDescription.Stage])
    /// It is of a version that was in the plan once: this app no longer migrates it, and nothing is done to it.
    case retired(MigrationPlanDescription.Version)
    /// It is of a version that the app does not know by its tables or hashes, and that calls itself newer.
    case newer(identifier: String)
    /// Nobody can tell which version it is of, or it is of none that the app knows.
    case unknown(Unknown)
    /// It is a store, but cannot be read, for this reason.
    case damaged(String)
    /// The file is none of Core Data's, for this reason.
    case notAStore(String)

    /// The version of the store, where it is known.
    public var version: MigrationPlanDescription.Version? {
      switch self {
      case .current(let version), .migrates(let version, _): version
      default: nil
      }
    }
  }

  /// Why a store is of no version.
  public struct Unknown: Sendable, Hashable {
    /// A sentence for people.
    public let why: String
    /// The versions that it may be all the same: those whose tables it has, or else those whose number it calls itself by,
    /// as long as nobody knows their hashes. A migration takes it for one of these, after a backup, and SwiftData has the
    /// last word. Where this is empty, the store is of no version, and nothing is done to it.
    public let possible: [MigrationPlanDescription.Version]
    /// The version with the fewest differences, or the one that the store's metadata name; its name.
    public let nearest: String?
    /// What the store has otherwise than the nearest version, a line for each.
    public let differences: [String]
  }

  /// The stages before the store; none unless it migrates.
  public var stages: [MigrationPlanDescription.Stage] {
    if case .migrates(_, let stages) = verdict { stages } else { [] }
  }

  /// The older version of a Core Data model that the store is of, as Xcode shows it: "Trips 2"; nil for any other store.
  public var coreDataVersion: String? {
    if case .migrates(let version, let stages) = verdict, stages.first?.kind == .coreData {
      version.name
    } else {
      nil
    }
  }

  /// Whether the app's own code runs in one of the stages.
  public var isCustom: Bool { stages.contains { $0.kind == .custom } }

  /// All rows of all entities.
  public var rowTotal: Int { rowCounts.values.reduce(0, +) }

  /// What was found, in lines for people.
  public var description: String {
    var lines = [verdict.description]
    for stage in stages { lines.append("  \(stage.title) (\(stage.kind.rawValue))") }
    if verdict.version != nil { lines.append("\(rowTotal) rows, \(megabytes(storeSize))") }
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
      "the store has version \(version.name), \(stages.count) stages before the newest"
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

/// How many rows each entity of a version has.
struct RowCounts {
  private(set) var counts: [String: Int] = [:]

  init(_ version: StoredVersion, _ structure: StoreStructure, _ database: SQLite) throws {
    for place in version.entities.values where structure.tables[place.table] != nil {
      // Where a table has the rows of one entity alone, SQLite goes through its smallest index. Not COUNT(*), for which
      // it takes a way on which nothing stops it.
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
  /// Finds which version of a plan a store is of, as far as the store tells.
  init(_ evidence: StoreEvidence, _ plan: MigrationPlanDescription) {
    // Before tables are looked at: those of an older Core Data version may be a plan's version's.
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
    // Where all that it can be has left the plan, it does not matter which it is.
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
    // What has left the plan is not migrated, whatever the store's number says.
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
    // SwiftData goes by hashes. Where both sides have them, a number counts for nothing.
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
