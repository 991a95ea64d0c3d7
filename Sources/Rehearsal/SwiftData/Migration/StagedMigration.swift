internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// Migrates a store by a plan, from its version to the one that is opened.
///
/// It checks and groups versions and stages as SwiftData does. Then it migrates as Core Data's staged migration manager
/// does (docs/facts/migration.md#staged-migration).
struct StagedMigration {
  /// A version of the plan. Its models are read only when needed, because a current store needs no other version's
  /// models.
  private struct Version {
    let type: any VersionedSchema.Type

    init(_ type: any VersionedSchema.Type) { self.type = type }

    var graph: SchemaGraph { SchemaGraph.of(type) }
    var identity: VersionHashes { graph.identity }
    var model: ManagedModel { graph.model }

    /// Whether a plan treats two versions as equal. SwiftData compares identifiers and entities, not types.
    func isAlike(_ other: Version) -> Bool {
      type == other.type
        || type.versionIdentifier == other.type.versionIdentifier && identity == other.identity
    }
  }

  private typealias Closure = @Sendable (ModelContext) throws -> Void

  /// A stage as Core Data's staged migration manager sees it.
  private enum Stage {
    /// The checksums that the stage lists (docs/facts/migration.md#lightweight-list); empty if the neighbouring stages
    /// list them.
    case lightweight([Version])
    case custom(from: Version, to: Version, will: Closure?, did: Closure?)

    var versions: [Version] {
      switch self {
      case .lightweight(let list): list
      case .custom(let from, let to, _, _): [from, to]
      }
    }
  }

  /// The place of a checksum in the stages.
  private struct Place: Comparable {
    var stage: Int
    var position = 0

    static func < (one: Place, other: Place) -> Bool {
      (one.stage, one.position) < (other.stage, other.position)
    }
  }

  private let versions: [Version]
  private let stages: [Stage]

  /// Whether a plan applies. Without one, the migration is one inference
  /// (docs/facts/migration.md#no-plan-one-inference).
  var isStaged: Bool { !stages.isEmpty }

  /// Throws the errors that SwiftData checks first, even for new stores
  /// (docs/facts/migration.md#what-swiftdata-checks-first).
  init(schemas: [any VersionedSchema.Type], stages: [MigrationStage]) throws {
    let versions = schemas.map { Version($0) }
    func place(_ version: Version) -> Int? { versions.firstIndex { $0.isAlike(version) } }
    func known(_ version: Version) throws -> Int {
      guard let place = place(version) else {
        throw SwiftDataError(
          .unknownSchema, "a stage names \(version.type), which is not in 'schemas'")
      }
      return place
    }
    var list: [Stage] = []
    for (index, stage) in stages.enumerated() {
      let (from, to) = (Version(stage.from), Version(stage.to))
      let end = try known(to)
      let start = if case .lightweight = stage { try known(from) } else { place(from) }
      if let start, end < start {
        throw SwiftDataError(
          .backwardMigration, "a stage leads from \(from.type) back to \(to.type)")
      }
      switch stage {
      case .custom(_, _, let will, let did):
        list.append(.custom(from: from, to: to, will: will, did: did))
      case .lightweight:
        var isAfterCustom = false
        if index > 0, case .custom = stages[index - 1] { isAfterCustom = true }
        let between = versions[min(end, (start ?? end) + 1)..<end]
        list.append(
          .lightweight(
            (isAfterCustom ? [] : [from]) + between + (end == versions.count - 1 ? [to] : [])))
      }
    }
    self.versions = versions
    self.stages = list
  }

  // MARK: Exceptions

  /// Traps where Core Data's staged migration manager raises Objective-C exceptions, which Swift cannot catch. This is
  /// called only for a store that must be migrated (docs/facts/migration.md#exceptions-that-swift-cannot-catch).
  private func check() {
    for stage in stages {
      switch stage {
      case .lightweight(let list):
        if let (one, other) = Self.equals(list).first {
          raise("Duplicate version checksums detected.", one, other)
        }
      case .custom(let from, let to, _, _) where from.identity == to.identity:
        raise("The current model reference and the next model reference cannot be equal.", from, to)
      case .custom: break
      }
    }
    let lists = stages.compactMap { stage -> [Version]? in
      if case .lightweight(let list) = stage, !list.isEmpty { list } else { nil }
    }
    for (index, list) in lists.enumerated() {
      let isRepeated = lists[..<index].contains { $0.map(\.identity) == list.map(\.identity) }
      if isRepeated {
        raise("Duplicate lightweight migration stages detected.", list[0], list[list.count - 1])
      }
    }
    var sources: [Version] = []
    var targets: [Version] = []
    for case .custom(let from, let to, _, _) in stages {
      sources.append(from)
      targets.append(to)
    }
    let listed = lists.flatMap(\.self)
    // A custom stage's source may be another stage's target.
    var clashes = [listed, sources, targets].flatMap(Self.equals)
    for one in listed {
      clashes += (sources + targets).filter { $0.identity == one.identity }.map { (one, $0) }
    }
    if let (one, other) = clashes.first {
      raise("Duplicate version checksums across stages detected.", one, other)
    }
  }

  private static func equals(_ versions: [Version]) -> [(Version, Version)] {
    versions.enumerated().compactMap { index, version in
      versions[..<index].first { $0.identity == version.identity }.map { ($0, version) }
    }
  }

  private func raise(_ message: String, _ one: Version, _ other: Version) -> Never {
    let explanation =
      one.type == other.type
      ? "more than one stage knows \(one.type)"
      : "\(one.type) and \(other.type) differ in nothing that is hashed: one of them needs a hashModifier"
    trap("\(message) (\(explanation))")
  }

  // MARK: Migrating

  func migrate(_ file: StoreFile, to schema: Schema, in container: ModelContainer) throws {
    check()
    let model = schema.graph.model
    guard let end = place(of: schema.graph.identity) else {
      throw StoreError(
        .unknownModelVersion,
        "Cannot use staged migration with an unknown coordinator model version: the schema that is opened is in no "
          + "stage of the plan")
    }
    let (start, source) = try find(file)
    // No stage begins at the target of the last stage, so a step back from that target is not noticed
    // (docs/facts/migration.md#silent-step-backwards).
    guard start <= end || start.stage == stages.count else {
      throw StoreError(
        .backwardMigration,
        "Store cannot be migrated backwards with staged migration: in the plan, the store's version comes after "
          + "the version that is opened")
    }
    try file.adopt(source)

    /// Whether there were lightweight stages since the last custom stage. Together they are one inference
    /// (docs/facts/migration.md#lightweight-run-is-one-inference).
    var isPending = false
    for stage in stages[min(start.stage, end.stage)..<min(end.stage, stages.count)] {
      guard case .custom(let from, let to, let will, let did) = stage else {
        isPending = true
        continue
      }
      if isPending { try file.migrate(to: from.model) }
      isPending = false
      try run(will, on: file, of: from, container)
      try file.adoptOwnModel()
      try file.migrate(to: to.model)
      try run(did, on: file, of: to, container)
    }
    try file.migrate(to: model)
  }

  /// Runs a closure, with a container that does not migrate the store. Throws unless the store has exactly `version`
  /// (docs/facts/migration.md#will-migrate-needs-its-source). Unsaved changes of the closure are lost
  /// (docs/facts/migration.md#unsaved-is-lost).
  private func run(
    _ closure: Closure?, on file: StoreFile, of version: Version, _ container: ModelContainer
  ) throws {
    guard let closure else { return }
    try file.adopt(version.model)
    let graph = version.graph
    try closure(ModelContext(container, graph: graph, store: StoreAccess(file, graph)))
  }

  // MARK: Finding

  /// The place of a checksum in the first stage that has it. The target of a custom stage is in the stage after it
  /// (docs/facts/migration.md#store-found-by-checksum).
  private func place(of identity: VersionHashes) -> Place? {
    for (index, stage) in stages.enumerated() {
      switch stage {
      case .lightweight(let list):
        if let position = list.firstIndex(where: { $0.identity == identity }) {
          return Place(stage: index, position: position)
        }
      case .custom(let from, let to, _, _):
        if from.identity == identity { return Place(stage: index) }
        if to.identity == identity { return Place(stage: index + 1) }
      }
    }
    return nil
  }

  /// A store's place in the stages, and the model with which to read the store. It is the store's own model, if usable.
  private func find(_ file: StoreFile) throws -> (Place, ManagedModel) {
    let unknown = "Cannot use staged migration with an unknown model version"
    if case .portable(let model) = file.contents {
      let known = versions.first { $0.model == model }?.identity
      guard let place = place(of: known ?? model.versionHashes) else {
        throw StoreError(
          .unknownModelVersion,
          "\(unknown): the store matches no version that a stage of the plan knows")
      }
      return (place, model)
    }
    var known: [Version] = []
    for version in versions + stages.flatMap(\.versions)
    where !known.contains(where: { $0.identity == version.identity }) {
      known.append(version)
    }
    let found = try file.recognize(
      known.map { VersionCandidate(name: "\($0.type)", model: $0.model) })
    switch found.verdict {
    case .exact(let index, _), .disputed(let index, _):
      if let place = place(of: known[index].identity) { return (place, known[index].model) }
    case .ambiguous(let alike, _):
      let names = alike.map { "\(known[$0].type)" }.joined(separator: ", ")
      throw StoreError(
        .unknownModelVersion,
        "\(unknown): the store's tables are those of \(names), and its metadata does not show which version it has"
      )
    case .newer, .unknown: break
    }
    guard file.hasOwnModel else {
      throw StoreError(
        .unidentifiedStore,
        "The store must be opened one time without Staged Migration: it matches no version of the plan, and has no "
          + "model cache")
    }
    throw StoreError(
      .unknownModelVersion,
      "\(unknown): the store matches no version that a stage of the plan knows")
  }
}

extension MigrationStage {
  fileprivate var from: any VersionedSchema.Type {
    switch self {
    case .lightweight(let from, _), .custom(let from, _, _, _): from
    }
  }
  fileprivate var to: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let to), .custom(_, let to, _, _): to
    }
  }
}
