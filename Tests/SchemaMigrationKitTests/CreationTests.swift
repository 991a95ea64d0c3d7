import Foundation
import ManagedModels
import Testing

@testable import SchemaMigrationKit

@Suite struct CreationTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    let clock = try Clock("20251115T093011123Z")
    backups = StoreBackups(
      of: store, environment: SystemEnvironment(now: { clock.now }, pagesAtOnce: 8))
  }

  @Test func holdsWhatIsOnlyInTheWAL() throws {
    try makeStore(store, named: "old")
    let connection = try Connection(store)
    try connection.run(
      "PRAGMA wal_autocheckpoint = 0; INSERT INTO ZITEM(ZNAME) VALUES ('in the WAL')")
    let before = try Data(contentsOf: store)
    let backup = try backups.create(from: one, to: two)
    #expect(try contents(backup.url) == contents(store))
    #expect(try contents(backup.url).count == 101)
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func isOneFileWithASidecar() throws {
    try makeStore(store, named: "old")
    let backup = try backups.create(from: one, to: two)
    #expect(
      folder.names() == [
        "Backups/default.store_backup_20251115T093011123Z.json",
        "Backups/default.store_backup_20251115T093011123Z.sqlite", "default.store",
      ])
    let manifest = try #require(backup.manifest)
    #expect(manifest.from == one)
    #expect(manifest.to == two)
    #expect(manifest.store == "default.store")
    let data = try Data(contentsOf: backup.url)
    #expect(manifest.size == Int64(data.count))
    var digest = SHA256()
    data.withUnsafeBytes { digest.update($0) }
    #expect(manifest.sha256 == digest.finalize().hexadecimal)
    // The file format's versions: 1 is a rollback journal, 2 a WAL.
    #expect(data[18] == 1)
    #expect(data[19] == 1)
    #expect(try backups.list() == [backup])
    try backups.verify(backup)
  }

  @Test func keepsThePermissions() throws {
    try makeStore(store, named: "old")
    chmod(store.path, 0o600)
    let backup = try backups.create(from: one, to: two)
    #expect(try Disk.status(backup.url.path).map { $0.mode & 0o777 } == 0o600)
  }

  @Test func isNamedAfterTheNextFreeMoment() throws {
    try makeStore(store, named: "old")
    let first = try backups.create(from: one, to: two)
    let second = try backups.create(from: one, to: two)
    #expect(second.url.lastPathComponent == "default.store_backup_20251115T093011124Z.sqlite")
    #expect(try backups.list() == [second, first])
  }

  @Test(arguments: ["a b?c#d%41e.store", "ohne", "ü'ber.sqlite", ".hidden"])
  func namesOfAllKinds(name: String) throws {
    let store = folder.url.appendingPathComponent(name)
    try makeStore(store, named: "old", external: ["one"])
    let backups = StoreBackups(of: store)
    let backup = try backups.create(from: one, to: two)
    try backups.verify(backup)
    let before = try contents(store)
    try makeDifferent(store)
    let restoration = try backups.restore(backup)
    #expect(try contents(store) == before)
    #expect(try contents(#require(restoration.replaced)).contains { $0.contains("later") })
  }

  private func makeDifferent(_ store: URL) throws {
    try Connection(store).run("INSERT INTO ZITEM(ZNAME, ZAMOUNT, ZDATA) VALUES ('later', 1, x'00')")
  }

  @Test func twoStoresShareAFolder() throws {
    let other = folder.url.appendingPathComponent("default.sqlite")
    try makeStore(store, named: "old")
    try makeStore(other, named: "other")
    let backup = try backups.create(from: one, to: two)
    let others = StoreBackups(of: other)
    let otherBackup = try others.create(from: one, to: two)
    #expect(try backups.list() == [backup])
    #expect(try others.list() == [otherBackup])
  }

  @Test func throughASymbolicLink() throws {
    try makeStore(store, named: "old")
    let link = folder.url.appendingPathComponent("link.store")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
    let backups = StoreBackups(of: link)
    let backup = try backups.create(from: one, to: two)
    try backups.restore(backup)
    #expect(try Disk.status(link.path).map { $0.mode & S_IFMT } == S_IFLNK)
    #expect(try contents(store).count == 100)
  }

  @Test func copiesExternalFiles() throws {
    try makeStore(store, named: "old", external: ["one", "two"])
    let backup = try backups.create(from: one, to: two)
    let files = try #require(backup.manifest).externalFiles
    #expect(files.map(\.path) == ["_EXTERNAL_DATA/one", "_EXTERNAL_DATA/two"])
    #expect(files.map(\.size) == [7, 7])
    #expect(
      folder.names().filter { $0.contains("_SUPPORT/") && $0.hasPrefix("Backups") } == [
        "Backups/default.store_backup_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/one",
        "Backups/default.store_backup_20251115T093011123Z_SUPPORT/_EXTERNAL_DATA/two",
      ])
  }

  @Test func aWriteThatWritesNothingIsAnError() throws {
    var turns = 0
    let failure = #expect(throws: SystemFailure.self) {
      try Data("abc".utf8).withUnsafeBytes { bytes in
        try Disk.write(bytes, to: -1, "x") { _, _, count in
          turns += 1
          return turns < 5 ? 0 : count
        }
      }
    }
    #expect(failure?.code == EIO)
    #expect(turns == 1)
  }

  @Test func aSidecarThatIsNoFileKeepsNobodyWaiting() throws {
    try makeStore(store, named: "old")
    let backup = try backups.create(from: one, to: two)
    let sidecar = backup.url.deletingPathExtension().path + ".json"
    try Disk.unlink(sidecar)
    let fifo = try FIFO(sidecar)
    #expect(try backups.list().map(\.state) == [.incomplete("its sidecar cannot be read")])
    #expect(!fifo.hasKeptSomebodyWaiting)
  }

  /// The target of a link is copied, and files that hold no data are left out.
  @Test func whatIsNoFileIsNoObstacle() throws {
    try makeStore(store, named: "old", external: ["one"])
    let external = externalFolder(of: store).path
    let elsewhere = folder.url.appendingPathComponent("elsewhere")
    try Data("linked".utf8).write(to: elsewhere)
    symlink(elsewhere.path, external + "/link")
    symlink("nowhere", external + "/dangling")
    symlink("loop", external + "/loop")
    try #require(mkfifo(external + "/fifo", 0o600) == 0)
    let backup = try backups.create(from: one, to: two)
    try backups.verify(backup)
    #expect(
      backup.manifest?.externalFiles.map(\.path) == ["_EXTERNAL_DATA/link", "_EXTERNAL_DATA/one"])
    #expect(backup.manifest?.externalFiles.map(\.size) == [6, 7])
    try Disk.unlink(elsewhere.path)
    try backups.restore(backup)
    #expect(try String(contentsOfFile: external + "/link", encoding: .utf8) == "linked")
    #expect(try contents(store).count == 102)
  }

  @Test func refusesWhatItCannotCopy() throws {
    try makeStore(store, named: "old", external: ["one"])
    try FileManager.default.createSymbolicLink(
      at: externalFolder(of: store).appendingPathComponent("link"),
      withDestinationURL: folder.url)
    let error = try #require(throws: BackupError.self) { try backups.create(from: one, to: two) }
    #expect(error.kind == .storeChanged)
    #expect(try backups.list() == [])
  }

  @Test func reportsProgress() throws {
    try makeStore(store, named: "old", external: ["one"])
    var reports: [BackupProgress] = []
    let backup = try backups.create(from: one, to: two) { reports.append($0) }
    let copying = reports.filter { $0.activity == .copying }
    #expect(copying.count > 3)
    #expect(copying.map(\.completed) == copying.map(\.completed).sorted())
    #expect(copying.last?.completed == backup.manifest?.size)
    #expect(reports.contains { $0.activity == .copyingExternalFiles })
    #expect(reports.last?.activity == .checking)
  }

  private struct Enough: Error {}

  @Test(arguments: [BackupProgress.Activity.copying, .copyingExternalFiles, .checking])
  func stopsWhenTheCallerThrows(activity: BackupProgress.Activity) throws {
    try makeStore(store, named: "old", external: ["one"])
    let before = folder.names()
    #expect(throws: Enough.self) {
      try backups.create(from: one, to: two) { if $0.activity == activity { throw Enough() } }
    }
    #expect(folder.names() == before)
  }

  @Test func stopsWhenTheTaskIsCancelled() async throws {
    try makeStore(store, named: "old")
    let before = folder.names()
    let task = Task.detached { [backups] in
      while !Task.isCancelled { await Task.yield() }
      _ = try await backups.create(from: one, to: two)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names() == before)
  }

  @Test func asksForRoomBefore() throws {
    try makeStore(store, named: "old")
    let backups = StoreBackups(
      of: store, environment: SystemEnvironment(freeSpace: { _ in 1_100_000 }))
    let error = try #require(throws: BackupError.self) { try backups.create(from: one, to: two) }
    guard case .noSpace(let needed?, available: 1_100_000) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(needed > 1_200_000)
    #expect(
      error.description
        == "The backup needs 2 MB on the disk, but only 2 MB are free. The store is unchanged.")
  }

  @Test func oneAtATime() throws {
    try makeStore(store, named: "old")
    #expect(
      throws: BackupError(.busy, "Another backup or restore of 'default.store' is under way.")
    ) {
      try backups.create(from: one, to: two) { _ in _ = try backups.create(from: one, to: two) }
    }
    #expect(try backups.list() == [])
  }

  @Test func takesBackWhatAKilledWriterBegan() throws {
    try makeStore(store, named: "old", rows: 2000)
    let before = try contents(store)
    let outcome = try StandIn.run("spill", store)
    #expect(outcome.wasKilled, "\(outcome)")
    #expect(folder.names().contains("default.store-journal"))
    let backup = try backups.create(from: one, to: two)
    #expect(try contents(backup.url) == before)
    #expect(try contents(store) == before)
  }

  /// A file that is not a store, or no longer one, is an error and stays unchanged.
  @Test(arguments: Damage.allCases)
  func damagedStores(damage: Damage) throws {
    try damage.inflict(on: store)
    let before = try? Data(contentsOf: store)
    let error = try #require(throws: BackupError.self) { try backups.create(from: one, to: two) }
    #expect(error.kind == damage.expected, "\(error)")
    #expect(error.store == .unchanged)
    #expect(error.description.hasSuffix("The store is unchanged."))
    #expect((try? Data(contentsOf: store)) == before)
    #expect(try backups.list() == [])
    #expect(folder.names().filter { $0.hasPrefix("Backups") } == [])
  }

  enum Damage: CaseIterable {
    case missing, folder, text, encrypted, truncated, cutInAPage, corruptPages

    var expected: BackupError.Kind {
      switch self {
      case .missing: .storeMissing
      case .folder, .text, .encrypted: .notADatabase
      case .truncated, .cutInAPage, .corruptPages: .corrupt
      }
    }

    func inflict(on store: URL) throws {
      switch self {
      case .missing: return
      case .folder:
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
      case .text: try Data(repeating: 0x41, count: 10_000).write(to: store)
      case .encrypted:
        try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 >> 3) }).write(
          to: store)
      case .truncated, .cutInAPage, .corruptPages:
        try makeStore(store, named: "old")
        var data = try Data(contentsOf: store)
        switch self {
        case .truncated: data = data.prefix(data.count / 2 / 4096 * 4096)
        case .cutInAPage: data = data.prefix(data.count / 2 / 4096 * 4096 + 100)
        default:
          let start = data.count / 2 / 4096 * 4096
          data.replaceSubrange(start..<(start + 8192), with: Data(repeating: 0xA5, count: 8192))
        }
        try data.write(to: store)
      }
    }
  }

  /// A file in place of the folder, which stops even root.
  @Test func somethingInTheWay() throws {
    try makeStore(store, named: "old")
    try Data().write(to: folder.url.appendingPathComponent("Backups"))
    let error = try #require(throws: BackupError.self) { try backups.create(from: one, to: two) }
    #expect(error.kind == .system(ENOTDIR))
    #expect(error.store == .unchanged)
  }

  @Test(.disabled(if: getuid() == 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    try makeStore(store, named: "old")
    try FileManager.default.createDirectory(
      at: backups.folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o500])
    let error = try #require(throws: BackupError.self) { try backups.create(from: one, to: two) }
    #expect(error.kind == .notPermitted)
  }
}

@Suite struct ListingTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    backups = StoreBackups(of: store)
    try makeStore(store, named: "old", external: ["one"])
  }

  enum Fault: CaseIterable {
    case noSidecar, brokenSidecar, otherFormat, shortened, leadsOutside, absolute
  }

  @Test(arguments: Fault.allCases)
  func incomplete(fault: Fault) throws {
    let backup = try backups.create(from: one, to: two)
    let sidecar = backup.url.deletingPathExtension().appendingPathExtension("json")
    func replace(_ text: String, _ other: String) throws {
      let json = try String(contentsOf: sidecar, encoding: .utf8)
      #expect(json.contains(text))
      try Data(json.replacingOccurrences(of: text, with: other).utf8).write(to: sidecar)
    }
    switch fault {
    case .noSidecar: try FileManager.default.removeItem(at: sidecar)
    case .brokenSidecar: try Data("{".utf8).write(to: sidecar)
    case .otherFormat: try replace("\"format\" : 1", "\"format\" : 2")
    case .shortened:
      try Data(contentsOf: backup.url).dropLast(1).write(to: backup.url)
    case .leadsOutside: try replace("_EXTERNAL_DATA/one", "../../../one")
    case .absolute: try replace("_EXTERNAL_DATA/one", "/tmp/one")
    }
    let found = try #require(try backups.list().first)
    guard case .incomplete = found.state else {
      Issue.record("\(found)")
      return
    }
    let before = try contents(store)
    // A backup that was complete when it was listed is checked again.
    for backup in [backup, found] {
      for act in [{ try backups.verify(backup) }, { _ = try backups.restore(backup) }] {
        let error = try #require(throws: BackupError.self) { try act() }
        #expect(error.kind == .incomplete, "\(error)")
        #expect(error.store == .unchanged)
      }
    }
    #expect(try contents(store) == before)
  }

  enum Alteration: CaseIterable { case byte, externalByte, externalMissing, missing }

  @Test(arguments: Alteration.allCases)
  func altered(alteration: Alteration) throws {
    let backup = try backups.create(from: one, to: two)
    let external = backup.url.deletingPathExtension().path + "_SUPPORT/_EXTERNAL_DATA/one"
    func flip(_ path: String) throws {
      var data = try Data(contentsOf: URL(fileURLWithPath: path))
      data[data.count / 2] ^= 1
      try data.write(to: URL(fileURLWithPath: path))
    }
    switch alteration {
    case .byte: try flip(backup.url.path)
    case .externalByte: try flip(external)
    case .externalMissing: try FileManager.default.removeItem(atPath: external)
    case .missing: try FileManager.default.removeItem(at: backup.url)
    }
    let before = try contents(store)
    let names = folder.names()
    for act in [{ try backups.verify(backup) }, { _ = try backups.restore(backup) }] {
      let error = try #require(throws: BackupError.self) { try act() }
      #expect(error.kind == (alteration == .missing ? .backupMissing : .altered), "\(error)")
      #expect(error.store == .unchanged)
    }
    #expect(try contents(store) == before)
    #expect(folder.names() == names)
  }
}
