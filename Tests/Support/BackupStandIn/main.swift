import CStoreLibraries
import Foundation
import ManagedModels
import SchemaMigrationKit
import StoreFormat

// Does one thing to a store, and can be killed at every step of it: `KILL_AT=3` at the third, `KILL_AT=staged` at the
// first of that name.
//
//   backup-stand-in make|create|restore|recover|prune|move|write|die|update|spill|note|migrate|look|salvage STORE
//   backup-stand-in serve
//
// Options are variables of the environment. `STASH=1` makes `migrate` keep values in memory while it drops their
// columns, `LOSE=1` makes it delete rows, `FAIL=1` throw when all stages have run. `CORE=inPlace`, `asCopy` and `inSteps` say
// how a store of an older Core Data version, which `make` makes with either, is migrated first. `PLAN_OF` is a store whose model
// `look` and `salvage` take for the only version. `move` moves the store to the path `TO` in its folder, and with
// `ASIDE=1` puts an empty store there aside. `FILE_LIMIT` is the longest file in bytes that it may write.
//
// `serve` reads lines like `FAIL=1 migrate STORE`, does what they say, and prints `== ` and the status after each.

/// Kills the process at a step, given by its number, counted from 1, or by its name.
final class KillPoint: @unchecked Sendable {
  private let lock = NSLock()
  let fatal = ProcessInfo.processInfo.environment["KILL_AT"]
  private var count = 0

  func reached(_ step: String) {
    lock.withLock {
      count += 1
      if fatal == "\(count)" || fatal == step {
        FileHandle.standardError.write(Data("killed at step \(count): \(step)\n".utf8))
        kill(getpid(), SIGKILL)
      }
    }
  }
}

/// Runs statements; ends the process if one fails.
func execute(_ connection: OpaquePointer?, _ sql: String) {
  guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
    FileHandle.standardError.write(Data("\(String(cString: sqlite3_errmsg(connection)))\n".utf8))
    exit(3)
  }
}

func open(_ path: String) -> OpaquePointer? {
  var connection: OpaquePointer?
  sqlite3_open(path, &connection)
  sqlite3_busy_timeout(connection, 10_000)
  return connection
}

if let text = ProcessInfo.processInfo.environment["FILE_LIMIT"], let bytes = UInt(text) {
  // A write beyond it then fails with EFBIG instead of ending the process.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
  #if canImport(Darwin)
    setrlimit(RLIMIT_FSIZE, &limit)
  #else
    setrlimit(__rlimit_resource_t(1), &limit)
  #endif
}

/// The result of a task, for the thread that waits for it.
final class Answer<Value: Sendable>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}

/// Waits for an asynchronous task, while nothing else runs in this process.
func wait<Result: Sendable>(
  for body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let answer = Answer<Result>()
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      answer.result = .success(try await body())
    } catch {
      answer.result = .failure(error)
    }
    isDone.signal()
  }
  isDone.wait()
  guard let result = answer.result else { exit(5) }
  return try result.get()
}

let killPoint = KillPoint()

/// The plan with which `look` and `salvage` compare a store.
func plan(_ options: [String: String]) throws -> MigrationPlanDescription {
  guard let path = options["PLAN_OF"] else { return Sample.plan() }
  guard let model = try StoreFacts(ofStoreAt: URL(fileURLWithPath: path)).model else { exit(6) }
  let version = MigrationPlanDescription.Version(model, name: "V1")
  return MigrationPlanDescription(versions: [version], stages: [])
}

/// The opened container, as long as it is in use.
final class Opened: @unchecked Sendable {
  weak var container: Sample.Container?
}

/// Migrates a store, and prints the attempt and whether the store is valid.
func migrate(
  _ store: URL, _ backups: StoreBackups, _ options: [String: String], _ opened: Opened
) throws {
  let isStashing = options["STASH"] != nil
  let migration = StoreMigration(
    plan: Sample.plan(isRepeatable: !isStashing), backups: backups)
  let isLosing = options["LOSE"] != nil
  let isFailing = options["FAIL"] != nil
  let reached = killPoint
  let way = options["CORE"].flatMap(Sample.CoreDataMigration.init)
  let run = migration.run {
    if let way { try Sample.runCoreDataStep(store, way) { reached.reached($0) } }
    let container = try Sample.open(store, isStashing: isStashing) { step in
      if step == "dropped the column" {
        // As SQLite does by itself after a thousand pages: later writes begin the WAL again.
        let connection = open(store.path)
        execute(connection, "PRAGMA wal_checkpoint")
        sqlite3_close(connection)
      }
      reached.reached(step)
    }
    if isLosing {
      let connection = open(store.path)
      execute(connection, "DELETE FROM Z_2TAGS; DELETE FROM ZNOTE WHERE Z_PK > 30")
      sqlite3_close(connection)
      reached.reached("lost rows")
    }
    if isFailing { throw StoreError(.sqlite, "a stage has failed") }
    opened.container = container
    return container
  }
  let report = try wait { try await run.result.report }
  print("\(report.attempts) \(report.validation?.isValid ?? true)")
}

/// Performs one command.
func perform(_ command: String, _ store: URL, _ options: [String: String]) throws {
  // Small pieces give many steps to be killed at; otherwise the speed is that of an app.
  let pagesAtOnce: Int32 = killPoint.fatal == nil ? 256 : 16
  let environment = SystemEnvironment(
    reached: { killPoint.reached($0) }, pagesAtOnce: pagesAtOnce)
  let backups = StoreBackups(of: store, environment: environment)
  switch command {
  case "make": try Sample.make(store, options["CORE"] == nil ? Sample.v1 : Sample.coreData[0].1)
  case "create":
    let backup = try backups.create(from: StoreVersion(1, 0, 0), to: StoreVersion(2, 0, 0))
    print(backup.url.lastPathComponent)
  case "restore":
    guard let backup = try backups.list().last(where: { $0.manifest != nil }) else { exit(4) }
    try backups.restore(backup)
  case "recover": print(try backups.recover())
  case "move":
    let new = store.deletingLastPathComponent()
      .appendingPathComponent(options["TO"] ?? "Group/new.store")
    let relocation = StoreRelocation(
      from: store, to: new, existingStore: options["ASIDE"] == nil ? .refuse : .putAsideIfEmpty,
      environment: environment)
    print(try relocation.perform())
  case "prune": print(try backups.prune().removed.count)
  case "write":
    // Moves amounts between rows for ever; their sum stays the same.
    let connection = open(store.path)
    execute(connection, "PRAGMA journal_mode = WAL")
    var turn = 0
    while true {
      turn += 1
      execute(
        connection,
        """
        BEGIN IMMEDIATE;
        UPDATE ZITEM SET ZAMOUNT = ZAMOUNT - 1 WHERE Z_PK = 1 + \(turn) % 100;
        UPDATE ZITEM SET ZAMOUNT = ZAMOUNT + 1 WHERE Z_PK = 1 + \(turn * 7 + 3) % 100;
        COMMIT
        """)
      if turn == 1 {
        print("writing")
        fflush(nil)
      }
    }
  case "die":
    // Leaves rows in a WAL that was not checkpointed.
    let connection = open(store.path)
    execute(
      connection,
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      INSERT INTO ZITEM(ZNAME, ZAMOUNT, ZDATA) VALUES ('in the WAL', 0, zeroblob(3000));
      """)
    kill(getpid(), SIGKILL)
  case "update":
    // Leaves a WAL without the first page of the database.
    let connection = open(store.path)
    execute(
      connection, "PRAGMA wal_autocheckpoint = 0; UPDATE ZITEM SET ZAMOUNT = 11 WHERE Z_PK = 50")
    kill(getpid(), SIGKILL)
  case "spill":
    // Leaves half a transaction in the database, with the journal that reverts it.
    let connection = open(store.path)
    execute(
      connection,
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; BEGIN IMMEDIATE;
      UPDATE ZITEM SET ZNAME = 'half', ZDATA = zeroblob(3000);
      """)
    kill(getpid(), SIGKILL)
  case "note":
    // Leaves a row of the sample schema in the WAL.
    let connection = open(store.path)
    execute(
      connection,
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      INSERT INTO ZNOTE(Z_ENT, Z_OPT, ZTEXT, ZSTARS) VALUES (2, 1, 'in the WAL', 5);
      """)
    kill(getpid(), SIGKILL)
  case "migrate":
    let opened = Opened()
    try migrate(store, backups, options, opened)
    // The run's container is released on a thread of its own, and then the store is closed.
    while opened.container != nil { usleep(500) }
  case "look":
    print(try StorePreflight(of: store, plan: plan(options)).check())
    do {
      print(try StoreValidation(of: store, plan: plan(options)).report())
    } catch let error as BackupError {
      // Nothing more may be printed about a damaged store.
      print(error)
    }
  case "salvage":
    print(
      try StoreSalvage(of: store)
        .write(to: store.appendingPathExtension("json")))
  default: exit(2)
  }
}

/// The exit status of a command; prints the library's failures.
func status(_ command: String, _ store: URL, _ options: [String: String]) -> Int32 {
  do {
    try perform(command, store, options)
    return 0
  } catch let failure as MigrationFailure {
    print(failure)
    return 1
  } catch let error as BackupError {
    print(error)
    return 1
  } catch {
    print(error)
    return 7
  }
}

let arguments = CommandLine.arguments
switch arguments.count {
case 3:
  exit(
    status(
      arguments[1], URL(fileURLWithPath: arguments[2]), ProcessInfo.processInfo.environment))
case 2 where arguments[1] == "serve":
  while let line = readLine() {
    var words = line.split(separator: " ").map(String.init)
    var options: [String: String] = [:]
    while let word = words.first, let equals = word.firstIndex(of: "=") {
      options[String(word[..<equals])] = String(word[word.index(after: equals)...])
      words.removeFirst()
    }
    guard words.count == 2 else { exit(2) }
    print("== \(status(words[0], URL(fileURLWithPath: words[1]), options))")
    fflush(nil)
  }
default: exit(2)
}
