import Foundation
import StoreFormat
import Testing

@testable import SchemaMigrationKit

/// What manifests assert of steps, held after a migration against the store and its backup.
///
/// Serialised: what a stage tells on a thread of its own, every migration of the process hears.
@Suite(.serialized) struct ExpectationTests {
  private typealias Expectation = MigrationPlanDescription.Expectation

  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
  }

  private static let v1 = StoreVersion(1, 0, 0)
  private static let v2 = StoreVersion(2, 0, 0)
  private static let v3 = StoreVersion(3, 0, 0)

  private static func origins(
    _ names: [String: String] = [:]
  ) -> [MigrationPlanDescription.Expectation.Origin] {
    [v2, v1].map { .init($0, ["Note"], names: names) }
  }

  private static let count = MigrationPlanDescription.Expectation.count(
    "count(Note) is unchanged", step: v3, of: "Note", origins: origins())
  private static let folders = MigrationPlanDescription.Expectation.present(
    "no Note without folder", step: v3, of: "Note", "folder", origins: origins(["folder": "folder"])
  )
  private static let text = MigrationPlanDescription.Expectation.after(
    "Note: !new.text.isEmpty", step: v3, of: "Note", names: ["text": "text"]
  ) { new in
    try new.value("text") != ""
  }
  private static let worth = MigrationPlanDescription.Expectation.pair(
    "Note: new.score == Double(old.stars)", step: v3, of: "Note", names: ["score": "score"],
    origins: origins(["stars": "stars"])
  ) { old, new in
    let stars: Int = try old.value("stars")
    return try new.value("score") == Double(stars)
  }

  /// What is found in a store of V3, held against one of V1, each after some changes.
  private func issues(
    _ expectations: [MigrationPlanDescription.Expectation], before: String = "", after: String = "",
    from: StoreVersion = v1
  ) throws -> [String] {
    let backup = folder.url.appendingPathComponent("before.store")
    for file in [backup, store] {
      for suffix in StoreFiles.companionSuffixes + [""] { try Disk.unlink(file.path + suffix) }
    }
    try Sample.make(backup, from == Self.v1 ? Sample.v1 : Sample.v2)
    try Sample.make(store, Sample.v3)
    if !before.isEmpty { try Connection(backup).run(before) }
    if !after.isEmpty { try Connection(store).run(after) }
    return try StoreValidation(of: store, plan: Sample.plan(expectations: expectations))
      .report(from: from, counts: [:], backup: backup).issues.map(\.description)
  }

  @Test("All of them hold where the migration has done what they say", arguments: [v1, v2])
  func hold(from: StoreVersion) throws {
    #expect(
      try issues([Self.count, Self.folders, Self.text, Self.worth], from: from) == [])
  }

  @Test(
    "Each is broken by what it is about, and says how often and where",
    arguments: [
      (count, "DELETE FROM ZNOTE WHERE Z_PK = 40", "'count(Note) is unchanged' does not hold"),
      (
        folders, "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK IN (3, 9)",
        "'no Note without folder' does not hold for 2 rows, as for row 3"
      ),
      (
        text, "UPDATE ZNOTE SET ZTEXT = '' WHERE Z_PK = 40",
        "'Note: !new.text.isEmpty' does not hold for row 40"
      ),
      (
        worth, "UPDATE ZNOTE SET ZSCORE = ZSCORE + 0.5 WHERE Z_PK > 1",
        "'Note: new.score == Double(old.stars)' does not hold for 39 rows, as for row 2"
      ),
      // The row can be read before, and not after.
      (
        worth, "UPDATE ZNOTE SET ZSCORE = NULL WHERE Z_PK = 1",
        "'Note: new.score == Double(old.stars)' does not hold for row 1"
      ),
    ])
  func broken(
    expectation: MigrationPlanDescription.Expectation, sql: String, issue: String
  ) throws {
    #expect(try issues([expectation], after: sql).contains(issue))
  }

  @Test("What a row lacked before, and what nobody could read before, is no work of the migration")
  func rowsThatWereOdd() throws {
    let lacking = "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 3"
    #expect(try issues([Self.folders], before: lacking, after: lacking) == [])
  }

  @Test func unreadableBefore() throws {
    #expect(
      try issues(
        [Self.worth], before: "UPDATE ZNOTE SET ZSTARS = 'many' WHERE Z_PK = 3",
        after: "UPDATE ZNOTE SET ZSCORE = 0 WHERE Z_PK = 3") == [])
  }

  @Test("Rows of a class and of one that is one too are counted once")
  func countedOnce() throws {
    let both = Expectation.count(
      "count(Note) is unchanged", step: Self.v3, of: "Note",
      origins: [.init(Self.v1, ["Note", "Note"])])
    #expect(try issues([both]) == [])
  }

  @Test("A new row has no row before, and one that is gone none after")
  func rowsThatCameAndWent() throws {
    let came = "DELETE FROM ZNOTE WHERE Z_PK = 5"
    let wrong = "UPDATE ZNOTE SET ZSCORE = 0, ZFOLDER = NULL WHERE Z_PK = 5"
    #expect(try issues([Self.worth], before: came, after: wrong) == [])
    #expect(
      try issues([Self.folders], before: came, after: wrong)
        == ["'no Note without folder' does not hold for row 5"])
    let went = "DELETE FROM ZNOTE WHERE Z_PK = 6"
    #expect(
      try issues([Self.worth, Self.folders], after: went)
        .allSatisfy { !$0.contains("does not hold") })
  }

  @Test("A store that has taken the step already, or whose version is no origin, is not held to it")
  func otherVersions() throws {
    let wrong = "UPDATE ZNOTE SET ZSCORE = -1, ZTEXT = ''"
    let early = Expectation.pair(
      "early", step: Self.v2, of: "Note", names: [:], origins: Self.origins()
    ) { _, _ in false }
    #expect(try issues([early], after: wrong, from: Self.v2) == [])
    let elsewhere = Expectation.pair(
      "elsewhere", step: Self.v3, of: "Note", names: [:],
      origins: [.init(Self.v2, ["Note"])]
    ) { _, _ in false }
    #expect(try issues([elsewhere], after: wrong) == [])
  }

  @Test("Properties are found under the names that they had and have")
  func names() throws {
    let renamed = Expectation.pair(
      "renamed", step: Self.v3, of: "Note", names: ["worth": "score"],
      origins: Self.origins(["points": "stars"])
    ) { old, new in
      let points: Int = try old.value("points")
      let worth: Double = try new.value("worth")
      return worth == Double(points)
    }
    #expect(try issues([renamed]) == [])
    #expect(
      try issues([renamed], after: "UPDATE ZNOTE SET ZSCORE = 0")
        == ["'renamed' does not hold for 40 rows, as for row 1"])
  }

  // MARK: At a launch

  private func migration(
    _ expectations: [MigrationPlanDescription.Expectation], of store: URL
  ) -> StoreMigration {
    StoreMigration(of: store, plan: Sample.plan(expectations: expectations))
  }

  /// Opens, and changes what the migration has made.
  private static func open(_ store: URL, _ sql: String) throws -> Sample.Container {
    let container = try Sample.open(store)
    if !sql.isEmpty { try Connection(store).run(sql) }
    return container
  }

  @Test(
    "A migration that breaks one fails, and the store is put back; the next is used with a note")
  func launch() async throws {
    try Sample.make(store)
    let before = try sampleContents(store)
    let migration = migration([Self.worth, Self.text], of: store)
    let wrong = "UPDATE ZNOTE SET ZSCORE = 7000"
    let run = migration.run { [store] in try Self.open(store, wrong) }
    let failure = try await #require(throws: MigrationFailure.self) { _ = try await run.result }
    #expect(failure.kind == .expectationBroken)
    #expect(failure.description.contains("'Note: new.score == Double(old.stars)' does not hold"))
    #expect(
      failure.localizedDescription.contains(
        "The update would have changed some of your data wrongly."))
    #expect(failure.recoverySuggestion?.isEmpty == false)
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try sampleContents(store) == before)
    // Nobody is locked out of their data for ever: the backup is kept, and people are told.
    let second = try await migration.run { [store] in try Self.open(store, wrong) }.result
    #expect(VersionRecord.read(of: store).unacknowledgedLoss?.contains("new.score") == true)
    let backup = try #require(second.report.backup)
    #expect(try sampleContents(backup) == before)
  }

  @Test("An expression that ends the process is not tried at the next launch")
  func traps() async throws {
    try Sample.make(store)
    let copy = folder.url.appendingPathComponent("killed", isDirectory: true)
    let source = folder.url
    let trapping = Expectation.after("traps", step: Self.v3, of: "Note", names: ["text": "text"]) {
      _ in
      // What a kill here would leave.
      if !FileManager.default.fileExists(atPath: copy.path) {
        let files = try FileManager.default.contentsOfDirectory(atPath: source.path)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for file in files {
          try FileManager.default.copyItem(
            at: source.appendingPathComponent(file), to: copy.appendingPathComponent(file))
        }
      }
      return true
    }
    let first = try await migration([trapping], of: store).run { [store] in
      try Sample.open(store)
    }.result
    #expect(first.report.notes == [])
    let killed = copy.appendingPathComponent("default.store")
    let never = Expectation.after("traps", step: Self.v3, of: "Note", names: ["text": "text"]) {
      _ in throw CancellationError()
    }
    let second = try await migration([never], of: killed).run { try Sample.open(killed) }.result
    #expect(
      second.report.notes.contains { $0.hasPrefix("expectations were not held: the last launch") },
      "\(second.report.notes)")
    #expect(try sampleContents(killed) == sampleContents(store))
    // After that launch all is as ever.
    try FileManager.default.removeItem(at: killed)
    try Sample.make(killed)
    await #expect(throws: (any Error).self) {
      _ = try await self.migration([never], of: killed).run { try Sample.open(killed) }.result
    }
  }
}
