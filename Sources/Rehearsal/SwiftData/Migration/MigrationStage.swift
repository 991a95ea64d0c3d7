// The shape of SDK 26 and later. With SDK_18 it is that of Xcode 16.3 and 16.4, for those who only compile against it:
// fewer types are Sendable there.

#if SDK_18
  /// What is `SendableMetatype` since SDK 26.
  public protocol _SendableMetatype {}
#else
  /// What is `SendableMetatype` since SDK 26.
  public typealias _SendableMetatype = SendableMetatype
#endif

/// `VersionedSchema`: refines SendableMetatype since SDK 26.
public protocol VersionedSchema: _SendableMetatype {
  /// All models of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The number of the version, by which no store is recognised.
  static var versionIdentifier: Schema.Version { get }
}

/// `SchemaMigrationPlan`: refines SendableMetatype since SDK 26.
public protocol SchemaMigrationPlan: _SendableMetatype {
  /// All versions, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// How a store gets from one version to the next.
  static var stages: [MigrationStage] { get }
}

#if SDK_18
  /// `MigrationStage`: Sendable, and with `@Sendable` closures, since SDK 26.
  public enum MigrationStage {
    /// The engine infers the change; stages of this kind in a row are one inference.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// The engine infers the change, and runs closures before and after it.
    case custom(
      fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
      willMigrate: ((_ context: ModelContext) throws -> Void)?,
      didMigrate: ((_ context: ModelContext) throws -> Void)?)
  }
#else
  /// `MigrationStage`: Sendable, and with `@Sendable` closures, since SDK 26.
  public enum MigrationStage: Sendable {
    /// The engine infers the change; stages of this kind in a row are one inference.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// The engine infers the change, and runs closures before and after it.
    @preconcurrency case custom(
      fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
      willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
      didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
  }
#endif
