// The interface of Apple's SwiftData as far as experiments use it: declarations only, written from docs/facts/swiftdata.md.
// Compiled with SDK_26 it has the shape of SDK 26 and later, without it that of the SDKs before. What begins with an
// underscore is the portable macros' own, which expand `@Model` here.

@_exported import Foundation
@_exported import Observation

#if SDK_26
  public protocol VersionedSchema: SendableMetatype {
    static var models: [any PersistentModel.Type] { get }
    static var versionIdentifier: Schema.Version { get }
  }

  public protocol SchemaMigrationPlan: SendableMetatype {
    static var schemas: [any VersionedSchema.Type] { get }
    static var stages: [MigrationStage] { get }
  }

  public enum MigrationStage: Sendable {
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    @preconcurrency case custom(
      fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
      willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
      didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
  }

  public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    init(backingData: any BackingData<Self>)
    var persistentBackingData: any BackingData<Self> { get set }
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    var _$values: [_ModelValues] { get }
    var _$ownValues: _ModelValues { get }
    func _$attach(_ values: _ModelValues)
  }

  extension Schema.Version: Sendable {}
#else
  public protocol VersionedSchema {
    static var models: [any PersistentModel.Type] { get }
    static var versionIdentifier: Schema.Version { get }
  }

  public protocol SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { get }
    static var stages: [MigrationStage] { get }
  }

  public enum MigrationStage {
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    case custom(
      fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
      willMigrate: ((_ context: ModelContext) throws -> Void)?,
      didMigrate: ((_ context: ModelContext) throws -> Void)?)
  }

  public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable {
    init(backingData: any BackingData<Self>)
    var persistentBackingData: any BackingData<Self> { get set }
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    var _$values: [_ModelValues] { get }
    var _$ownValues: _ModelValues { get }
    func _$attach(_ values: _ModelValues)
  }

  @available(*, unavailable)
  extension Schema.Version: Sendable {}
  @available(*, unavailable)
  extension MigrationStage: Sendable {}
#endif

public protocol BackingData<Model> {
  associatedtype Model: PersistentModel
  var _values: _ModelValues { get }
}

extension PersistentModel {
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    _ModelBacking<P>()
  }
  public func setValue<Value: Encodable>(forKey key: KeyPath<Self, Value>, to newValue: Value) {}
  public var id: PersistentIdentifier { fatalError() }
  public var persistentModelID: PersistentIdentifier { fatalError() }
  public var modelContext: ModelContext? { fatalError() }
  public static func == (one: Self, other: Self) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
}

public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  public var id: Self { fatalError() }
  public static func < (one: Self, other: Self) -> Bool { fatalError() }
}

// MARK: Schema

public final class Schema: Sendable {
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable {
    public init(_ major: Int, _ minor: Int, _ patch: Int) { fatalError() }
    public var description: String { fatalError() }
    public static func < (one: Version, other: Version) -> Bool { fatalError() }
  }

  public struct PropertyMetadata {
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) { fatalError() }
  }

  public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    fatalError()
  }
  public convenience init(versionedSchema: any VersionedSchema.Type) { fatalError() }

  public final class Attribute: SchemaProperty {
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      fatalError()
    }
    public struct Option {
      public static var unique: Option { fatalError() }
      public static func transformable(by type: ValueTransformer.Type) -> Option { fatalError() }
      public static func transformable(by name: String) -> Option { fatalError() }
      public static var externalStorage: Option { fatalError() }
      public static var allowsCloudEncryption: Option { fatalError() }
      public static var preserveValueOnDeletion: Option { fatalError() }
      public static var ephemeral: Option { fatalError() }
      public static var spotlight: Option { fatalError() }
    }
  }

  public final class Relationship: SchemaProperty {
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) { fatalError() }
    public enum DeleteRule { case noAction, nullify, cascade, deny }
    public struct Option { public static var unique: Option { fatalError() } }
  }

  public final class Unique<T: PersistentModel>: SchemaProperty {
    public init(_ constraints: [PartialKeyPath<T>]...) { fatalError() }
  }

  public final class Index<T: PersistentModel>: SchemaProperty {
    public init(_ indices: [PartialKeyPath<T>]...) { fatalError() }
  }
}

public protocol SchemaProperty {}

// MARK: Containers and contexts

public struct ModelConfiguration: Identifiable, Hashable {
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) { fatalError() }
  public var id: URL { fatalError() }

  public struct CloudKitDatabase: Sendable {
    public static var automatic: CloudKitDatabase { fatalError() }
    public static var none: CloudKitDatabase { fatalError() }
  }
}

public class ModelContainer: @unchecked Sendable {
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws { fatalError() }
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws { fatalError() }
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws { fatalError() }
}

public class ModelContext {
  public init(_ container: ModelContainer) { fatalError() }
  public var autosaveEnabled: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  public func insert<T: PersistentModel>(_ model: T) { fatalError() }
  public func delete<T: PersistentModel>(_ model: T) { fatalError() }
  public func save() throws { fatalError() }
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    fatalError()
  }
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    fatalError()
  }
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] { fatalError() }
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws { fatalError() }
}

@available(*, unavailable)
extension ModelContext: Sendable {}

public struct FetchDescriptor<T: PersistentModel> {
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) { fatalError() }
}

// MARK: Macros

@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$backingData), named(persistentBackingData), named(schemaMetadata), named(init),
  named(_$observationRegistrar), named(_SwiftDataNoType), named(_SwiftDataRoot), named(_$values),
  named(_$ownValues), named(_$attach))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "PersistentModelMacro")

@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "PersistedPropertyMacro")

@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option...,
  deleteRule: Schema.Relationship.DeleteRule = .nullify, minimumModelCount: Int? = 0,
  maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

@attached(peer)
public macro Transient() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "PortableSwiftDataMacros", type: "CheckedAwayMacro")

@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "PortableSwiftDataMacros", type: "CheckedAwayMacro")

// MARK: The portable macros' own

public class _ModelValues {}

public struct _ModelBacking<Model: PersistentModel>: BackingData {
  public let _values: _ModelValues
  public init() { fatalError() }
  public init(_ values: _ModelValues) { fatalError() }
  public func getValue<Value: Decodable>(_ name: String) -> Value { fatalError() }
  public func getValue<Value: PersistentModel>(_ name: String) -> Value { fatalError() }
  public func getValue<Value: PersistentModel>(_ name: String) -> Value? { fatalError() }
  public func getValue<Value: RelationshipCollection>(_ name: String) -> Value { fatalError() }
  public func getTransformableValue<Value>(_ name: String) -> Value { fatalError() }
  public func setValue<Value: Encodable>(_ name: String, _ newValue: Value) { fatalError() }
  public func setValue<Value: PersistentModel>(_ name: String, _ newValue: Value) { fatalError() }
  public func setValue<Value: PersistentModel>(_ name: String, _ newValue: Value?) { fatalError() }
  public func setValue<Value: RelationshipCollection>(_ name: String, _ newValue: Value) {
    fatalError()
  }
  public func setTransformableValue<Value>(_ name: String, _ newValue: Value) { fatalError() }
  public func setInitialValue<Value: Encodable>(_ name: String, _ newValue: Value) { fatalError() }
  public func setInitialValue<Value: Encodable>(_ name: String, _ newValue: Value?) { fatalError() }
  public func setInitialValue<Value: PersistentModel>(_ name: String, _ newValue: Value) {
    fatalError()
  }
  public func setInitialValue<Value: PersistentModel>(_ name: String, _ newValue: Value?) {
    fatalError()
  }
  public func setInitialValue<Value: RelationshipCollection>(_ name: String, _ newValue: Value) {
    fatalError()
  }
}

public protocol RelationshipCollection { associatedtype PersistentElement: PersistentModel }

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  public typealias PersistentElement = Wrapped.PersistentElement
}

/// Foundation's, which is there on Apple's systems only.
open class ValueTransformer {
  public required init() {}
  open class func transformedValueClass() -> AnyClass { fatalError() }
  open class func allowsReverseTransformation() -> Bool { fatalError() }
  open func transformedValue(_ value: Any?) -> Any? { fatalError() }
  open func reverseTransformedValue(_ value: Any?) -> Any? { fatalError() }
}
