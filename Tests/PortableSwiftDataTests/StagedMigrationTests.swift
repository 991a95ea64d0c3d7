import Foundation
import ManagedModels
import StoreEngine
import SwiftData
import Synchronization
import Testing

/// The staged engine, one fact at a time (docs/facts/migration.md). A store file is filled at one version and opened at
/// another, as in an app.
@Suite(.serialized) struct StagedMigrationTests {
  // MARK: Recognition

  /// docs/facts/identity.md#recognised-by-hashes
  @Test("A store is recognised by its structure, never by versionIdentifier")
  func recognition() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      // The same structure under another number is the same version.
      let context = try open(Steps.V1Renumbered.self, at: url, plan: Steps.RenumberedPlan.self)
      #expect(try context.only(Steps.V1Renumbered.Item.self).name == "a")
    }
  }

  /// docs/facts/migration.md#first-version-adopts-unversioned
  @Test("A store written without a plan is adopted if V1 matches it exactly")
  func unversioned() throws {
    try withStore { url in
      do {
        let context = ModelContext(
          try ModelContainer(
            for: Steps.V1.Item.self, configurations: ModelConfiguration(url: url)))
        context.insert(Steps.V1.Item(name: "a"))
        try context.save()
      }
      let context = try open(Steps.V2.self, at: url, plan: Steps.Plan.self)
      #expect(try context.only(Steps.V2.Item.self).name == "a")
    }
  }

  /// docs/facts/migration.md#unknown-version-is-134504
  @Test("134504: a store whose version is not in the plan is not migrated")
  func unknownVersion() throws {
    try withStore { url in
      try fill(Steps.Edited.self, at: url)
      let cause = failure { try open(Steps.V3.self, at: url, plan: Steps.Plan.self) }
      #expect(cause?.kind == .unknownModelVersion)
      #expect(
        cause?.reason.contains("Cannot use staged migration with an unknown model version") == true)
      #expect(try open(Steps.Edited.self, at: url).only(Steps.Edited.Item.self).name == "a")
    }
  }

  /// docs/facts/migration.md#container-outside-stages
  @Test("134504 is thrown if no stage mentions the schema to open, whatever the store")
  func unknownContainer() throws {
    for version in [Steps.V1.self, Steps.Edited.self] as [any VersionedSchema.Type] {
      try withStore { url in
        try fill(version, at: url)
        let cause = failure { try open(Steps.V3.self, at: url, plan: Stages.Unfinished.self) }
        #expect(cause?.kind == .unknownModelVersion)
        #expect(cause?.reason.contains("unknown coordinator model version") == true)
      }
    }
  }

  /// docs/facts/migration.md#backwards-is-134506
  @Test(
    "134506 is thrown if the plan lists the store's version after the container's"
  )
  func downgrade() throws {
    try withStore { url in
      try fill(Steps.V2.self, at: url)
      let error = #expect(throws: SwiftDataError.backwardMigration) {
        try open(Steps.V1.self, at: url, plan: Steps.Plan.self)
      }
      #expect(error?.cause?.kind == .backwardMigration)
    }
    // The same within one list.
    try withStore { url in
      try fill(Runs.V3.self, at: url)
      #expect(throws: SwiftDataError.backwardMigration) {
        try open(Steps.V2.self, at: url, plan: Runs.Plan.self)
      }
    }
  }

  /// docs/facts/migration.md#downgrade-is-134504
  @Test("134504: an older app does not know the store's newer version")
  func olderApp() throws {
    try withStore { url in
      try fill(Runs.V3.self, at: url)
      let cause = failure { try open(Steps.V2.self, at: url, plan: Runs.ShortPlan.self) }
      #expect(cause?.kind == .unknownModelVersion)
    }
  }

  /// docs/facts/migration.md#silent-step-backwards
  @Test("A store at the target of the last stage opens with an older schema without an error")
  func silentStepBack() throws {
    try withStore { url in
      _ = try open(Steps.V3.self, at: url)
      let context = try open(Steps.V2.self, at: url, plan: Stages.Custom.self)
      #expect(try context.all(Steps.V2.Item.self).isEmpty)
    }
  }

  // MARK: What SwiftData checks first

  /// docs/facts/migration.md#backward-stage, docs/facts/migration.md#unlisted-stage-version
  @Test(
    "A backward stage and an unlisted version are refused, even for new stores")
  func planChecks() throws {
    try withStore { url in
      #expect(throws: SwiftDataError.backwardMigration) {
        try open(Steps.V2.self, at: url, plan: Stages.LeadingBack.self)
      }
      #expect(throws: SwiftDataError.unknownSchema) {
        try open(Steps.V2.self, at: url, plan: Stages.Unlisted.self)
      }
      #expect(throws: SwiftDataError.unknownSchema) {
        try open(Steps.V2.self, at: url, plan: Stages.UnlistedSource.self)
      }
      // Of a custom stage, only the target must be listed.
      _ = try open(Steps.V2.self, at: url, plan: Stages.UnlistedCustomSource.self)
    }
  }

  // MARK: Errors

  /// docs/facts/migration.md#swiftdata-hides-codes
  @Test("An app sees loadIssueModelContainer for every cause, and the log has the cause")
  func hiddenCodes() async throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try open(Steps.V3.self, at: url, plan: Steps.FailingPlan.self)
      }
    }
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try open(Data4.Required.self, at: url, plan: Data4.RequiredPlan.self)
      }
    }
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        _ = try? open(Data4.Required.self, at: url, plan: Data4.RequiredPlan.self)
      }
    }
    #expect(ended.said("Unresolved error loading container"))
    #expect(ended.said("(134110)"))
  }

  // MARK: Exceptions

  /// docs/facts/migration.md#exceptions-need-an-old-store
  @Test("A plan that raises an exception for older stores still opens new and current ones")
  func exceptionsNeedAnOldStore() throws {
    for plan in [
      Steps.DuplicatePlan.self, Steps.EqualPlan.self, Stages.EqualCustom.self, Stages.Repeated.self,
      Stages.OneSource.self,
    ] as [any SchemaMigrationPlan.Type] {
      try withStore { url in
        for _ in 1...2 { _ = try open(Steps.V1.self, at: url, plan: plan) }
      }
    }
  }

  /// docs/facts/migration.md#duplicate-across-stages
  @Test("Equal checksums in two lightweight stages end the process")
  func duplicates() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V2.self, at: url)
        _ = try open(Steps.V1.self, at: url, plan: Steps.DuplicatePlan.self)
      }
    }
    #expect(ended.said("Duplicate version checksums across stages detected."))
  }

  /// docs/facts/migration.md#duplicate-across-stages
  @Test("Two custom stages with one source end the process")
  func oneSource() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        _ = try open(Steps.V2.self, at: url, plan: Stages.OneSource.self)
      }
    }
    #expect(ended.said("Duplicate version checksums across stages detected."))
  }

  /// docs/facts/migration.md#duplicate-across-stages
  @Test("Two custom stages with one target end the process")
  func oneTarget() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        _ = try open(Runs.V3.self, at: url, plan: Stages.OneTarget.self)
      }
    }
    #expect(ended.said("Duplicate version checksums across stages detected."))
  }

  /// docs/facts/migration.md#duplicate-in-one-list
  @Test("A list that ends with two equal versions ends the process")
  func duplicateInOneList() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V2.self, at: url)
        _ = try open(Steps.V1.self, at: url, plan: Steps.EqualPlan.self)
      }
    }
    #expect(ended.said("Duplicate version checksums detected."))
  }

  /// docs/facts/migration.md#duplicate-stages
  @Test("A repeated lightweight stage ends the process")
  func repeatedStage() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        _ = try open(Steps.V2.self, at: url, plan: Stages.Repeated.self)
      }
    }
    #expect(ended.said("Duplicate lightweight migration stages detected."))
  }

  /// docs/facts/migration.md#equal-custom-endpoints
  @Test("A custom stage between versions of equal checksum ends the process")
  func equalNeighbours() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V2.self, at: url)
        _ = try open(Steps.V1.self, at: url, plan: Stages.EqualCustom.self)
      }
    }
    #expect(ended.said("The current model reference and the next model reference cannot be equal."))
  }

  /// docs/facts/migration.md#opposite-custom-stages
  @Test("Custom stages in both directions are allowed, and the store takes the first")
  func oppositeStages() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      Steps.log.withLock { $0 = [] }
      _ = try open(Steps.V2.self, at: url, plan: Stages.ThereAndBack.self)
      #expect(Steps.log.withLock { $0 } == ["there"])
    }
  }

  /// docs/facts/identity.md#hash-modifier-is-hashed
  @Test("A hash modifier makes an equal schema a different version")
  func hashModifier() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Steps.Modified.self, at: url, plan: Steps.ModifiedPlan.self)
      #expect(try context.only(Steps.Modified.Item.self).name == "a")
    }
  }

  // MARK: Stages

  /// docs/facts/migration.md#lightweight-list
  @Test("A lightweight stage over several versions also migrates the versions between them")
  func spanningStage() throws {
    for version in [Steps.V1.self, Steps.V2.self] as [any VersionedSchema.Type] {
      try withStore { url in
        try fill(version, at: url)
        let context = try open(Runs.V3.self, at: url, plan: Stages.Spanning.self)
        #expect(try context.only(Runs.V3.Item.self).name == "a")
      }
    }
  }

  /// docs/facts/migration.md#lightweight-after-custom
  @Test("A lightweight stage directly after a custom one works from every version")
  func lightweightAfterCustom() throws {
    for version in [Steps.V1.self, Steps.V2.self] as [any VersionedSchema.Type] {
      try withStore { url in
        try fill(version, at: url)
        let context = try open(Runs.V3.self, at: url, plan: Stages.AfterCustom.self)
        #expect(try context.only(Runs.V3.Item.self).count == 7)
      }
    }
  }

  /// docs/facts/migration.md#no-plan-one-inference
  @Test("A plan without stages uses inference and checks no version")
  func noStages() throws {
    try withStore { url in
      try fill(Steps.Edited.self, at: url)
      let context = try open(Steps.V2.self, at: url, plan: Stages.None.self)
      #expect(try context.only(Steps.V2.Item.self).count == 7)
    }
  }

  @Test("A new store and a store of the last version run no stage")
  func nothingToDo() throws {
    try withStore { url in
      Steps.log.withLock { $0 = [] }
      _ = try open(Steps.V3.self, at: url, plan: Steps.Plan.self)
      _ = try open(Steps.V3.self, at: url, plan: Steps.Plan.self)
      #expect(Steps.log.withLock { $0 }.isEmpty)
    }
  }

  /// docs/facts/migration.md#each-side-sees-its-own-types
  @Test("willMigrate sees the old version's rows, didMigrate the new one's")
  func customStage() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      Steps.log.withLock { $0 = [] }
      let context = try open(Steps.V3.self, at: url, plan: Steps.Plan.self)
      #expect(Steps.log.withLock { $0 } == ["will: a", "did: from will"])
      #expect(try context.only(Steps.V3.Item.self).title == "from did")
      #expect(
        try context.only(Steps.V3.Item.self).count == 7,
        "the default of a middle version, since a custom stage stops there")
    }
  }

  /// docs/facts/migration.md#middle-default-never-applies
  @Test("A run of lightweight stages is one inference: a middle version's default never applies")
  func oneInference() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Runs.V3.self, at: url, plan: Runs.Plan.self)
      #expect(try context.only(Runs.V3.Item.self).count == 9)
    }
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      _ = try open(Runs.V2.self, at: url, plan: Runs.ShortPlan.self)
      let context = try open(Runs.V3.self, at: url, plan: Runs.Plan.self)
      #expect(try context.only(Runs.V3.Item.self).count == 7)
    }
  }

  /// docs/facts/migration.md#omitted-original-name-everywhere
  @Test("A rename is lost on every path if the next version omits originalName")
  func forgottenOriginalName() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Forgetful.V3.self, at: url, plan: Forgetful.Plan.self)
      #expect(try context.only(Forgetful.V3.Item.self).label == "none")
    }
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let renamed = try open(Forgetful.V2.self, at: url, plan: Forgetful.ShortPlan.self)
      #expect(try renamed.only(Forgetful.V2.Item.self).label == "a")
      let context = try open(Forgetful.V3.self, at: url, plan: Forgetful.Plan.self)
      #expect(try context.only(Forgetful.V3.Item.self).label == "none")
    }
  }

  /// docs/facts/migration.md#custom-stage-is-a-boundary
  @Test("An empty custom stage ends a run of lightweight stages")
  func boundary() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Runs.V3.self, at: url, plan: Runs.StoppingPlan.self)
      #expect(
        try context.only(Runs.V3.Item.self).count == 7, "the default of the version before it")
    }
  }

  @Test(
    "An error in a stage ends the migration, and the next launch continues from there"
  )
  func failing() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try open(Steps.V3.self, at: url, plan: Steps.FailingPlan.self)
      }
      #expect(try open(Steps.V2.self, at: url).only(Steps.V2.Item.self).name == "a")
      #expect(
        try open(Steps.V3.self, at: url, plan: Steps.Plan.self).only(Steps.V3.Item.self).title
          == "from did")
    }
  }

  /// docs/facts/migration.md#unsaved-is-lost
  @Test("Changes that willMigrate does not save are lost")
  func unsaved() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Steps.V3.self, at: url, plan: Steps.UnsavedPlan.self)
      #expect(try context.only(Steps.V3.Item.self).title == "a")
    }
  }

  /// docs/facts/migration.md#unsaved-is-lost
  @Test("Changes that didMigrate does not save are lost without an error")
  func unsavedInDid() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Steps.V3.self, at: url, plan: Handlers.UnsavedDid.self)
      #expect(try context.only(Steps.V3.Item.self).title == "a")
    }
  }

  /// docs/facts/migration.md#will-migrate-needs-its-source
  @Test(
    "A stage with willMigrate fails if the store is not at its source; other stages do not"
  )
  func notAtItsSource() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      Steps.log.withLock { $0 = [] }
      let cause = failure { try open(Steps.V3.self, at: url, plan: Handlers.Gap.self) }
      #expect(cause?.kind == .incompatibleModel)
      #expect(Steps.log.withLock { $0 } == [])
      // The result of the stage before it is kept.
      #expect(try open(Steps.V2.self, at: url).only(Steps.V2.Item.self).name == "a")
    }
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Steps.V3.self, at: url, plan: Handlers.GapWithoutWill.self)
      #expect(try context.only(Steps.V3.Item.self).title == "a")
    }
  }

  /// docs/facts/migration.md#closure-errors
  @Test("An error in willMigrate changes nothing, and the next launch repeats the stage")
  func willMigrateThrows() throws {
    try withStore { url in
      try fill(Steps.V2.self, at: url)
      let before = try StoreFile(at: .file(url), isReadOnly: true).structure()
      for _ in 1...2 {
        Steps.log.withLock { $0 = [] }
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
          try open(Steps.V3.self, at: url, plan: Handlers.ThrowingWill.self)
        }
        #expect(Steps.log.withLock { $0 } == ["will: a"])
        #expect(try StoreFile(at: .file(url), isReadOnly: true).structure() == before)
        #expect(try open(Steps.V2.self, at: url).only(Steps.V2.Item.self).name == "a")
      }
    }
  }

  /// docs/facts/migration.md#closure-errors
  @Test(
    "After an error in didMigrate the store has the new schema, and the next launch opens it")
  func didMigrateThrows() throws {
    try withStore { url in
      try fill(Steps.V2.self, at: url)
      Steps.log.withLock { $0 = [] }
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try open(Steps.V3.self, at: url, plan: Handlers.ThrowingDid.self)
      }
      let context = try open(Steps.V3.self, at: url, plan: Handlers.ThrowingDid.self)
      #expect(try context.only(Steps.V3.Item.self).title == "a")
      #expect(Steps.log.withLock { $0 } == ["did: a"])
    }
  }

  /// docs/facts/migration.md#stage-is-one-transaction, docs/facts/migration.md#did-migrate-runs-once
  @Test(
    "A stage killed before its commit is repeated; one killed after it never runs didMigrate again",
    arguments: [
      (point: 4, title: "from did"), (point: 5, title: "from did"), (point: 6, title: "from will"),
    ])
  func killed(_ point: Int, _ title: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portable-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "test.store")
    try fill(Steps.V2.self, at: url)
    let path = url.path
    // Writes 1 to 3 belong to willMigrate's save, 4 to 6 to the migration, 7 and later ones to didMigrate's save.
    let ended = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
    ) { [path = path as String, point = point as Int] in
      setenv("SCHEMAGEN_KILL_AT", "\(point)", 1)
      _ = try open(Steps.V3.self, at: URL(filePath: path), plan: Steps.Plan.self)
    }
    #expect(ended.said("killed at checkpoint \(point)"))
    for _ in 1...2 {
      let context = try open(Steps.V3.self, at: url, plan: Steps.Plan.self)
      #expect(try context.only(Steps.V3.Item.self).title == title)
    }
  }

  // MARK: The wrong version's types

  /// docs/facts/migration.md#each-side-sees-its-own-types
  @Test("Fetching old types in didMigrate fails")
  func oldTypesInDid() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      #expect(throws: SwiftDataError.self) {
        try open(Steps.V3.self, at: url, plan: Steps.OldTypesPlan.self)
      }
    }
  }

  /// docs/facts/migration.md#inserting-new-types-traps
  @Test("Inserting a new version's model in willMigrate traps")
  func newTypesInWill() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        _ = try open(Steps.V3.self, at: url, plan: Steps.NewTypesPlan.self)
      }
    }
    #expect(ended.said("is not a model of this context's schema"))
  }

  // MARK: Data

  /// docs/facts/identity.md#default-is-one-constant
  @Test("Old rows share one default value, and each new object gets its own")
  func oneConstant() throws {
    try withStore { url in
      do {
        let context = try open(Steps.V1.self, at: url)
        for name in ["a", "b", "c"] { context.insert(Steps.V1.Item(name: name)) }
        try context.save()
      }
      let context = try open(Data4.Identified.self, at: url, plan: Data4.IdentifiedPlan.self)
      let old = try context.all(Data4.Identified.Item.self)
      #expect(old.count == 3)
      #expect(Set(old.map(\.id)).count == 1)
      let new = [Data4.Identified.Item(name: "d"), Data4.Identified.Item(name: "e")]
      #expect(new[0].id != new[1].id)
      #expect(new[0].id != old[0].id)
    }
  }

  /// docs/facts/migration.md#add-required-enum
  @Test(
    "A new non-optional Codable is NULL in old rows, whatever its default, and reading traps"
  )
  func nullTrap() async throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let context = try open(Data4.Trapping.self, at: url, plan: Data4.TrappingPlan.self)
      #expect(try context.only(Data4.Trapping.Item.self).name == "a")
    }
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try withStore { url in
        try fill(Steps.V1.self, at: url)
        let context = try open(Data4.Trapping.self, at: url, plan: Data4.TrappingPlan.self)
        _ = try context.only(Data4.Trapping.Item.self).mood
      }
    }
    #expect(ended.said("Item.mood of row 1 holds null"))
  }

  /// docs/facts/migration.md#add-required-attribute
  @Test("134110: a new required attribute without a default fails if rows exist")
  func requiredWithoutDefault() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      let cause = failure { try open(Data4.Required.self, at: url, plan: Data4.RequiredPlan.self) }
      #expect(cause?.kind == .migrationFailed)
      // The store is unchanged.
      #expect(try open(Steps.V1.self, at: url).only(Steps.V1.Item.self).name == "a")
    }
    try withStore { url in
      _ = try open(Steps.V1.self, at: url)
      _ = try open(Data4.Required.self, at: url, plan: Data4.RequiredPlan.self)
    }
  }

  /// docs/facts/migration.md#unique-violation
  @Test(
    "134110: a new unique constraint fails if rows have equal values, and the store stays unchanged"
  )
  func uniqueness() throws {
    try withStore { url in
      do {
        let context = try open(Steps.V1.self, at: url)
        for _ in 0..<2 { context.insert(Steps.V1.Item(name: "a")) }
        try context.save()
      }
      let cause = failure { try open(Data4.Unique.self, at: url, plan: Data4.UniquePlan.self) }
      #expect(cause?.kind == .migrationFailed)
      #expect(cause?.reason.contains("UNIQUE constraint failed") == true)
      #expect(try open(Steps.V1.self, at: url).all(Steps.V1.Item.self).count == 2)
    }
  }

  @Test("Without a plan a store is migrated by inference")
  func withoutPlan() throws {
    try withStore { url in
      try fill(Steps.V1.self, at: url)
      #expect(try open(Steps.V2.self, at: url).only(Steps.V2.Item.self).count == 7)
    }
  }
}

/// The cause in the log if a container cannot be opened.
private func failure(_ open: () throws -> ModelContext) -> StoreError? {
  #expect(throws: SwiftDataError.loadIssueModelContainer) { try open() }?.cause
}

/// Fills a store of a version with one row, "a".
private func fill(_ version: any VersionedSchema.Type, at url: URL) throws {
  let context = try open(version, at: url)
  for case let model as any Named.Type in version.models {
    func insert<M: Named>(_ type: M.Type) { context.insert(type.init(name: "a")) }
    insert(model)
  }
  try context.save()
}
