import Foundation
import Testing

@testable import SchemaMigrationKit

@Suite struct RestoringTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups
  let backup: Backup
  let old: [String]

  /// A backup with rows called "old", and a store in which everything is called "new".
  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    let clock = try Clock("20251115T093011123Z")
    backups = StoreBackups(of: store, now: { clock.now })
    try makeStore(store, named: "old", external: ["both", "old only", "same"])
    old = try contents(store)
    backup = try backups.create(from: one, to: two)
    for name in try Disk.names(in: folder.url.path) where name.hasPrefix("default.store") {
      try Disk.unlink(folder.url.path + "/" + name)
    }
    try makeStore(store, named: "new", external: ["both", "new only"])
    let external = externalFolder(of: store)
    try Disk.unlink(external.appendingPathComponent("old only").path)
  }

  @Test func putsTheBackupInPlaceAndKeepsTheStore() throws {
    let new = try contents(store)
    let restoration = try backups.restore(backup)
    #expect(try contents(store) == old)
    let replaced = try #require(restoration.replaced)
    #expect(replaced.lastPathComponent == "default_replaced_20251115T093011123Z.store")
    #expect(try contents(replaced) == new)
    #expect(
      folder.names() == [
        ".default_SUPPORT/_EXTERNAL_DATA/both",
        ".default_SUPPORT/_EXTERNAL_DATA/old only",
        ".default_SUPPORT/_EXTERNAL_DATA/same",
        ".default_replaced_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/both",
        ".default_replaced_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/new only",
        ".default_replaced_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/same",
        "Backups/default.store_backup_20251115T093011123Z.json",
        "Backups/default.store_backup_20251115T093011123Z.sqlite",
        "Backups/default.store_backup_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/both",
        "Backups/default.store_backup_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/old only",
        "Backups/default.store_backup_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/same",
        "default.store", "default_replaced_20251115T093011123Z.store",
      ])
    try backups.verify(backup)
    // A second time, the replaced stores do not collide.
    let again = try backups.restore(backup)
    #expect(again.replaced?.lastPathComponent == "default_replaced_20251115T093011124Z.store")
    #expect(try contents(store) == old)
    #expect(try contents(#require(again.replaced)) == old)
    #expect(try contents(replaced) == new)
  }

  @Test("CloudKit's asset files are backed up and restored with the store")
  func cloudAssets() throws {
    let assets = folder.url.appendingPathComponent("default_ckAssets")
    func write(_ name: String, _ text: String) throws {
      try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: assets.appendingPathComponent(name))
    }
    func read(_ folder: String, _ name: String) -> String? {
      try? String(
        contentsOf: self.folder.url.appendingPathComponent("\(folder)/\(name)"), encoding: .utf8)
    }
    try write("kept", "old")
    try write("gone", "old")
    let backup = try backups.create(from: one, to: two)
    #expect(backup.manifest?.externalFiles.map(\.path).contains("_ckAssets/kept") == true)
    try write("kept", "new")
    try write("added", "new")
    try Disk.unlink(assets.path + "/gone")
    let replaced = try #require(try backups.restore(backup).replaced)
      .deletingPathExtension().lastPathComponent
    #expect(["kept", "gone", "added"].map { read("default_ckAssets", $0) } == ["old", "old", nil])
    #expect(
      ["kept", "gone", "added"].map { read("\(replaced)_ckAssets", $0) } == ["new", nil, "new"])
    try backups.verify(backup)
  }

  @Test("An interrupted restore leaves CloudKit's asset files unchanged")
  func cloudAssetsOfAnInterruptedRestore() throws {
    let assets = folder.url.appendingPathComponent("default_ckAssets")
    try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
    let file = assets.appendingPathComponent("asset")
    try Data("old".utf8).write(to: file)
    let backup = try backups.create(from: one, to: two)
    try Data("new".utf8).write(to: file)
    let before = folder.names()
    let failing = StoreBackups(
      of: store,
      environment: SystemEnvironment(reached: { [folder] step in
        // The rename that replaces the store then fails.
        if step == "before replacing" {
          try? Disk.unlink(folder.url.path + "/.default.store.restoring")
          try? FileManager.default.createDirectory(
            atPath: folder.url.path + "/.default.store.restoring/x",
            withIntermediateDirectories: true)
        }
      }))
    #expect(throws: BackupError.self) { try failing.restore(backup) }
    try? FileManager.default.removeItem(
      at: folder.url.appendingPathComponent(".default.store.restoring"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    #expect(folder.names() == before)
  }

  @Test("A restore notes that CloudKit mirrors the store", arguments: [true, false])
  func cloudKit(isMirrored: Bool) throws {
    if isMirrored {
      try Connection(store).run("CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY)")
    }
    let backup = try backups.create(from: one, to: two)
    let notes = try backups.restore(backup).notes
    #expect(notes.contains { $0.contains("CloudKit mirrors the store") } == isMirrored)
    #expect(notes.count == (isMirrored ? 1 : 0))
  }

  @Test func neverMeetsAnotherStoresWAL() throws {
    try StandIn.run("die", store)
    #expect(try Disk.status(store.path + "-wal")?.size ?? 0 > 0)
    let new = try contents(store.copied())
    #expect(new.contains { $0.contains("in the WAL") })
    let restoration = try backups.restore(backup)
    #expect(try !Disk.exists(store.path + "-wal"))
    #expect(try !Disk.exists(store.path + "-shm"))
    #expect(try contents(store) == old)
    let rows = try contents(#require(restoration.replaced))
    #expect(rows.count == new.count)
    #expect(rows.contains { $0.contains("in the WAL") })
  }

  @Test func whereThereIsNoStore() throws {
    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(store.path + suffix) }
    // A WAL that SQLite would take for this store's.
    try Data("WAL".utf8).write(to: URL(fileURLWithPath: store.path + "-wal"))
    let restoration = try backups.restore(backup)
    #expect(restoration.replaced == nil)
    #expect(try contents(store) == old)
    #expect(folder.names().contains("default_replaced_20251115T093011123Z.store-wal"))
  }

  @Test(arguments: CreationTests.Damage.allCases.filter { ![.missing, .folder].contains($0) })
  func inPlaceOfADamagedStore(damage: CreationTests.Damage) throws {
    for suffix in ["", "-wal", "-shm"] { try Disk.unlink(store.path + suffix) }
    try damage.inflict(on: store)
    let damaged = try Data(contentsOf: store)
    let restoration = try backups.restore(backup)
    #expect(try contents(store) == old)
    #expect(try Data(contentsOf: #require(restoration.replaced)) == damaged)
  }

  @Test func refusesAStoreThatIsOpenHere() throws {
    let connection = try Connection(store)
    let before = try connection.texts("SELECT ZNAME FROM ZITEM")
    let names = folder.names()
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    #expect(error.kind == .storeInUse)
    #expect(error.store == .unchanged)
    #expect(folder.names() == names)
    try connection.run("INSERT INTO ZITEM(ZNAME) VALUES ('goes on')")
    #expect(try connection.texts("SELECT ZNAME FROM ZITEM").count == before.count + 1)
  }

  @Test func refusesAStoreThatIsOpenElsewhere() throws {
    let (process, output, _) = StandIn.process([StandIn.path, "write", store.path])
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = output.fileHandleForReading.availableData
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    #expect(error.kind == .storeInUse)
    #expect(process.isRunning)
  }

  @Test func asksForRoomBefore() throws {
    let backups = StoreBackups(of: store, environment: SystemEnvironment(freeSpace: { _ in 1000 }))
    let names = folder.names()
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    guard case .noSpace(_, available: 1000) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(folder.names() == names)
  }

  @Test(.disabled(if: getuid() == 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    let new = try contents(store)
    let names = folder.names()
    chmod(folder.url.path, 0o500)
    defer { chmod(folder.url.path, 0o700) }
    for act in [
      { _ = try backups.restore(backup) }, { _ = try backups.create(from: one, to: two) },
    ] {
      let error = try #require(throws: BackupError.self) { try act() }
      #expect(error.kind == .notPermitted, "\(error)")
      #expect(error.store == .unchanged)
    }
    chmod(folder.url.path, 0o700)
    #expect(folder.names() == names)
    #expect(try contents(store) == new)
  }

  /// A folder in place of the journal, which stops even root.
  @Test func somethingInTheWay() throws {
    let new = try contents(store)
    let journal = folder.url.appendingPathComponent(".default.store.restore.json.partial/x")
    try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
    let names = folder.names()
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    #expect(error.store == .unchanged)
    #expect(folder.names() == names)
    #expect(try contents(store) == new)
  }

  private struct Enough: Error {}

  @Test(arguments: [BackupProgress.Activity.copying, .copyingExternalFiles])
  func stopsWhenTheCallerThrows(activity: BackupProgress.Activity) throws {
    let names = folder.names()
    #expect(throws: Enough.self) {
      try backups.restore(backup) { if $0.activity == activity { throw Enough() } }
    }
    #expect(folder.names() == names)
    #expect(try contents(store).first?.contains("new") == true)
  }

  /// An obstacle appears after the journal was written: everything done so far is undone.
  @Test func takesBackWhatCannotBeFinished() throws {
    let external = externalFolder(of: store).deletingLastPathComponent()
    let new = try contents(store)
    let names = folder.names()
    let backups = StoreBackups(
      of: store,
      environment: SystemEnvironment(reached: { [folder] step in
        guard step == "wrote the journal" else { return }
        // The staged copy of one file is missing, so placing it fails.
        let staged = folder.url.path + "/.default.store.restoring_SUPPORT/_EXTERNAL_DATA/both"
        try? Disk.unlink(staged)
      }))
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    #expect(error.store == .unchanged)
    #expect(try contents(store) == new)
    #expect(folder.names() == names)
    #expect(try Disk.exists(external.path))
  }

  /// The journal cannot be removed: the error says on which side of the rename the store is.
  @Test(arguments: [false, true])
  func whatCannotBeTidiedUp(isReplaced: Bool) throws {
    let new = try contents(store)
    let journal = folder.url.path + "/.default.store.restore.json"
    let backups = StoreBackups(
      of: store,
      environment: SystemEnvironment(reached: { [folder] step in
        guard step == (isReplaced ? "replaced the store" : "wrote the journal") else { return }
        try? Disk.rename(journal, to: journal + ".away")
        try? Disk.makeFolder(journal)
        if !isReplaced { try? Disk.unlink(folder.url.path + "/.default.store.restoring") }
      }))
    let error = try #require(throws: BackupError.self) { try backups.restore(backup) }
    #expect(error.store == (isReplaced ? .restored : .unfinished), "\(error)")
    #expect(try contents(store) == (isReplaced ? old : new))
    #expect(!error.description.contains("is unchanged"))
    // Once it can be removed, everything succeeds.
    rmdir(journal)
    try Disk.rename(journal + ".away", to: journal)
    if !isReplaced {
      try Data("a copy".utf8).write(
        to: folder.url.appendingPathComponent(".default.store.restoring"))
    }
    let name = backup.url.lastPathComponent
    #expect(try backups.recover() == (isReplaced ? .finished(backup: name) : .undone(backup: name)))
    #expect(try contents(store) == (isReplaced ? old : new))
    #expect(!folder.names().contains { $0.contains("restor") })
  }

  @Test func anUnreadableJournalStopsEverything() throws {
    try Data("{".utf8).write(to: folder.url.appendingPathComponent(".default.store.restore.json"))
    for act in [
      { _ = try backups.recover() }, { _ = try backups.restore(backup) },
      { _ = try backups.create(from: one, to: two) },
    ] {
      let error = try #require(throws: BackupError.self) { try act() }
      #expect(error.kind == .unreadableJournal)
      #expect(error.store == .unfinished)
    }
  }

  @Test func recoveringNothingChangesNothing() throws {
    let names = folder.names()
    #expect(try backups.recover() == .nothing)
    #expect(folder.names() == names)
    let empty = try TemporaryFolder()
    let none = StoreBackups(of: empty.url.appendingPathComponent("default.store"))
    #expect(try none.recover() == .nothing)
    #expect(empty.names() == [])
    #expect(try none.list() == [])
  }

  /// Remains of an interrupted restore are removed before the space is checked.
  @Test func leftoversMakeRoom() throws {
    let leftover = folder.url.path + "/.default.store.restoring"
    try Data(count: 100_000).write(to: URL(fileURLWithPath: leftover))
    let environment = SystemEnvironment(freeSpace: { _ in
      try Disk.exists(leftover) ? 0 : 1 << 40
    })
    try StoreBackups(of: store, environment: environment).restore(backup)
    #expect(try contents(store) == old)
  }
}

extension URL {
  /// A copy of a store with its WAL in a folder of its own, which the system removes.
  fileprivate func copied() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let copy = folder.appendingPathComponent(lastPathComponent)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }
}
