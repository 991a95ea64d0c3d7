import Foundation
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Processes killed at every step, full disks, and other processes that write at the same time.
@Suite(.enabled(if: Checkout.runsEverything)) struct FaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ folder: TemporaryFolder) -> URL {
    folder.url.appendingPathComponent("default.store")
  }

  /// The store's contents, read from a copy, since opening the store would change it.
  private func contentsOfACopy(of folder: TemporaryFolder) throws -> [String] {
    let copy = try folder.copy()
    return try withExtendedLifetime(copy) { try contents(store(copy)) }
  }

  /// A store called "new" with rows in its WAL, as after a crash, and a backup of one called "old".
  private func prepare(
    backup: Bool, leaving command: String = "die", isOverwriting: Bool = false
  ) throws -> (old: [String], new: [String]) {
    let store = store(folder)
    var old: [String] = []
    if backup {
      try makeStore(store, named: "old", external: ["old only", "same"])
      if isOverwriting { try writeExternal("new only", of: store, "old") }
      old = try contents(store)
      _ = try StoreBackups(of: store).create(from: one, to: two)
      for suffix in StoreFiles.companionSuffixes + [""] { try Disk.unlink(store.path + suffix) }
      let external = externalFolder(of: store)
      try Disk.unlink(external.appendingPathComponent("old only").path)
    }
    try makeStore(store, named: "new", external: ["new only"])
    let before = try contentsOfACopy(of: folder)
    #expect(try StandIn.run(command, store).wasKilled)
    #expect(try Disk.status(store.path + "-wal")?.size ?? 0 > 3000)
    let new = try contentsOfACopy(of: folder)
    #expect(new != before)
    return (old, new)
  }

  /// Runs a command in copies of the folder, killed at the first step, at the second, and so on until it finishes.
  private func killed(
    _ command: String, in folder: TemporaryFolder,
    _ check: (_ place: Int, TemporaryFolder, Outcome) throws -> Void
  ) throws -> Int {
    for place in 1...1000 {
      let copy = try folder.copy()
      let outcome = try StandIn.run(command, store(copy), ["KILL_AT": "\(place)"])
      if !outcome.wasKilled {
        #expect(outcome.status == 0, "\(outcome)")
        try check(place, copy, outcome)
        return place
      }
      try check(place, copy, outcome)
    }
    Issue.record("'\(command)' has no end")
    return 0
  }

  @Test func creationKilledAtEveryStep() throws {
    let (_, new) = try prepare(backup: false)
    var complete = 0
    let steps = try killed("create", in: folder) { place, copy, outcome in
      let store = store(copy)
      let backups = StoreBackups(of: store)
      // A backup is complete, or is not listed as one.
      for backup in try backups.list() where backup.manifest != nil {
        complete += 1
        try backups.verify(backup)
        #expect(try contents(backup.url).count >= 100, "\(outcome.errors)")
      }
      #expect(try contents(store) == new, "\(outcome.errors)")
      // The next backup succeeds, and of this one only listed files remain.
      let backup = try backups.create(from: one, to: two)
      try backups.verify(backup)
      #expect(!copy.names().contains { $0.contains("partial") }, "\(copy.names())")
      let listed = try backups.list().count
      #expect(copy.names().filter { $0.hasSuffix(".sqlite") }.count == listed)
      let finished = try backups.list().filter { $0.manifest != nil }.count
      #expect(copy.names().filter { $0.hasSuffix(".json") }.count == finished)
      try backups.restore(backup)
      #expect(try contents(store) == new, "\(outcome.errors)")
    }
    #expect(steps > 10)
    // Right after the sidecar was written, and without a kill.
    #expect(complete == 2)
  }

  /// - Parameter isOverwriting: Whether the store and the backup have an external file of the same name and other
  ///   content. Core Data never writes such a file twice, so one of them is damaged; until `recover()` it may then be
  ///   that of the other.
  @Test(arguments: [false, true])
  func restoreKilledAtEveryStep(isOverwriting: Bool) throws {
    let (old, new) = try prepare(backup: true, isOverwriting: isOverwriting)
    var seen: [String] = []
    let steps = try killed("restore", in: folder) { place, copy, outcome in
      // A program that does not call `recover()` opens the store.
      let naive = try copy.copy()
      defer { withExtendedLifetime(naive) {} }
      let found = try contents(store(naive))
      let isRestored = found.first == old.first
      if !isOverwriting {
        #expect(found == (isRestored ? old : new), "\(outcome.errors): \(found.count) rows")
      }
      seen.append(isRestored ? "old" : "new")
      try expectEnd(of: copy, old: old, new: new, isOverwriting, isRestored, outcome)
      // `recover()` still works after that.
      try expectEnd(of: naive, old: old, new: new, isOverwriting, isRestored, outcome)
    }
    #expect(steps >= 20)
    // The outcomes change only once.
    #expect(seen == seen.sorted())
    #expect(Set(seen) == ["new", "old"])
  }

  /// After `recover()` the store is one of the two, and of the other only the replaced store remains.
  private func expectEnd(
    of folder: TemporaryFolder, old: [String], new: [String], _ isOverwriting: Bool,
    _ isRestored: Bool, _ outcome: Outcome
  ) throws {
    let store = store(folder)
    let backups = StoreBackups(of: store)
    let recovery = try backups.recover()
    let names = folder.names()
    #expect(try contents(store) == (isRestored ? old : new), "\(outcome.errors) \(recovery)")
    #expect(!names.contains { $0.contains("restor") || $0.contains("partial") }, "\(names)")
    let external = names.filter { $0.hasPrefix(".default_SUPPORT/") }
      .map { ($0 as NSString).lastPathComponent }
    let replaced = names.filter { $0.hasPrefix("default_replaced") }
    if isRestored {
      #expect(
        external == (isOverwriting ? ["new only"] : []) + ["old only", "same"], "\(outcome.errors)")
      let kept = try #require(replaced.first { $0.hasSuffix(".store") })
      #expect(try contents(folder.url.appendingPathComponent(kept)) == new)
    } else {
      #expect(external == ["new only", "same"], "\(outcome.errors)")
      #expect(replaced == [], "\(outcome.errors)")
      #expect(!names.contains { $0.hasPrefix(".default_replaced") }, "\(names)")
    }
    #expect(try backups.recover() == .nothing)
    let backup = try #require(try backups.list().first)
    try backups.verify(backup)
    try backups.restore(backup)
    #expect(try contents(store) == old, "\(outcome.errors)")
  }

  @Test(arguments: [false, true])
  func recoveryKilledAtEveryStep(isOverwriting: Bool) throws {
    let (old, new) = try prepare(backup: true, isOverwriting: isOverwriting)
    var runs = 0
    _ = try killed("restore", in: folder) { place, copy, outcome in
      guard try Disk.exists(copy.url.path + "/.default.store.restore.json") else { return }
      let isRestored = try !Disk.exists(copy.url.path + "/.default.store.restoring")
      runs += try killed("recover", in: copy) { _, inner, second in
        var both = second
        both.errors = outcome.errors + second.errors
        if !isOverwriting {
          let found = try contentsOfACopy(of: inner)
          #expect(found == (isRestored ? old : new), "\(both.errors)")
        }
        try expectEnd(of: inner, old: old, new: new, isOverwriting, isRestored, both)
      }
    }
    #expect(runs > 30)
  }

  /// A damaged store's WAL is moved and restored with it.
  @Test func restoreOfADamagedStoreKilledAtEveryStep() throws {
    let (old, _) = try prepare(backup: true, leaving: "update")
    var data = try Data(contentsOf: store(folder))
    data.replaceSubrange(0..<4096, with: Data(repeating: 0xA5, count: 4096))
    try data.write(to: store(folder))
    let wal = try Data(contentsOf: URL(fileURLWithPath: store(folder).path + "-wal"))
    var seen: Set<Recovery> = []
    _ = try killed("restore", in: folder) { place, copy, outcome in
      let store = store(copy)
      let isRestored = try Data(contentsOf: store) != data
      seen.insert(try StoreBackups(of: store).recover())
      if isRestored {
        #expect(try contents(store) == old, "\(outcome.errors)")
        let kept = try #require(copy.names().first { $0.hasSuffix("Z.store") })
        #expect(try Data(contentsOf: copy.url.appendingPathComponent(kept)) == data)
        #expect(try Data(contentsOf: copy.url.appendingPathComponent(kept + "-wal")) == wal)
      } else {
        #expect(try Data(contentsOf: store) == data, "\(outcome.errors)")
        let url = URL(fileURLWithPath: store.path + "-wal")
        #expect(try Data(contentsOf: url) == wal, "\(outcome.errors)")
        #expect(!copy.names().contains { $0.contains("replaced") }, "\(copy.names())")
      }
    }
    #expect(seen.count == 3, "\(seen)")
  }

  /// A damaged store's WAL was put away, and then a new store was created: the WAL must not meet it.
  @Test func anOldWALNeverMeetsANewStore() throws {
    _ = try prepare(backup: true, leaving: "update")
    var data = try Data(contentsOf: store(folder))
    data.replaceSubrange(0..<4096, with: Data(repeating: 0xA5, count: 4096))
    try data.write(to: store(folder))
    var count = 0
    _ = try killed("restore", in: folder) { place, copy, outcome in
      let store = store(copy)
      guard try Disk.exists(copy.url.path + "/.default.store.restoring"),
        try !Disk.exists(store.path + "-wal")
      else { return }
      count += 1
      try Disk.unlink(store.path)
      try makeStore(store, named: "a week later")
      let before = try contents(store)
      try StoreBackups(of: store).recover()
      #expect(try !Disk.exists(store.path + "-wal"), "\(outcome.errors)")
      #expect(try contents(store) == before, "\(outcome.errors)")
      // The WAL is not lost either.
      #expect(copy.names().contains { $0.hasSuffix("Z.store-wal") }, "\(copy.names())")
    }
    #expect(count > 0)
  }

  /// Changes that an app makes to a store after an interrupted restore are kept.
  @Test func recoveryLaterTakesNothingFromTheStore() throws {
    _ = try prepare(backup: true)
    _ = try killed("restore", in: folder) { place, copy, outcome in
      let store = store(copy)
      try Connection(store).run(
        "INSERT INTO ZITEM(ZNAME, ZAMOUNT, ZDATA) VALUES ('a week later', 1, x'00')")
      let before = try contents(store)
      try StoreBackups(of: store).recover()
      #expect(try contents(store) == before, "\(outcome.errors)")
    }
  }

  @Test func pruningKilledAtEveryStep() throws {
    let store = store(folder)
    try makeStore(store, named: "old", rows: 5, external: ["one"])
    let clock = try Clock("20200101T000000000Z")
    let backups = StoreBackups(of: store, now: { clock.now })
    for number in 1...5 {
      _ = try backups.create(from: StoreVersion(number, 0, 0), to: StoreVersion(number + 1, 0, 0))
    }
    try backups.markShipped(StoreVersion(9, 0, 0))
    let steps = try killed("prune", in: folder) { _, copy, outcome in
      let backups = StoreBackups(of: self.store(copy))
      let complete = try backups.list().filter { $0.manifest != nil }
      #expect(complete.count >= 3)
      for backup in complete { try backups.verify(backup) }
      _ = try backups.prune()
      #expect(try backups.list().count == 3)
      #expect(copy.names().filter { $0.hasPrefix("Backups/default.store_backup") }.count == 9)
    }
    #expect(steps == 5)
  }

  // MARK: - Full disks

  /// The largest file that may be written, in bytes: from nothing to more than is needed.
  @Test(arguments: ["create", "restore"])
  func filesThatCannotGrow(command: String) throws {
    let (old, new) = try prepare(backup: true)
    var statuses: Set<Int32> = []
    for limit in [0, 100, 4096, 50_000, 150_000, 10_000_000] {
      let copy = try folder.copy()
      let store = store(copy)
      let outcome = try StandIn.run(command, store, ["FILE_LIMIT": "\(limit)"])
      statuses.insert(outcome.status)
      let isDone = outcome.status == 0
      #expect(!outcome.wasKilled)
      if !isDone {
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.output.contains("not enough space on the disk"), "\(limit): \(outcome)")
        #expect(outcome.output.contains("The store is unchanged."), "\(limit): \(outcome)")
        #expect(!copy.names().contains { $0.contains("restor") || $0.contains("partial") })
      }
      #expect(try StoreBackups(of: store).recover() == .nothing)
      #expect(try contents(store) == (isDone && command == "restore" ? old : new), "\(limit)")
      let complete = try StoreBackups(of: store).list().filter { $0.manifest != nil }
      #expect(complete.count == (isDone && command == "create" ? 2 : 1))
    }
    #expect(statuses == [0, 1])
  }

  private static let canMount: Bool = {
    let outcome = try? StandIn.run(program: ["/usr/bin/unshare", "-m", "true"])
    return getuid() == 0 && outcome?.status == 0
  }()

  /// A file system of a megabyte, in a namespace that ends with the process.
  @Test(
    .enabled(if: canMount, "only root may mount, on Linux"),
    arguments: ["create", "restore"])
  func aFullFileSystem(command: String) throws {
    let (_, new) = try prepare(backup: true)
    let store = store(folder)
    // The full folder is the backups' folder, or the store's folder with everything in it.
    let script =
      command == "create"
      ? """
      mount -t tmpfs -o size=1200k tmpfs "$1/Backups" && "$2" create "$1/default.store"; status=$?
      ls -A "$1/Backups" | grep -v lock; exit $status
      """
      : """
      cp -a "$1" "$1.kept" && mount -t tmpfs -o size=1500k tmpfs "$1" && cp -a "$1.kept/." "$1" &&
      "$2" restore "$1/default.store"; status=$?
      rm -rf "$1.kept"/* "$1.kept"/.d*; cp -a "$1/." "$1.kept"; exit $status
      """
    let outcome = try StandIn.run(
      program: [
        "/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh", folder.url.path, StandIn.path,
      ])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("The store is unchanged."), "\(outcome)")
    #expect(outcome.output.contains("MB are free"), "\(outcome)")
    if command == "create" {
      #expect(try contents(store) == new)
    } else {
      let kept = URL(fileURLWithPath: folder.url.path + ".kept")
      #expect(try contents(kept.appendingPathComponent("default.store")) == new)
      try FileManager.default.removeItem(at: kept)
    }
  }

  // MARK: - Others

  @Test func aLiveWriterInAnotherProcess() throws {
    let store = store(folder)
    try makeStore(store, named: "old")
    let (process, output, _) = StandIn.process([StandIn.path, "write", store.path])
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = output.fileHandleForReading.availableData
    let backups = StoreBackups(of: store, environment: SystemEnvironment(pagesAtOnce: 1))
    var states: Set<[String]> = []
    for _ in 0..<5 {
      var done: [Int64] = []
      let backup = try backups.create(from: one, to: two) {
        if $0.activity == .copying { done.append($0.completed) }
      }
      // The copy never starts again, however much is written.
      #expect(done.count > 10)
      #expect(done == done.sorted())
      let connection = try Connection(backup.url)
      // Every committed state has this sum.
      #expect(try connection.texts("SELECT sum(ZAMOUNT) FROM ZITEM") == ["1000"])
      states.insert(try connection.texts("SELECT ZAMOUNT FROM ZITEM"))
    }
    #expect(process.isRunning)
    // The other process did write during the copy.
    #expect(states.count > 1)
  }
}
