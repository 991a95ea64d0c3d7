internal import ManagedModels

/// `PersistentModel`: refines SendableMetatype since SDK 26; a model itself is not Sendable.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, _SendableMetatype {
  /// A model with values that are there already; `@Model` writes it.
  init(backingData: any BackingData<Self>)
  /// Where the values are; `@Model` writes it.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The stored properties; `@Model` writes them.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  // The runtime's own; `@Model` writes them.
  /// Where the values are, for each class of the inheritance, root first: one and the same once
  /// the model is in a context.
  var _$values: [_ModelValues] { get }
  /// The last of them: those of the class that the model is of.
  var _$ownValues: _ModelValues { get }
  func _$attach(_ values: _ModelValues)
}

extension PersistentModel {
  var values: _ModelValues { _$ownValues }

  /// The identifier, for `Identifiable`.
  public var id: PersistentIdentifier { persistentModelID }
  /// The identifier, which may cross isolation.
  public var persistentModelID: PersistentIdentifier { values.identifier }
  /// The context that the model is in.
  public var modelContext: ModelContext? { values.context }
  /// Whether the model has changes that are not saved.
  public var hasChanges: Bool { values.state != .clean }
  /// Whether the model is deleted.
  public var isDeleted: Bool { values.state == .deleted }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

  /// New values of a model; `@Model` calls it.
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
  /// Changes the model at a key path, or takes it away.
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

/// `BackingData`: where a model's values are.
public protocol BackingData<Model> {
  /// The model whose values they are.
  associatedtype Model: PersistentModel
  var _values: _ModelValues { get }
}

/// What the opaque result of `createBackingData()` is, and what `@Model` keeps in each class.
///
/// The accessors choose among its methods by the property's type: a Codable value, a model, an optional
/// model, an array of models. Any other type has no way to be stored, and that is the error.
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
  // What a property begins with. Each row that is read passes here too, before its own values take the place: where
  // nothing is said all columns are NULL, so that nil is there already.
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
