import Observation

/// `PersistentModel`: refines SendableMetatype since SDK 26; a model itself is not Sendable.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  init(backingData: any BackingData<Self>)
  var persistentBackingData: any BackingData<Self> { get set }
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
}

extension PersistentModel {
  public var id: PersistentIdentifier { notBuilt() }
  public var persistentModelID: PersistentIdentifier { notBuilt() }
  public var modelContext: ModelContext? { notBuilt() }
  public var hasChanges: Bool { notBuilt() }
  public var isDeleted: Bool { notBuilt() }

  public func hash(into hasher: inout Hasher) { notBuilt() }
  public static func == (lhs: Self, rhs: Self) -> Bool { notBuilt() }

  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    ErasedBackingData<P>()
  }
}

// The accessors that `@Model` writes choose among these by the property's type: a Codable value,
// a model, an optional model, an array of models. Any other type has no way to be stored, and
// that is the error.
extension PersistentModel {
  public func getValue<Value: Decodable>(forKey: KeyPath<Self, Value>) -> Value { notBuilt() }
  public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>) -> Value {
    notBuilt()
  }
  public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>) -> Value? {
    notBuilt()
  }
  public func getValue<Value: RelationshipCollection>(forKey: KeyPath<Self, Value>) -> Value {
    notBuilt()
  }
  public func getTransformableValue<Value>(forKey: KeyPath<Self, Value>) -> Value { notBuilt() }

  public func setValue<Value: Encodable>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    notBuilt()
  }
  public func setValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    notBuilt()
  }
  public func setValue<Value: PersistentModel>(
    forKey: KeyPath<Self, Value?>, to newValue: Value?
  ) { notBuilt() }
  public func setValue<Value: RelationshipCollection>(
    forKey: KeyPath<Self, Value>, to newValue: Value
  ) { notBuilt() }
  public func setTransformableValue<Value>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    notBuilt()
  }
}

/// `BackingData`: where a model's values are. The setters serve initialisers, which run before
/// there is a `self` to ask.
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel
}

extension BackingData {
  public func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    notBuilt()
  }
  public func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value>, to newValue: Value
  ) { notBuilt() }
  public func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?
  ) { notBuilt() }
  public func setValue<Value: RelationshipCollection>(
    forKey: KeyPath<Model, Value>, to newValue: Value
  ) { notBuilt() }
  public func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    notBuilt()
  }
}

/// What the opaque result of `createBackingData()` is.
struct ErasedBackingData<Model: PersistentModel>: BackingData {}

/// `RelationshipCollection`: only arrays and optional arrays of models.
public protocol RelationshipCollection {
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  public typealias PersistentElement = Wrapped.PersistentElement
}

/// `PersistentIdentifier`: the part of a model that may cross isolation.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  public struct ID: Hashable, Sendable {}

  public var id: ID { notBuilt() }
  public var entityName: String { notBuilt() }
  public var storeIdentifier: String? { notBuilt() }

  public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
    notBuilt()
  }
}
