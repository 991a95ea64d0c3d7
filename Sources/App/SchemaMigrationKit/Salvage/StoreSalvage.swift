internal import CStoreLibraries
public import Foundation
internal import ManagedModels
internal import StoreFormat

/// Writes what can still be read of a damaged store into a JSON file.
///
/// SQLite only reads the store. It reads around damaged pages: forwards, backwards, and from keys in between. One row
/// at a time is in memory. A file that SQLite cannot open stays unchanged, and causes an error.
///
/// ```json
/// {
///   "format": 1, "store": "default.store",
///   "entities": {
///     "Habit": {
///       "table": "ZHABIT",
///       "rows": [
///         {"Z_PK": 1, "ZNAME": "Read", "ZSTARTDATE": {"date": "2025-11-15T09:30:11.000Z", "raw": 784891811},
///          "ZSCHEDULEDATA": {"base64": "e30="}, "ZCATEGORY": 3}
///       ],
///       "read": 1, "expected": 2, "lost": 1
///     }
///   },
///   "links": {"Z_2TAGS": {"table": "Z_2TAGS", "rows": [], "read": 0, "expected": 0, "lost": 0}}
/// }
/// ```
/// Values have the names of their columns: "Z" and the property's name in upper case. A to-one relationship is the key
/// (`Z_PK`) of its destination row.
public struct StoreSalvage: Sendable {
  /// The store's database.
  public let store: URL
  private let files: StoreFiles

  /// Creates a salvage. This reads nothing yet.
  ///
  /// - Parameter store: The store's database.
  public init(of store: URL) {
    self.store = store
    files = StoreFiles(store)
  }

  /// Reads the store and writes the file atomically.
  ///
  /// This blocks. In an async function the compiler chooses the async form.
  ///
  /// - Parameters:
  ///   - file: The JSON file. An existing one is replaced.
  ///   - progress: A closure that is called with an entity and its number of rows so far, every thousand rows. An error
  ///     that it throws stops the salvage and is rethrown.
  /// - Returns: What was read and what was lost.
  /// - Throws: `BackupError` if nothing can be read or the file cannot be written, or `CancellationError`.
  public func write(
    to file: URL, progress: (_ entity: String, _ rows: Int) throws -> Void = { _, _ in }
  ) throws -> SalvageReport {
    let partial = file.path + ".partial"
    do {
      try Disk.unlink(partial)
      guard try Disk.exists(files.database) else {
        throw BackupError(.storeMissing, "There is no store at '\(files.database)'.")
      }
      var report = SalvageReport(file: file)
      let database = try Self.open(files.database, &report)
      let output = try SalvageOutput(partial)
      try SalvagedStore(database).write(output, name: files.name, &report, progress)
      try output.close()
      try Disk.rename(partial, to: file.path)
      return report
    } catch {
      try? Disk.unlink(partial)
      throw SystemEnvironment().translated(error)
    }
  }

  private static func open(_ path: String, _ report: inout SalvageReport) throws -> SQLite {
    for access in [SQLite.Access.readOnly, .immutable] {
      do {
        let database = try readable(path, access)
        if access == .immutable {
          report.notes.append("a transaction was in progress; only part of it may have been read")
        }
        return database
      } catch let error as StoreError where error.failure?.needsWriting == true {
        // Only a writer could roll the journal back, so the journal is left alone.
        continue
      }
    }
    throw BackupError(.corrupt, "Nothing in '\(path)' can be read. The file is kept.")
  }

  private static func readable(
    _ path: String, _ access: SQLite.Access
  ) throws -> SQLite {
    let database = try SQLite(path: path, access: access, isShared: true)
    try database.distrustSchema(isDamaged: true)
    database.restrictToSize(heedsCancellation: true)
    // This makes SQLite read the rest of a file that was cut off, or of a partly damaged schema.
    try database.execute("PRAGMA writable_schema = ON; BEGIN")
    let count = try database.number("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table'")
    guard count > 0 else {
      throw StoreError(
        DatabaseFailure(
          code: SQLITE_NOTADB, systemCode: 0, message: "it has no tables", path: path))
    }
    try database.requireStoredColumns()
    return database
  }
}

/// A report of what was read from a damaged store, and what was not.
public struct SalvageReport: Sendable, Hashable, CustomStringConvertible {
  /// The JSON file.
  public let file: URL
  /// The results, one for each table.
  public internal(set) var tables: [Table] = []
  /// Further notes for people.
  public internal(set) var notes: [String] = []

  /// The result for one table.
  public struct Table: Sendable, Hashable {
    /// The entity's name; the table's name if the entity is unknown.
    public let entity: String
    /// The table's name.
    public let table: String
    /// The number of rows that were read.
    public internal(set) var read = 0
    /// The number of rows that the table had; `nil` if it is unknown.
    public internal(set) var expected: Int?
    /// Whether the whole table could be read.
    public internal(set) var isComplete = true

    /// The number of rows that were not read; `nil` if it is unknown.
    public var lost: Int? {
      if let expected { return max(0, expected - read) }
      return isComplete ? 0 : nil
    }
  }

  /// Whether no row is known or suspected to be missing.
  public var isComplete: Bool {
    tables.allSatisfy { $0.isComplete && $0.lost == 0 }
  }

  /// The number of all rows that were read.
  public var read: Int { tables.reduce(0) { $0 + $1.read } }

  /// Tables and notes, in lines for people.
  public var description: String {
    var lines = ["\(read) rows are in '\(file.lastPathComponent)'"]
    for table in tables {
      let lost = table.lost.map { $0 == 0 ? "" : ", \($0) lost" } ?? ", others lost"
      lines.append("  \(table.entity): \(table.read)\(lost)")
    }
    return (lines + notes.map { "  \($0)" }).joined(separator: "\n")
  }
}
