import Foundation
import ManagedModels
import StoreEngine
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Stores of older versions of a Core Data model: recognised by their hashes, and migrated to a version of the plan
/// before its stages.
@Suite(.serialized) struct CoreDataStepTests {
  let folder: TemporaryFolder
  let store: URL
  let backups: StoreBackups

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("default.store")
    backups = StoreBackups(of: store)
  }

  private func migration(_ plan: MigrationPlanDescription = Sample.plan()) -> StoreMigration {
    StoreMigration(plan: plan, backups: backups)
  }

  private func check(_ plan: MigrationPlanDescription = Sample.plan()) throws -> PreflightReport {
    try StorePreflight(of: store, plan: plan).check()
  }

  /// The app's opening closure.
  private func open(
    _ way: Sample.CoreDataMigration? = .inPlace
  ) -> @Sendable () async throws -> Sample.Container {
    { [store] in
      if let way { try Sample.runCoreDataStep(store, way) }
      return try Sample.open(store)
    }
  }

  /// The plan with some parts replaced.
  private func plan(
    known: Bool = false, retires: Bool = false, coreData: MigrationPlanDescription.CoreDataStep?
  ) -> MigrationPlanDescription {
    let plan = Sample.plan()
    let versions = zip(plan.versions, Sample.chain).map { version, model in
      MigrationPlanDescription.Version(
        model, name: version.name, isBridge: version.isBridge,
        hashes: known ? model.base64Hashes : [:])
    }
    return MigrationPlanDescription(
      versions: Array(versions.dropFirst(retires ? 1 : 0)),
      stages: Array(plan.stages.dropFirst(retires ? 1 : 0)),
      retired: retires ? [versions[0]] : [], retiredThrough: retires ? "4.2" : nil,
      coreData: coreData)
  }

  private var step: MigrationPlanDescription.CoreDataStep {
    get throws { try #require(Sample.plan().coreData) }
  }

  private static let ways: [Sample.CoreDataMigration] = [.inPlace, .asCopy, .inSteps]

  // MARK: Recognition

  /// The second version has the same tables as V1.
  @Test(arguments: 0..<2)
  func everyOlderVersionIsRecognised(position: Int) throws {
    let (name, model) = Sample.coreData[position]
    try Sample.make(store, model)
    let report = try check()
    #expect(report.verdict.version?.name == name)
    #expect(report.coreDataVersion == name)
    #expect(report.verdict.version?.number == one)
    #expect(
      report.stages.map(\.title) == [
        "\(name) → V1: Core Data", "V1 → V2: Pins", "V2 → V3, first half", Sample.customTitle,
      ])
    #expect(report.stages.first?.kind == .coreData)
    #expect(report.stages.first?.isRepeatable == false)
    #expect(
      report.rowCounts
        == ["Note": 40, "Folder": 2, "Tag": 1].merging(
          position == 0 ? ["Scrap": 0, "Snippet": 3] : [:]
        ) { $1 })
    #expect(report.linkCounts == ["Note.tags": 14, "Tag.notes": 14])
    #expect(report.spaceNeeded == 2 * (report.storeSize + report.databaseSize) + 1 << 20)
    #expect(report.description.contains("the store has version \(name), 4 stages before"))
  }

  @Test func plansStoresHaveNoStep() throws {
    for model in Sample.chain {
      try? FileManager.default.removeItem(at: store)
      try Sample.make(store, model)
      #expect(try check().coreDataVersion == nil)
      let hashes = model.versionHashes.entities
      #expect(Sample.plan().coreDataStage(ofStoreWith: hashes) == nil)
    }
    #expect(Sample.plan().coreDataStage(ofStoreWith: [:]) == nil)
  }

  /// A store that fits versions of both belongs to the plan, whichever of its hashes are known.
  @Test func aVersionOfBothIsThePlans() throws {
    let twin = MigrationPlanDescription.CoreDataVersion(
      "Notes 3", entities: [], hashes: Sample.v2.base64Hashes)
    let both = MigrationPlanDescription.CoreDataStep(
      model: "Notes", to: one, hashes: Sample.v1.base64Hashes,
      versions: try step.versions + [twin])
    try Sample.make(store, Sample.v2)
    let report = try check(plan(known: true, coreData: both))
    #expect(report.verdict.version?.name == "V2")
    #expect(report.coreDataVersion == nil)
    // If the plan's own hashes are unknown, hashes outweigh tables.
    #expect(try check(plan(coreData: both)).verdict.version?.name == "Notes 3")
  }

  /// The hashes of one entity differ, so no description names the version.
  @Test func anUnknownVersionIsLeftAlone() async throws {
    var model = Sample.coreData[0].1
    model.entities[0].hashModifier = "another"
    try Sample.make(store, model)
    let before = try Data(contentsOf: store)
    let plan = plan(known: true, coreData: try step)
    guard case .unknown(let unknown) = try check(plan).verdict else {
      Issue.record("\(try check(plan))")
      return
    }
    #expect(unknown.possible == [])
    let run = migration(plan).run(open: open())
    let failure = try await #require(throws: MigrationFailure.self) { try await run.result }
    #expect(failure.kind == .unknown(unknown))
    #expect(failure.store == .untouched)
    #expect(try Data(contentsOf: store) == before)
    #expect(try backups.list() == [])
  }

  /// A version with some of the hashes, or with more, is another version.
  @Test func allHashesDecide() throws {
    let hashes = Sample.coreData[0].1.versionHashes.entities
    #expect(Sample.plan().coreDataStage(ofStoreWith: hashes) != nil)
    #expect(
      Sample.plan().coreDataStage(ofStoreWith: hashes.filter { $0.key != "Snippet" }) == nil)
    #expect(
      Sample.plan().coreDataStage(ofStoreWith: hashes.merging(["More": Data([1])]) { $1 }) == nil)
  }

  @Test func aStepToARetiredVersion() async throws {
    try Sample.make(store, Sample.coreData[1].1)
    let plan = plan(retires: true, coreData: try step)
    guard case .retired(let version) = try check(plan).verdict else {
      Issue.record("\(try check(plan))")
      return
    }
    #expect(version.name == "Notes 2")
    let run = migration(plan).run(open: open())
    let failure = try await #require(throws: MigrationFailure.self) { try await run.result }
    #expect(failure.kind == .retired(one, through: "4.2"))
    #expect(failure.reason.contains("Notes 2") && failure.reason.contains("release 4.2"))
  }

  // MARK: The whole way

  @Test(arguments: 0..<2, ways)
  func anOlderVersionIsMigrated(position: Int, way: Sample.CoreDataMigration) async throws {
    let (name, model) = Sample.coreData[position]
    try Sample.make(store, model)
    let before = try sampleContents(store)
    let run = migration().run(open: open(way))
    var told: [String] = []
    for await progress in run.progress { told.append("\(progress)") }
    let report = try await run.result.report
    #expect(try sampleContents(store) == before)
    #expect(told.contains("Step 1 of 4: \(name) → V1: Core Data"), "\(told)")
    #expect(report.from == one)
    #expect(report.coreDataVersion == name)
    #expect(report.to == StoreVersion(3, 0, 0))
    let validation = try #require(report.validation)
    #expect(validation.isValid, "\(validation)")
    #expect(validation.counts.map(\.before) == [2, 40, 1])
    #expect(report.notes == [])
    let backup = try #require(try backups.list().first)
    #expect(try sampleContents(backup.url) == before)
    #expect(
      try await StorePreflight(of: backup.url, plan: Sample.plan()).check().coreDataVersion == name)
    let record = VersionRecord.read(of: store)
    #expect(record.history.map(\.coreDataVersion) == [name])
    #expect(record.history.map(\.rows) == [position == 0 ? 46 : 43])
    // At the next launch there is nothing to do.
    let next = try await migration().run(open: open(way)).result.report
    #expect(!next.wasMigrated)
    #expect(next.coreDataVersion == nil)
  }

  /// Without the step SwiftData refuses the store, which stays unchanged.
  @Test func withoutTheStepNothingIsLost() async throws {
    try Sample.make(store, Sample.coreData[1].1)
    let before = try sampleContents(store)
    let run = migration().run(open: open(nil))
    let failure = try await #require(throws: MigrationFailure.self) { try await run.result }
    #expect(failure.kind == .open)
    #expect(try check().coreDataVersion == "Notes 2")
    #expect(try sampleContents(store) == before)
  }

  @Test(arguments: 0..<2)
  func aStepThatLosesRows(position: Int) async throws {
    let (name, model) = Sample.coreData[position]
    try Sample.make(store, model)
    let before = try sampleContents(store)
    let run = migration().run { [store] in
      try Sample.runCoreDataStep(store, .inPlace)
      try Connection(store).run("DELETE FROM ZFOLDER WHERE Z_PK = 2")
      return try Sample.open(store)
    }
    let failure = try await #require(throws: MigrationFailure.self) { try await run.result }
    #expect(failure.kind == .rowsLost)
    #expect(
      failure.validation?.issues.contains(.rowsLost(entity: "Folder", before: 2, after: 1)) == true)
    guard case .restored = failure.store else {
      Issue.record("\(failure)")
      return
    }
    #expect(try check().coreDataVersion == name)
    #expect(try sampleContents(store) == before)
    // The next launch has a working step.
    let report = try await migration().run(open: open()).result.report
    #expect(report.attempts == 2)
    #expect(report.coreDataVersion == name)
    #expect(try sampleContents(store) == before)
  }

  /// An entity that the step renames is followed through it.
  @Test func rowEffectsOfTheStep() throws {
    let entity = { (name: String) in MigrationPlanDescription.Entity(name) }
    let old = MigrationPlanDescription.CoreDataVersion(
      "Notes", entities: [entity("Box"), entity("Note"), entity("Old")],
      hashes: ["Box": "A", "Note": "B", "Old": "C"],
      rowEffects: [
        "Folder": .renamed(from: "Box"), "Note": .mayChange("old ones go"), "Old": .removed,
        "Tag": .created,
      ])
    let plan = plan(
      coreData: MigrationPlanDescription.CoreDataStep(
        model: "Notes", to: one, hashes: Sample.v1.base64Hashes, versions: [old]))
    let ancestry = try #require(Ancestry(plan, from: one, "Notes"))
    #expect(ancestry.origins["Folder"]?.entity == "Box")
    #expect(ancestry.origins["Note"]?.reason == "old ones go")
    #expect(ancestry.origins["Tag"] == nil)
    // A version that a later release no longer names is not compared.
    #expect(Ancestry(plan, from: one, "Notes 9") == nil)
  }

  // MARK: Kills

  /// Whatever Core Data has left, the backup is restored and the step repeated.
  @Test(.enabled(if: Checkout.runsEverything), arguments: ways)
  func killedAtEveryStep(way: Sample.CoreDataMigration) async throws {
    try Sample.make(store, Sample.coreData[0].1)
    // Rows in the log, which must not meet a database that has replaced another. Reading the store moves them into the
    // database.
    try StandIn.run("note", store)
    let original = try folder.copy()
    let before = try sampleContents(original.old)
    #expect(before.count == 44)
    var versions: Set<String> = []
    let environment = ["CORE": way.rawValue]
    let steps = try await folder.killing("migrate", environment) { copy, outcome in
      let report = try? await StorePreflight(of: copy.old, plan: Sample.plan()).check()
      versions.insert(report?.verdict.version?.name ?? "none")
      var launches = 0
      var next: Outcome
      repeat {
        next = try StandIn.run("migrate", copy.old, environment)
        launches += 1
      } while next.status != 0 && launches < 3
      #expect(next.status == 0, "\(outcome.errors) \(next)")
      #expect(launches <= 2, "\(outcome.errors)")
      #expect(try sampleContents(copy.old) == before, "\(outcome.errors)")
      let after = try await StorePreflight(of: copy.old, plan: Sample.plan()).check()
      #expect(after.verdict.version?.name == "V3", "\(outcome.errors)")
      #expect(
        !copy.names().contains { $0.contains("_migration.json") || $0.contains("partial") },
        "\(outcome.errors)")
      let kept = try StoreBackups(of: copy.old).list().filter { $0.manifest != nil }
      #expect(
        try kept.contains { try sampleContents($0.url) == before }, "\(outcome.errors)")
    }
    #expect(steps > 20)
    #expect(versions.isSuperset(of: ["Notes", "V1", "V2ToV3", "V3"]), "\(versions)")
  }
}
