import Foundation
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Stores are moved once, with everything that belongs to them.
@Suite struct RelocationTests {
  let folder: TemporaryFolder
  private var old: URL { folder.old }
  private var new: URL { folder.new }

  init() throws { folder = try TemporaryFolder() }

  private func relocation(
    _ existing: StoreRelocation.ExistingStore = .refuse,
    reached: @escaping @Sendable (String) -> Void = { _ in }
  ) -> StoreRelocation {
    StoreRelocation(
      from: old, to: new, existingStore: existing,
      environment: SystemEnvironment(reached: reached, pagesAtOnce: 16))
  }

  private func failure(_ relocation: StoreRelocation) throws -> MigrationFailure {
    try #require(throws: MigrationFailure.self) { try relocation.perform() }
  }

  /// Every file at the old place, byte for byte, except files that any reader leaves.
  private func oldPlace(_ folder: TemporaryFolder) throws -> [String: Data] {
    let names = folder.names().filter { !$0.hasPrefix("Group/") }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
      })
  }

  private func newPlace(_ folder: TemporaryFolder) -> [String] {
    folder.names().filter { $0.hasPrefix("Group/") }
  }

  private static let whole = [
    "Group/.new.store.relocation.json", "Group/.new_SUPPORT/_EXTERNAL_DATA/one",
    "Group/.new_SUPPORT/_EXTERNAL_DATA/two", "Group/new.store",
  ]

  /// A store with external files, and a row that is only in its log.
  private func prepare() throws -> [String] {
    try makeStore(old, named: "old", external: ["one", "two"])
    #expect(try StandIn.run("die", old).wasKilled)
    let copy = try folder.copy()
    return try withExtendedLifetime(copy) { try contents(copy.old) }
  }

  // MARK: The move

  @Test func aStoreMovesWithItsLogAndItsExternalFiles() throws {
    let rows = try prepare()
    #expect(rows.contains { $0.contains("in the WAL") })
    let before = try oldPlace(folder)
    #expect(before.keys.contains("default.store-wal"))
    #expect(try relocation().perform() == .moved)
    #expect(newPlace(folder) == Self.whole)
    #expect(try oldPlace(folder) == before)
    #expect(try contents(new) == rows)
    // Changes saved at the new place stay.
    try Connection(new).run("DELETE FROM ZITEM WHERE Z_PK > 10")
    #expect(try relocation().perform() == .alreadyMoved(.unchanged))
    #expect(try contents(new).count == 10)
  }

  @Test func nothingIsMadeWhereThereIsNothingToMove() throws {
    #expect(try relocation().perform() == .nothingToMove)
    #expect(FileManager.default.createFile(atPath: old.path, contents: nil))
    #expect(try relocation().perform() == .nothingToMove)
    #expect(!FileManager.default.fileExists(atPath: new.deletingLastPathComponent().path))
    try FileManager.default.removeItem(at: old)
    try makeStore(old, named: "old")
    #expect(try StoreRelocation(from: old, to: old).perform() == .nothingToMove)
    #expect(folder.names() == ["default.store"])
  }

  @Test func aNewNameInTheSameFolder() throws {
    let rows = try prepare()
    for name in ["trips.store", "default.sqlite"] {
      let new = folder.url.appendingPathComponent(name)
      #expect(try StoreRelocation(from: old, to: new).perform() == .moved)
      #expect(try contents(new) == rows)
      #expect(try contents(old) == rows)
    }
  }

  @Test func aLogWithoutItsIndex() throws {
    let rows = try prepare()
    try FileManager.default.removeItem(atPath: old.path + "-shm")
    #expect(try relocation().perform() == .moved)
    #expect(try contents(new) == rows)
  }

  @Test func aRollbackJournal() throws {
    try makeStore(old, named: "old")
    let rows = try contents(old)
    // Half of a transaction is in the database.
    #expect(try StandIn.run("spill", old).wasKilled)
    #expect(try relocation().perform() == .moved)
    #expect(try contents(new) == rows)
  }

  // MARK: Kills

  @Test(.enabled(if: Checkout.runsEverything)) func killedAtEveryStep() async throws {
    let rows = try prepare()
    let before = try oldPlace(folder)
    var seen: [String] = []
    let steps = try await folder.killing("move") { copy, outcome in
      let (old, new) = (copy.old, copy.new)
      // A program that knows nothing of the move opens the store.
      let naive = try copy.copy()
      let isThere = FileManager.default.fileExists(atPath: naive.new.path)
      if isThere { #expect(try contents(naive.new) == rows, "\(outcome.errors)") }
      withExtendedLifetime(naive) {}

      let next = try StoreRelocation(from: old, to: new).perform()
      seen.append("\(next)")
      #expect(next == (isThere ? .alreadyMoved(.unchanged) : .moved), "\(outcome.errors)")
      #expect(newPlace(copy) == Self.whole, "\(outcome.errors)")
      #expect(try oldPlace(copy) == before, "\(outcome.errors)")
      #expect(try contents(new) == rows, "\(outcome.errors)")
    }
    #expect(steps > 20)
    // The outcomes change only once.
    #expect(seen == seen.sorted().reversed())
    #expect(Set(seen).count == 2)
  }

  /// The migration is finished or undone at the old place, before the store is copied.
  @Test(.enabled(if: Checkout.runsEverything))
  func aRestoreThatWasInterruptedAtTheOldPlace() async throws {
    try makeStore(old, named: "old", external: ["one", "two"])
    let rows = try contents(old)
    _ = try await StoreBackups(of: old).create(from: one, to: two)
    try Connection(old).run("UPDATE ZITEM SET ZNAME = 'new'")
    let others = try contents(old)
    try await folder.killing("restore") { copy, outcome in
      let (old, new) = (copy.old, copy.new)
      #expect(try StoreRelocation(from: old, to: new).perform() == .moved)
      #expect(try !Disk.exists(copy.url.path + "/.default.store.restore.json"))
      let found = try contents(new)
      #expect(found == rows || found == others, "\(outcome.errors)")
      #expect(try contents(old) == found, "\(outcome.errors)")
    }
  }

  @Test(.enabled(if: Checkout.runsEverything)) func puttingAsideKilledAtEveryStep() async throws {
    let rows = try prepare()
    try folder.makeNewFolder()
    try makeStore(new, named: "new")
    try Connection(new).run("DELETE FROM ZITEM; PRAGMA wal_checkpoint(TRUNCATE)")
    try await folder.killing("move", ["ASIDE": "1"]) { copy, outcome in
      _ = try StoreRelocation(from: copy.old, to: copy.new, existingStore: .putAsideIfEmpty)
        .perform()
      #expect(try contents(copy.new) == rows, "\(outcome.errors)")
      let aside = newPlace(copy).filter { $0.contains("_aside_") }
      #expect(aside.count == 1, "\(outcome.errors) \(aside)")
      let kept = copy.url.appendingPathComponent(try #require(aside.first))
      #expect(try contents(kept) == [], "\(outcome.errors)")
      #expect(newPlace(copy).count == Self.whole.count + 1, "\(outcome.errors)")
    }
  }

  // MARK: Others

  @Test func onlyOneOfManyProcessesMoves() throws {
    let rows = try prepare()
    let started = try (1...6).map { _ in
      let started = StandIn.process([StandIn.path, "move", old.path])
      try started.0.run()
      return started
    }
    let printed = started.map { process, output, _ in
      process.waitUntilExit()
      return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    #expect(printed.filter { $0 == "moved\n" }.count == 1, "\(printed)")
    for text in printed where text != "moved\n" {
      #expect(
        text.contains("is under way") || text.contains("alreadyMoved")
          || text.contains("Another process"), "\(text)")
    }
    #expect(newPlace(folder) == Self.whole)
    #expect(try contents(new) == rows)
  }

  /// No write of another process falls between the copy and the moment at which the new store is in place.
  @Test func anExtensionThatWritesMeanwhile() throws {
    try makeStore(old, named: "old")
    let (process, output, _) = StandIn.process([StandIn.path, "write", old.path])
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = output.fileHandleForReading.availableData
    let amounts = "SELECT ZAMOUNT FROM ZITEM"
    let last = Steps()
    let old = old
    let moving = relocation { step in
      guard step == "recorded the relocation" else { return }
      for text in (try? Connection(old).texts(amounts)) ?? [] { last.reached(text) }
    }
    var outcome: StoreRelocation.Outcome?
    for _ in 1...60 where outcome == nil {
      do {
        outcome = try moving.perform()
      } catch let failure as MigrationFailure where failure.kind == .busy {
        // It may never have had its turn; an app waits longer.
      }
    }
    #expect(outcome == .moved)
    #expect(last.all.count == 100)
    let moved = try Connection(new)
    #expect(try moved.texts(amounts) == last.all)
    #expect(try moved.texts("SELECT sum(ZAMOUNT) FROM ZITEM") == ["1000"])
    // It continues to write at the old place, which is reported.
    for _ in 1...500 where outcome == .moved || outcome == .alreadyMoved(.unchanged) {
      usleep(20_000)
      outcome = try moving.perform()
    }
    #expect(outcome == .alreadyMoved(.changed))
    #expect(process.isRunning)
  }

  @Test func whatIsWrittenAtTheOldPlaceLater() throws {
    _ = try prepare()
    #expect(try relocation().perform() == .moved)
    let rows = try contents(new)
    // A reader of the old store changes nothing.
    _ = try StoreBackups(of: old).create(from: one, to: two)
    #expect(try relocation().perform() == .alreadyMoved(.unchanged))
    try Connection(old).run("INSERT INTO ZITEM(ZNAME) VALUES ('by an old widget')")
    for _ in 1...2 { #expect(try relocation().perform() == .alreadyMoved(.changed)) }
    #expect(try contents(new) == rows)
    try relocation().acknowledgeChanges()
    #expect(try relocation().perform() == .alreadyMoved(.unchanged))
    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(old.path + suffix) }
    #expect(try relocation().perform() == .alreadyMoved(.gone))
  }

  // MARK: A store at the new place

  private func makeBoth(newRows: Bool) throws -> (old: [String], new: [String]) {
    let rows = try prepare()
    try folder.makeNewFolder()
    try makeStore(new, named: "new")
    if !newRows { try Connection(new).run("DELETE FROM ZITEM") }
    return (rows, try contents(new))
  }

  @Test(arguments: [true, false], [StoreRelocation.ExistingStore.refuse, .putAsideIfEmpty])
  func aStoreAtTheNewPlaceIsRefused(
    newRows: Bool, _ existing: StoreRelocation.ExistingStore
  ) throws {
    guard newRows || existing == .refuse else { return }
    let (_, rows) = try makeBoth(newRows: newRows)
    let before = try oldPlace(folder)
    let failure = try failure(relocation(existing))
    #expect(failure.kind == .relocation(.storeExists))
    #expect(failure.code == "relocation.storeExists")
    #expect(failure.store == .untouched)
    for text in [old.path, new.path, ".putAside", ".putAsideIfEmpty", ".keep"] {
      #expect(failure.reason.contains(text), "\(failure)")
    }
    #expect(
      failure.errorDescription == "Your data is in two places. Your data is unchanged.")
    #expect(newPlace(folder) == ["Group/new.store"])
    #expect(try contents(new) == rows)
    #expect(try oldPlace(folder) == before)
  }

  @Test(arguments: [true, false])
  func aStoreAtTheNewPlaceIsPutAside(newRows: Bool) throws {
    let (rows, aside) = try makeBoth(newRows: newRows)
    #expect(try relocation(newRows ? .putAside : .putAsideIfEmpty).perform() == .moved)
    #expect(try contents(new) == rows)
    let name = try #require(newPlace(folder).first { $0.contains("new_aside_") })
    #expect(try contents(folder.url.appendingPathComponent(name)) == aside)
    // Replaced stores are deleted one day, but not this one.
    let later = Date(timeIntervalSinceNow: 400 * 86_400)
    _ = try StoreBackups(of: new, now: { later }).prune()
    #expect(newPlace(folder).contains(name))
  }

  @Test func aStoreAtTheNewPlaceIsKept() throws {
    let (_, rows) = try makeBoth(newRows: true)
    #expect(try relocation(.keep).perform() == .keptExisting)
    #expect(try relocation().perform() == .alreadyMoved(.unchanged))
    #expect(try contents(new) == rows)
  }

  @Test func aStoreAtTheNewPlaceThatIsOpenIsNotPutAside() throws {
    let (_, rows) = try makeBoth(newRows: false)
    let connection = try Connection(new)
    _ = try connection.texts("SELECT 1 FROM ZITEM")
    #expect(try failure(relocation(.putAsideIfEmpty)).kind == .relocation(.storeInUse))
    #expect(try connection.texts("SELECT ZNAME FROM ZITEM") == rows)
  }

  @Test func aDamagedStoreAtTheNewPlaceIsNotTakenForAnEmptyOne() throws {
    _ = try makeBoth(newRows: true)
    let junk = Data(repeating: 7, count: 9000)
    for suffix in ["-wal", "-shm"] { try Disk.unlink(new.path + suffix) }
    try junk.write(to: new)
    #expect(try failure(relocation(.putAsideIfEmpty)).kind == .relocation(.storeExists))
    #expect(try Data(contentsOf: new) == junk)
  }

  @Test func anEmptyStoreAtTheOldPlaceTakesNothingsPlace() throws {
    let (_, rows) = try makeBoth(newRows: true)
    try Connection(old).run("DELETE FROM ZITEM")
    #expect(try relocation(.putAside).perform() == .nothingToMove)
    #expect(try contents(new) == rows)
  }

  @Test(arguments: ["locked the old store", "held the store", "before replacing"])
  func aStoreThatAppearsMeanwhileIsNotOverwritten(step: String) throws {
    _ = try prepare()
    let new = new
    let moving = relocation { reached in
      guard reached == step else { return }
      try? FileManager.default.createDirectory(
        at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
      try? makeStore(new, named: "by a widget")
    }
    #expect(throws: MigrationFailure.self) { try moving.perform() }
    #expect(try contents(new).first?.contains("by a widget") == true)
    #expect(newPlace(folder) == ["Group/new.store"])
  }

  /// A record that cannot be read at the moment is not a damaged one.
  @Test func aRecordThatCannotBeRead() throws {
    let rows = try prepare()
    #expect(try relocation().perform() == .moved)
    let record = folder.url.appendingPathComponent("Group/.new.store.relocation.json")
    try Data("{}".utf8).write(to: record)
    #expect(try failure(relocation()).kind == .relocation(.unreadableJournal))
    try FileManager.default.removeItem(at: record)
    try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
    #expect(try failure(relocation()).kind == .relocation(.system(EINVAL)))
    #expect(try contents(new) == rows)
    #expect(try contents(old) == rows)
  }

  @Test func aStoreThatWasRemovedSinceStaysRemoved() throws {
    _ = try prepare()
    #expect(try relocation().perform() == .moved)
    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(new.path + suffix) }
    #expect(try relocation().perform() == .movedAndRemoved)
    #expect(try !Disk.exists(new.path))
  }

  // MARK: Failures

  private func expectNothing(
    _ failure: MigrationFailure, _ kind: BackupError.Kind, _ before: [String: Data]
  ) throws {
    #expect(failure.kind == .relocation(kind), "\(failure)")
    #expect(failure.store == .untouched)
    #expect(newPlace(folder) == [], "\(failure)")
    #expect(try oldPlace(folder) == before, "\(failure)")
  }

  @Test func whatCannotBeMoved() throws {
    _ = try prepare()
    var before = try oldPlace(folder)
    let nowhere = StoreRelocation(from: old, to: nil)
    try expectNothing(try failure(nowhere), .notPermitted, before)
    #expect(
      try failure(nowhere).errorDescription
        == "Your data could not be moved to its new location. Your data is unchanged.")

    let full = SystemEnvironment(freeSpace: { _ in 1_500_000 })
    try makeStore(folder.url.appendingPathComponent("big.store"), named: "big", rows: 1000)
    before = try oldPlace(folder)
    let big = StoreRelocation(
      from: folder.url.appendingPathComponent("big.store"), to: new, environment: full)
    let shortage = try failure(big)
    guard case .relocation(.noSpace(let needed, let free)) = shortage.kind else {
      Issue.record("\(shortage)")
      return
    }
    #expect(needed ?? 0 > 2_500_000 && free == 1_500_000)
    #expect(shortage.isTransient)
    #expect(
      shortage.errorDescription
        == "There is not enough free space to move your data. Your data is unchanged.")
    try expectNothing(shortage, .noSpace(needed: needed, available: free), before)

    // A file where a folder is to be created.
    let inFile = StoreRelocation(from: old, to: old.appendingPathComponent("new.store"))
    try expectNothing(try failure(inFile), .system(ENOTDIR), before)

    var damaged = before
    damaged["default.store"]?.replaceSubrange(
      5000..<90_000, with: Data(repeating: 3, count: 85_000))
    try damaged["default.store"]?.write(to: old)
    try expectNothing(try failure(relocation()), .corrupt, damaged)
    // Only its log.
    try FileManager.default.removeItem(at: old)
    damaged["default.store"] = nil
    try expectNothing(try failure(relocation()), .storeMissing, damaged)
    try FileManager.default.removeItem(atPath: old.path + "-wal")
    damaged["default.store-wal"] = nil
    damaged["default.store"] = Data(repeating: 3, count: 9000)
    try damaged["default.store"]?.write(to: old)
    try expectNothing(try failure(relocation()), .notADatabase, damaged)
  }

  @Test func cancelledItLeavesNothing() async throws {
    _ = try prepare()
    let before = try oldPlace(folder)
    struct Stopped: Error {}
    await #expect(throws: Stopped.self) { try await relocation().perform { _ in throw Stopped() } }
    #expect(newPlace(folder) == [])
    #expect(try oldPlace(folder) == before)
    #expect(try await relocation().perform() == .moved)
  }

  @Test func aWriterThatDoesNotEnd() throws {
    _ = try prepare()
    let writer = try Connection(old)
    try writer.run("BEGIN IMMEDIATE")
    #expect(try failure(relocation()).kind == .busy)
    #expect(newPlace(folder) == [])
  }

  /// The largest file that may be written: from nothing to more than is needed.
  @Test(.enabled(if: Checkout.runsEverything)) func aFullDiskAtEveryWrite() throws {
    let rows = try prepare()
    let before = try oldPlace(folder)
    var statuses: [Int32] = []
    for limit in [0, 100, 2000] + stride(from: 4096, to: 260_000, by: 16_384) + [10_000_000] {
      let copy = try folder.copy()
      let (old, new) = (copy.old, copy.new)
      let outcome = try StandIn.run("move", old, ["FILE_LIMIT": "\(limit)"])
      statuses.append(outcome.status)
      if outcome.status == 0 {
        #expect(try contents(new) == rows)
      } else {
        #expect(outcome.output.contains("not enough space on the disk"), "\(limit): \(outcome)")
        #expect(newPlace(copy) == [], "\(limit): \(outcome)")
      }
      #expect(try oldPlace(copy) == before, "\(limit)")
      #expect(try StoreRelocation(from: old, to: new).perform() != .nothingToMove)
      #expect(try contents(new) == rows)
    }
    #expect(statuses == statuses.sorted().reversed())
    #expect(Set(statuses) == [0, 1])
  }

  @Test(
    .enabled(if: canMount, "only root may mount, on Linux"),
    arguments: ["default", "Group"])
  func aFolderThatMayNotBeWritten(place: String) throws {
    let rows = try prepare()
    try folder.makeNewFolder()
    let before = try oldPlace(folder)
    let path = folder.url.path + (place == "Group" ? "/Group" : "")
    let outcome = try StandIn.run(
      program: [
        "/usr/bin/unshare", "-m", "/bin/sh", "-c",
        """
        mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$3" move "$2"
        """, "sh", path, old.path, StandIn.path,
      ], place == "Group" ? [:] : ["TO": "../\(folder.url.lastPathComponent)-new/new.store"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("no permission to read or write"), "\(outcome)")
    #expect(newPlace(folder) == [])
    #expect(try oldPlace(folder) == before)
    #expect(try relocation().perform() == .moved)
    #expect(try contents(new) == rows)
    try? FileManager.default.removeItem(atPath: folder.url.path + "-new")
  }

  private static let canMount: Bool = {
    let outcome = try? StandIn.run(program: ["/usr/bin/unshare", "-m", "true"])
    return getuid() == 0 && outcome?.status == 0
  }()
}
