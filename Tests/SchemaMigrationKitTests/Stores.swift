import CStoreLibraries
import Foundation
import Testing

@testable import SchemaMigrationKit

/// A folder of its own that is removed after the test.
final class TemporaryFolder: Sendable {
  let url: URL

  #if !canImport(Darwin)
    /// Opens every connection as Apple's SQLite does for programs linked since macOS 11 and iOS 14: defended against
    /// SQL that could damage the file. Apple's SQLite has no process-wide extensions and needs none.
    private static let isDefended: Bool = {
      let defend: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32 = {
        handle, _, _ in schemagen_defend(handle, 1)
      }
      return sqlite3_auto_extension(
        unsafeBitCast(defend, to: (@convention(c) () -> Void).self)) == SQLITE_OK
    }()
  #endif

  init() throws {
    #if !canImport(Darwin)
      try #require(Self.isDefended)
    #endif
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Every file in it except locks and files that SQLite creates again when it opens a store.
  func names() -> [String] {
    let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      !name.hasSuffix(".lock") && !name.hasSuffix("-shm") && !isFolder(name)
        && !(name.hasSuffix("-wal") && (try? Disk.status(url.path + "/" + name)?.size) == 0)
    }.sorted()
  }

  private func isFolder(_ name: String) -> Bool {
    (try? Disk.status(url.path + "/" + name)?.isFolder) == true
  }

  /// A copy with the same hard links and dates.
  func copy() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    #if canImport(Darwin)
      let program = ["/usr/bin/ditto", url.path, copy.url.path]
    #else
      let program = ["/bin/cp", "-a", url.path + "/.", copy.url.path]
    #endif
    let outcome = try StandIn.run(program: program)
    try #require(outcome.status == 0, "\(outcome)")
    return copy
  }
}

/// Places of a store that moves.
extension TemporaryFolder {
  var old: URL { url.appendingPathComponent("default.store") }
  /// The new place, in a folder that does not exist yet.
  var new: URL { url.appendingPathComponent("Group/new.store") }

  func makeNewFolder() throws {
    try FileManager.default.createDirectory(
      at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Does something to the store at its old place, in copies of the folder: killed at the first step, at the second, and so
  /// on until it is not.
  ///
  /// - Returns: At how many steps.
  @discardableResult
  func killing(
    _ command: String, _ options: [String: String] = [:],
    check: (TemporaryFolder, Outcome) async throws -> Void
  ) async throws -> Int {
    for place in 1...1000 {
      let copy = try copy()
      let outcome = try StandIn.run(
        command, copy.old, options.merging(["KILL_AT": "\(place)"]) { $1 })
      try await check(copy, outcome)
      if !outcome.wasKilled {
        #expect(outcome.status == 0, "\(outcome)")
        return place
      }
    }
    Issue.record("there is no end")
    return 0
  }
}

/// A connection as an app has it.
final class Connection {
  private var handle: OpaquePointer?

  init(_ url: URL) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    try #require(sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK)
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    try #require(status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}

/// Makes a store with a WAL, whose rows are named after `name`.
func makeStore(_ url: URL, named name: String, rows: Int = 100, external: [String] = []) throws {
  let connection = try Connection(url)
  try connection.run(
    """
    PRAGMA page_size = 4096; PRAGMA journal_mode = WAL;
    CREATE TABLE ZITEM (
      Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZAMOUNT INTEGER, ZDATA BLOB, ZEXTERNAL VARCHAR);
    CREATE INDEX ZITEM_ZNAME ON ZITEM (ZNAME);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZITEM(ZNAME, ZAMOUNT, ZDATA) SELECT '\(name) ' || i, 10, randomblob(1500) FROM n;
    """)
  for file in external {
    try connection.run("INSERT INTO ZITEM(ZNAME, ZEXTERNAL) VALUES ('\(name)', '\(file)')")
    try writeExternal(file, of: url, "\(name) \(file)")
  }
}

/// Core Data's folder for the external files of a store.
func externalFolder(of store: URL) -> URL {
  let stem = store.deletingPathExtension().lastPathComponent
  return store.deletingLastPathComponent()
    .appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA")
}

func writeExternal(_ file: String, of store: URL, _ text: String) throws {
  let folder = externalFolder(of: store)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try Data(text.utf8).write(to: folder.appendingPathComponent(file))
}

/// All rows of a store, with the external files that they refer to; a missing file is named as missing.
func contents(_ store: URL) throws -> [String] {
  let connection = try Connection(store)
  let rows = try connection.texts(
    "SELECT Z_PK || '|' || ZNAME || '|' || quote(ZAMOUNT) || '|' || hex(ZDATA) FROM ZITEM ORDER BY 1"
  )
  let files = try connection.texts(
    "SELECT ZEXTERNAL FROM ZITEM WHERE ZEXTERNAL IS NOT NULL ORDER BY 1")
  return rows
    + files.map { file in
      let url = externalFolder(of: store).appendingPathComponent(file)
      return (try? String(contentsOf: url, encoding: .utf8)) ?? "'\(file)' is missing"
    }
}

/// The peak memory use of the process in kilobytes; 0 if it is unknown.
func greatestMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// The result of a process.
struct Outcome {
  var status: Int32
  var wasKilled: Bool
  var output: String
  var errors: String
}

/// The helper that runs as another process.
enum StandIn {
  static let path: String = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let folder = bundle?.bundleURL.deletingLastPathComponent()
    #else
      let folder: URL? = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return folder?.appendingPathComponent("backup-stand-in").path ?? ""
  }()

  static func process(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) -> (Process, output: Pipe, errors: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    return (process, output, errors)
  }

  /// Runs any program whose output fits in a pipe. `ChildProcess` uses files instead, which some of these programs may
  /// not write.
  static func run(
    program arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let (process, output, errors) = process(arguments, environment)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      errors: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
  }

  @discardableResult
  static func run(
    _ command: String, _ store: URL, _ environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(program: [path, command, store.path], environment)
  }
}

final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var moment: Date

  init(_ text: String) throws {
    moment = try #require(Timestamp(text)).date
  }

  var now: Date { lock.withLock { moment } }

  func advance(days: Double) {
    lock.withLock { moment += days * 86_400 }
  }
}

/// Counts the steps of an operation, and can make one of them fail.
final class Steps: @unchecked Sendable {
  private let lock = NSLock()
  private var names: [String] = []

  func reached(_ name: String) { lock.withLock { names.append(name) } }

  var all: [String] { lock.withLock { names } }
}

let one = StoreVersion(1, 0, 0)
let two = StoreVersion(2, 0, 0)
