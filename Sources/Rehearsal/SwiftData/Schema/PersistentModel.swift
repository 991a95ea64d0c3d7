internal import ManagedModels

/// `PersistentModel`: refines SendableMetatype since SDK 26; a model itself is not Sendable.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, _SendableMetatype {
  /// Creates a model with existing values; `@Model` writes it.
  init(backingData: any BackingData<Self>)
  /// The place of the model's values; `@Model` writes it.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The stored properties; `@Model` writes them.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  // These members exist only in this runtime; `@Model` writes them.
  /// The values for each class in the inheritance, root first. Once the model is in a context, they are all the same
  /// object.
  var _$values: [_ModelValues] { get }
  /// The values of the model's own class, which are the last of `_$values`.
  var _$ownValues: _ModelValues { get }
  func _$attach(_ values: _ModelValues)
}

extension PersistentModel {
  var values: _ModelValues { _$ownValues }

  /// The identifier, for `Identifiable`.
  public var id: PersistentIdentifier { persistentModelID }
  /// The identifier, which may cross isolation.
  public var persistentModelID: PersistentIdentifier { values.identifier }
  /// The context that contains the model; `nil` if there is none.
  public var modelContext: ModelContext? { values.context }
  /// Whether the model has unsaved changes.
  public var hasChanges: Bool { values.state != .clean }
  /// Whether the model is deleted.
  public var isDeleted: Bool { values.state == .deleted }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

  /// Creates the values of a new model; `@Model` calls it.
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    _ModelBacking<P>()
  }

  /// The value at a key path, as `@Model`'s accessors read it.
  public func getValue<Value: Decodable>(forKey key: KeyPath<Self, Value>) -> Value {
    values.attribute(propertyName(key))
  }
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value>) -> Value {
    values.requiredModel(propertyName(key))
  }
  /// The model at a key path, as `@Model`'s accessors read it.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value?>) -> Value? {
    values.model(propertyName(key))
  }
  public func getValue<Value: RelationshipCollection>(forKey key: KeyPath<Self, Value>) -> Value {
    values.models(propertyName(key))
  }
  /// Changes the value at a key path, as `@Model`'s accessors do.
  public func setValue<Value: Encodable>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    values.setAttribute(propertyName(key), newValue)
  }
  /// Changes the model at a key path.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) { values.setModel(propertyName(key), newValue) }
  /// Sets or removes the model at a key path.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value?>, to newValue: Value?
  ) { values.setModel(propertyName(key), newValue) }
  /// Changes the models at a key path.
  public func setValue<Value: RelationshipCollection>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) { values.setModels(propertyName(key), newValue) }

  private func propertyName(_ keyPath: AnyKeyPath) -> String {
    guard let property = values.shape.properties.first(where: { $0.keyPath == keyPath }) else {
      trap("\(keyPath) is not a stored property of \(values.shape.name)")
    }
    return property.name
  }
}

/// `BackingData`: the place of a model's values.
public protocol BackingData<Model> {
  /// The model that has these values.
  associatedtype Model: PersistentModel
  var _values: _ModelValues { get }
}

/// The result of `createBackingData()`, which `@Model` keeps in each class.
///
/// The accessors choose among its methods by the property's type: a Codable value, a model, an optional model, or an
/// array of models. For any other type no method fits, and the compiler reports an error.
public struct _ModelBacking<Model: PersistentModel>: BackingData {
  public let _values: _ModelValues

  public init() { _values = _ModelValues(ModelShape.of(Model.self)) }
  public init(_ values: _ModelValues) { _values = values }

  public func getValue<Value: Decodable>(_ name: String) -> Value { _values.attribute(name) }
  public func getValue<Value: PersistentModel>(_ name: String) -> Value {
    _values.requiredModel(name)
  }
  public func getValue<Value: PersistentModel>(_ name: String) -> Value? { _values.model(name) }
  public func getValue<Value: RelationshipCollection>(_ name: String) -> Value {
    _values.models(name)
  }
  public func getTransformableValue<Value>(_ name: String) -> Value { _values.attribute(name) }

  public func setValue<Value: Encodable>(_ name: String, _ newValue: Value) {
    _values.setAttribute(name, newValue)
  }
  public func setValue<Value: PersistentModel>(_ name: String, _ newValue: Value) {
    _values.setModel(name, newValue)
  }
  public func setValue<Value: PersistentModel>(_ name: String, _ newValue: Value?) {
    _values.setModel(name, newValue)
  }
  public func setValue<Value: RelationshipCollection>(_ name: String, _ newValue: Value) {
    _values.setModels(name, newValue)
  }
  // Sets a property's initial value. Each row that is read also calls this before its own values are set. An initial
  // nil is not written, because all columns are NULL at first.
  public func setInitialValue<Value: Encodable>(_ name: String, _ newValue: Value) {
    _values.setAttribute(name, newValue)
  }
  public func setInitialValue<Value: Encodable>(_ name: String, _ newValue: Value?) {
    if newValue != nil { _values.setAttribute(name, newValue) }
  }
  public func setInitialValue<Value: PersistentModel>(_ name: String, _ newValue: Value) {
    _values.setModel(name, newValue)
  }
  public func setInitialValue<Value: PersistentModel>(_ name: String, _ newValue: Value?) {
    if newValue != nil { _values.setModel(name, newValue) }
  }
  public func setInitialValue<Value: RelationshipCollection>(_ name: String, _ newValue: Value) {
    _values.setModels(name, newValue)
  }

  public func setTransformableValue<Value>(_ name: String, _ newValue: Value) {
    _values.setAttribute(name, newValue)
  }
}

/// `RelationshipCollection`: only arrays and optional arrays of models.
public protocol RelationshipCollection {
  /// The model at the other end.
  associatedtype PersistentElement: PersistentModel
  init(_models models: [PersistentElement])
  var _models: [PersistentElement] { get }
}

extension RelationshipCollection {
  static var elementType: any PersistentModel.Type { PersistentElement.self }
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
  public init(_models models: [Element]) { self = models }
  public var _models: [Element] { self }
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  public typealias PersistentElement = Wrapped.PersistentElement
  public init(_models models: [Wrapped.PersistentElement]) { self = Wrapped(_models: models) }
  public var _models: [Wrapped.PersistentElement] { self?._models ?? [] }
}
