internal import Foundation
internal import ManagedModels
internal import StoreFormat
internal import Synchronization

/// The stored properties of a model class, read from its `schemaMetadata` once in a process.
///
/// The metadata is read once, because a default such as `UUID()` is evaluated a single time and is the same constant
/// for all old rows (docs/facts/identity.md#default-is-one-constant).
final class ModelShape: @unchecked Sendable {
  let type: any PersistentModel.Type
  let name: String
  let superclass: ModelShape?
  /// The properties of the superclass, then those of the class itself in the order of declaration.
  let properties: [ModelProperty]
  let index: [String: Int]
  let columnCount: Int
  /// A new model's values. They are shared, because each row that is read creates a model with these values first.
  let emptyColumns: [StoredValue]
  let emptyLinks: [_ModelValues.Link]
  let uniqueKeyPaths: [[String]]
  let indexes: [ManagedIndex]

  private static let known = Mutex<[ObjectIdentifier: ModelShape]>([:])

  static func of(_ type: any PersistentModel.Type) -> ModelShape {
    let key = ObjectIdentifier(type)
    if let shape = known.withLock({ $0[key] }) { return shape }
    let shape = ModelShape(reading: type)
    return known.withLock { shapes in
      // If two threads get here, the first thread's shape stays, so that a default is one constant.
      if let first = shapes[key] { return first }
      shapes[key] = shape
      return shape
    }
  }

  private init(reading type: any PersistentModel.Type) {
    self.type = type
    name = "\(type)".split(separator: ".").last.map { String($0) } ?? "\(type)"
    let parent = _getSuperclass(type).flatMap { $0 as? any PersistentModel.Type }
    superclass = parent.map { ModelShape.of($0) }

    let metadata = type.schemaMetadata
    // The module's name is seldom needed and takes long to compute.
    let module = { String(String(reflecting: type).prefix { $0 != "." }) }
    var properties = superclass?.properties ?? []
    var column = superclass?.columnCount ?? 0
    var names: [AnyKeyPath: String] = [:]
    for inherited in properties { names[inherited.keyPath] = inherited.name }
    for entry in metadata where !(entry.metadata is any KeyPathGroups) {
      let property = ModelProperty(entry, of: name, module: module, firstColumn: column)
      column += property.columns.count
      properties.append(property)
      names[entry.keypath] = entry.name
    }
    self.properties = properties
    columnCount = column
    emptyColumns = Array(repeating: .null, count: column)
    emptyLinks =
      properties.contains { $0.destination != nil }
      ? properties.map { $0.isToMany ? .many([]) : .one(nil) } : []
    index = Dictionary(properties.enumerated().map { ($1.name, $0) }) { _, last in last }

    var uniques: [[String]] = []
    var indexes: [ManagedIndex] = []
    for case let group as any KeyPathGroups in metadata.compactMap(\.metadata) {
      let named = group.groups.map { $0.map { names[$0] ?? "" } }
      if group is any UniqueMark {
        uniques += named
      } else {
        indexes += named.map { ManagedIndex(properties: $0) }
        indexes += group.rtrees.map { keys in
          ManagedIndex(properties: keys.map { names[$0] ?? "" }, isRTree: true)
        }
      }
    }
    uniqueKeyPaths = uniques
    self.indexes = indexes
  }

  var ownProperties: ArraySlice<ModelProperty> {
    properties[(superclass?.properties.count ?? 0)...]
  }

  func property(_ name: String) -> Int {
    guard let index = index[name] else { trap("\(self.name) has no property '\(name)'") }
    return index
  }
}

/// Distinguishes `#Unique` from `#Index` when the model is unknown.
protocol UniqueMark {}
extension Schema.Unique: UniqueMark {}

/// A stored property of a model class.
///
/// It is a class because each read and write of a value looks it up, and a struct's parts would be copied.
final class ModelProperty: @unchecked Sendable {
  let name: String
  let keyPath: AnyKeyPath
  let valueType: any Any.Type
  let codec: AttributeCodec?
  let columns: Range<Int>
  let destination: (any PersistentModel.Type)?
  let isToMany: Bool
  let isOptionalLink: Bool
  let attribute: Schema.Attribute?
  /// Whether stores hold the property. An ephemeral property is transient to Core Data
  /// (docs/facts/identity.md#ephemeral-is-transient).
  let isStored: Bool
  let relationship: Schema.Relationship?
  let writtenDefault: Any?
  let defaultColumns: [StoredValue]

  init(
    _ entry: Schema.PropertyMetadata, of model: String, module: () -> String, firstColumn: Int
  ) {
    name = entry.name
    keyPath = entry.keypath
    valueType = type(of: entry.keypath).valueType
    attribute = entry.metadata as? Schema.Attribute
    isStored = attribute?.options.contains { $0.kind == .ephemeral } != true
    relationship = entry.metadata as? Schema.Relationship
    writtenDefault = entry.defaultValue

    let wrapped = (valueType as? any AnyOptional.Type)?.wrappedType ?? valueType
    isOptionalLink = valueType is any AnyOptional.Type
    // The quick checks come first. To find out that a type does not conform, Swift searches everything that is linked,
    // once in each process.
    if wrapped is AnyObject.Type, let one = wrapped as? any PersistentModel.Type {
      (destination, isToMany) = (one, false)
    } else if !(wrapped is any StorableValue.Type),
      let many = valueType as? any RelationshipCollection.Type
    {
      (destination, isToMany) = (many.elementType, true)
    } else {
      (destination, isToMany) = (nil, false)
    }
    guard destination == nil else {
      (codec, columns, defaultColumns) = (nil, firstColumn..<firstColumn, [])
      return
    }
    guard
      let codec = AttributeCodec.codec(
        for: valueType, transformer: attribute?.transformer, module: module)
    else { trap("\(model).\(name): no store can hold a \(valueType)") }
    if codec.paths.contains(where: { $0.split(separator: ".").contains("description") }) {
      // Apple's SwiftData traps here too (docs/facts/swiftdata.md#description-is-refused).
      trap(
        "\(model).\(name): no store can hold a \(valueType), which has a stored property named 'description'"
      )
    }
    self.codec = codec
    columns = firstColumn..<firstColumn + codec.paths.count
    // A default of an optional type, such as `nil as Int?`, may be nil.
    let written = entry.defaultValue.flatMap { value -> Any? in
      (value as? any AnyOptional).map(\.wrappedValue) ?? value
    }
    defaultColumns =
      written.flatMap { value in
        codec.encode(any: value)
          ?? Self.number(value, as: wrapped).flatMap { codec.encode(any: $0) }
      } ?? []
  }

  var isData: Bool { valueType == Data.self || valueType == Data?.self }

  /// Converts a number to the property's type, because the `0` of an `Int16` is an `Int` in an `Any?`.
  private static func number(_ value: Any, as type: any Any.Type) -> Any? {
    func whole<Number: BinaryInteger>(_ type: Number.Type) -> Any? {
      (value as? Int).flatMap { Number(exactly: $0) }
    }
    func floating<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Any? {
      (value as? Int).map { Number($0) } ?? (value as? Double).map { Number($0) }
    }
    if let type = type as? any BinaryInteger.Type { return whole(type) }
    if let type = type as? any BinaryFloatingPoint.Type { return floating(type) }
    guard type == Decimal.self else { return nil }
    return (value as? Int).map { Decimal($0) } ?? (value as? Double).map { Decimal($0) }
  }
}
