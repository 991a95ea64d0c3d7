internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// A migration plan at work: the way from a store's version to the one that is opened.
///
/// It follows Core Data's staged migration manager as docs/facts/migration.md#staged-migration has it.
struct StagedMigration {
  private struct Version {
    let type: any VersionedSchema.Type
    let schema: Schema
    let identity: ModelIdentity
  }

  private let versions: [Version]
  private let stages: [MigrationStage]

  init(schemas: [any VersionedSchema.Type], stages: [MigrationStage]) {
    versions = schemas.map { type in
      let schema = Schema(versionedSchema: type)
      return Version(type: type, schema: schema, identity: schema.graph.model.identity)
    }
    self.stages = stages
  }

  /// What the manager raises as Objective-C exceptions, which Swift cannot catch, so this traps
  /// (docs/facts/migration.md#exceptions-that-swift-cannot-catch).
  func check() {
    for stage in stages where identity(of: stage.from) == identity(of: stage.to) {
      trap(
        """
        The current model reference and the next model reference cannot be equal. (\(stage.from) and \(stage.to) \
        differ in nothing that is hashed: one of them needs a hashModifier)
        """)
    }
    for (index, version) in versions.enumerated() {
      if let duplicate = versions[..<index].first(where: { $0.identity == version.identity }) {
        trap(
          """
          Duplicate version checksums across stages detected. (\(duplicate.type) and \(version.type) differ in nothing \
          that is hashed: one of them needs a hashModifier)
          """)
      }
    }
  }

  func migrate(_ file: StoreFile, to schema: Schema, in container: ModelContainer) throws {
    if file.matches(schema.graph.model) { return try file.adopt(schema.graph.model) }
    let target = schema.graph.model.identity
    guard let end = versions.firstIndex(where: { $0.identity == target }) else {
      throw StoreError(
        .unknownModelVersion,
        "Cannot use staged migration with an unknown model version: the schema that is opened is not in the plan"
      )
    }
    var current = try version(of: file)
    // Of its model, but not as it would be laid out here.
    if current == end { return try file.adopt(schema.graph.model) }
    guard current < end else {
      throw StoreError(
        .backwardMigration,
        "Cannot migrate backward: the store is of \(versions[current].type), a later version than \(versions[end].type)"
      )
    }
    try file.adopt(versions[current].schema.graph.model)

    /// Lightweight stages since the last custom stage: one inference, made when something needs its outcome
    /// (docs/facts/migration.md#lightweight-run-is-one-inference).
    var reached = current
    func arrive() throws {
      guard reached != current else { return }
      try file.migrate(to: versions[reached].schema.graph.model)
      current = reached
    }
    while reached != end {
      let identity = versions[reached].identity
      guard let stage = stages.first(where: { self.identity(of: $0.from) == identity }),
        let next = versions.firstIndex(where: { $0.identity == self.identity(of: stage.to) })
      else {
        throw StoreError(
          .migrationFailed, "the plan has no stage that leads on from \(versions[reached].type)")
      }
      guard case .custom(_, _, let willMigrate, let didMigrate) = stage else {
        reached = next
        continue
      }
      try arrive()
      try run(willMigrate, on: file, versions[current].schema, container)
      reached = next
      try arrive()
      try run(didMigrate, on: file, versions[current].schema, container)
    }
    try arrive()
  }

  /// What a closure leaves unsaved is not saved for it (docs/facts/migration.md#unsaved-is-lost).
  private func run(
    _ closure: (@Sendable (ModelContext) throws -> Void)?, on file: StoreFile, _ schema: Schema,
    _ container: ModelContainer
  ) throws {
    guard let closure else { return }
    let store = StoreAccess(file, schema.graph)
    try closure(ModelContext(container, graph: schema.graph, store: store))
  }

  /// The version that a store is of.
  private func version(of file: StoreFile) throws -> Int {
    let found = try file.recognize(
      versions.map { VersionCandidate(name: "\($0.type)", model: $0.schema.graph.model) })
    let unknown = "Cannot use staged migration with an unknown model version: "
    switch found.verdict {
    case .exact(let version, _), .disputed(let version, _): return version
    case .ambiguous(let alike, by: .model): return alike[0]
    case .ambiguous(let alike, _):
      let names = alike.map { "\(versions[$0].type)" }.joined(separator: ", ")
      throw StoreError(
        .unknownModelVersion,
        unknown + "the store's tables are those of \(names), and its metadata do not say which")
    case .newer, .unknown:
      throw StoreError(
        .unknownModelVersion, unknown + "the store matches no version of the plan")
    }
  }

  private func identity(of version: any VersionedSchema.Type) -> ModelIdentity {
    versions.first { $0.type == version }?.identity
      ?? Schema(versionedSchema: version).graph.model.identity
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
