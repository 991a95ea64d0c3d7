package import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// `ModelContainer`: opens a store, and migrates it first if it has an older version.
public class ModelContainer: Equatable, @unchecked Sendable {
  /// The schema that the store has once it is open.
  public final let schema: Schema
  /// The plan with which older stores are migrated.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the stores, of which there is always one here.
  public let configurations: Set<ModelConfiguration>
  /// The context of the main actor.
  @MainActor public private(set) lazy var mainContext = ModelContext(self)
  // Not private: contexts of this module share it.
  final let storage: StoreAccess
  final let allowsSave: Bool

  /// Opens a store of models, and migrates it if it has an older version.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Self.schema(of: forTypes, migrationPlan), migrationPlan: migrationPlan,
      configurations: configurations)
  }

  /// Opens a store of a schema, and migrates it if it has an older version.
  public convenience init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens a store of a schema, and migrates it if it has an older version.
  ///
  /// - Parameters:
  ///   - givenSchema: The schema that the store has once it is open.
  ///   - migrationPlan: The plan for older stores. Without one, the migration is one inference.
  ///   - configurations: At most one configuration. Without one, the default store is opened.
  public init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    guard configurations.count <= 1 else {
      throw SwiftDataError(
        .unsupportedFeature,
        "this SwiftData opens only one store per container, and the container has several")
    }
    let configuration = configurations.first ?? ModelConfiguration()
    let location: StoreFile.Location
    if configuration.isStoredInMemoryOnly {
      location = .memory
    } else {
      location = .file(configuration.url)
      try FileManager.default.createDirectory(
        at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    schema = givenSchema
    self.migrationPlan = migrationPlan
    self.configurations = [configuration]
    allowsSave = configuration.allowsSave

    let staged = try migrationPlan.map {
      try StagedMigration(schemas: $0.schemas, stages: $0.stages)
    }
    let file = try Self.loading {
      try StoreFile(at: location, isReadOnly: !configuration.allowsSave)
    }
    storage = StoreAccess(file, givenSchema.graph)
    try Self.loading { try Self.bring(file, to: givenSchema, by: staged, container: self) }
  }

  /// Opens a store by versions and stages without a plan's type, for a part of a longer plan.
  package init(
    file url: URL, schemas: [any VersionedSchema.Type], stages: [MigrationStage]
  ) throws {
    guard let last = schemas.last else {
      throw SwiftDataError(.unknownSchema, "the migration plan has no versions")
    }
    schema = Schema(versionedSchema: last)
    migrationPlan = nil
    configurations = [ModelConfiguration(url: url)]
    allowsSave = true
    let staged = try StagedMigration(schemas: schemas, stages: stages)
    let file = try Self.loading { try StoreFile(at: .file(url)) }
    storage = StoreAccess(file, schema.graph)
    try Self.loading { try Self.bring(file, to: schema, by: staged, container: self) }
  }

  /// Converts errors like SwiftData: a `SwiftDataError` stays, a migration to an earlier version becomes
  /// `backwardMigration`, and any other error becomes `loadIssueModelContainer`, with the reason in the log
  /// (docs/facts/migration.md#swiftdata-hides-codes).
  private static func loading<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as SwiftDataError {
      throw error
    } catch let error as StoreError where error.kind == .backwardMigration {
      throw SwiftDataError(.backwardMigration, error.reason, cause: error)
    } catch {
      FileHandle.standardError.write(Data("Unresolved error loading container: \(error)\n".utf8))
      throw SwiftDataError(
        .loadIssueModelContainer, "the store could not be opened; the log has the reason",
        cause: error as? StoreError)
    }
  }

  private static func bring(
    _ file: StoreFile, to schema: Schema, by staged: StagedMigration?, container: ModelContainer
  ) throws {
    let model = schema.graph.model
    switch file.contents {
    case .empty: try file.create(model)
    // A store of this model is opened without the plan (docs/facts/migration.md#equal-hashes-open).
    case _ where file.matches(model): try file.adopt(model)
    case _ where staged?.isStaged == true: try staged?.migrate(file, to: schema, in: container)
    // Without stages SwiftData infers a mapping from the store's model, if it knows that model.
    case .portable:
      try file.adoptOwnModel()
      try file.migrate(to: model)
    case .apple:
      throw StoreError(
        .incompatibleModel,
        "the store was written by Apple's SwiftData for another schema, and no plan has its version"
      )
    }
  }

  private static func schema(
    of types: [any PersistentModel.Type], _ plan: (any SchemaMigrationPlan.Type)?
  ) -> Schema {
    // If the types belong to a version of the plan, use that version's number.
    let version = plan?.schemas.first { candidate in
      Set(candidate.models.map { ObjectIdentifier($0) }).isSuperset(
        of: types.map { ObjectIdentifier($0) })
    }
    return Schema(types, version: version?.versionIdentifier ?? Schema.Version(1, 0, 0))
  }

  /// Deletes all rows of all models, and saves. Like Apple's method it throws nothing, and failures are only in the
  /// log.
  public func deleteAllData() {
    let context = ModelContext(self)
    do {
      for node in schema.graph.nodes {
        func delete<M: PersistentModel>(_ type: M.Type) throws { try context.delete(model: type) }
        try delete(node.shape.type)
      }
      try context.save()
    } catch {
      FileHandle.standardError.write(Data("Unresolved error deleting all data: \(error)\n".utf8))
    }
  }

  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}
