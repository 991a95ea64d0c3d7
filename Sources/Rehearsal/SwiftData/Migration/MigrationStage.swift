// This is the interface of SDK 26 and later. With the flag SDK_18 it is the interface of Xcode 16.3 and 16.4, in which
// fewer types are Sendable.

#if SDK_18
  /// The protocol that is `SendableMetatype` since SDK 26.
  public protocol _SendableMetatype {}
#else
  /// The protocol that is `SendableMetatype` since SDK 26.
  public typealias _SendableMetatype = SendableMetatype
#endif

/// `VersionedSchema`: refines SendableMetatype since SDK 26.
public protocol VersionedSchema: _SendableMetatype {
  /// All models of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The version's number, which is not used to recognise stores.
  static var versionIdentifier: Schema.Version { get }
}

/// `SchemaMigrationPlan`: refines SendableMetatype since SDK 26.
public protocol SchemaMigrationPlan: _SendableMetatype {
  /// All versions, the oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The migrations between the versions.
  static var stages: [MigrationStage] { get }
}

#if SDK_18
  /// `MigrationStage`: Sendable, and with `@Sendable` closures, since SDK 26.
  public enum MigrationStage {
    /// The engine infers the change. Consecutive stages of this kind are one inference.
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
    /// The engine infers the change. Consecutive stages of this kind are one inference.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// The engine infers the change, and runs closures before and after it.
    @preconcurrency case custom(
      fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
      willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
      didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
  }
#endif
