internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// Converts an attribute's Swift value to columns, and back.
class AttributeCodec: @unchecked Sendable {
  let type: AttributeType
  let isOptional: Bool
  let shape: CompositeShape?
  /// The path of each column, without the attribute's name; `[""]` for a single column.
  let paths: [String]
  private let valueType: ObjectIdentifier

  fileprivate init(
    of valueType: any Any.Type, type: AttributeType, isOptional: Bool, shape: CompositeShape?
  ) {
    self.valueType = ObjectIdentifier(valueType)
    self.type = type
    self.isOptional = isOptional
    self.shape = shape
    paths = shape?.paths ?? [""]
  }

  /// The columns of a default value, whose static type is unknown; nil if it is not a value of the codec's type.
  func encode(any value: Any) -> [StoredValue]? { nil }

  /// This codec, if it codes the given type; nil otherwise. Every access to a property calls this, and a cast with
  /// `as?` would look up the generic class each time.
  final func typed<Value>(_ type: Value.Type) -> TypedCodec<Value>? {
    valueType == ObjectIdentifier(type) ? unsafeDowncast(self, to: TypedCodec<Value>.self) : nil
  }
}

/// A codec that knows its Swift type, so reading a value needs no cast.
class TypedCodec<Value>: AttributeCodec, @unchecked Sendable {
  init(type: AttributeType, isOptional: Bool, shape: CompositeShape? = nil) {
    super.init(of: Value.self, type: type, isOptional: isOptional, shape: shape)
  }

  /// The value; nil if the columns hold no value. The caller then traps, since it knows the property's name.
  func decode(_ columns: ArraySlice<StoredValue>) -> Value? { nil }
  func encode(_ value: Value) -> [StoredValue] { [] }

  func encode(_ value: Value, into columns: inout [StoredValue], at place: Range<Int>) {
    columns.replaceSubrange(place, with: encode(value))
  }

  override func encode(any value: Any) -> [StoredValue]? {
    (value as? Value).map { encode($0) }
  }
}

/// Codes a value of a type that fits into one column.
final class ColumnCodec<Value: StorableValue>: TypedCodec<Value>, @unchecked Sendable {
  init() { super.init(type: Value.attributeType, isOptional: false) }
  override func decode(_ columns: ArraySlice<StoredValue>) -> Value? {
    Value(stored: columns[columns.startIndex])
  }
  override func encode(_ value: Value) -> [StoredValue] { [value.stored] }
  override func encode(_ value: Value, into columns: inout [StoredValue], at place: Range<Int>) {
    columns[place.lowerBound] = value.stored
  }
}

/// Codes an optional of any type: nil if all columns are NULL.
final class OptionalCodec<Wrapped>: TypedCodec<Wrapped?>, @unchecked Sendable {
  private let wrapped: TypedCodec<Wrapped>

  init(_ wrapped: TypedCodec<Wrapped>) {
    self.wrapped = wrapped
    super.init(type: wrapped.type, isOptional: true, shape: wrapped.shape)
  }
  override func decode(_ columns: ArraySlice<StoredValue>) -> Wrapped?? {
    if columns.allSatisfy(\.isNull) { return .some(nil) }
    return wrapped.decode(columns).map { .some($0) }
  }
  override func encode(_ value: Wrapped?) -> [StoredValue] {
    value.map { wrapped.encode($0) } ?? Array(repeating: .null, count: paths.count)
  }
  override func encode(_ value: Wrapped?, into columns: inout [StoredValue], at place: Range<Int>) {
    if let value { return wrapped.encode(value, into: &columns, at: place) }
    for column in place { columns[column] = .null }
  }
}

/// Codes a Codable struct or enum in a column for each element, and any other Codable value as JSON in one column.
final class CompositeCodec<Value: Codable>: TypedCodec<Value>, @unchecked Sendable {
  init() {
    let shape = CompositeShape.of(Value.self)
    if case .json = shape {
      super.init(type: .binary, isOptional: false)
    } else {
      super.init(type: .composite, isOptional: false, shape: shape)
    }
  }
  override func decode(_ columns: ArraySlice<StoredValue>) -> Value? {
    // If all columns are NULL there is no value, as in old rows after a migration that added the property
    // (docs/facts/migration.md#add-required-enum).
    if columns.allSatisfy(\.isNull) { return nil }
    return try? CompositeDecoder.decode(
      Value.self, from: Dictionary(zip(paths, columns)) { first, _ in first })
  }
  override func encode(_ value: Value) -> [StoredValue] {
    let columns = CompositeEncoder.columns(of: value)
    return paths.map { columns[$0] ?? .null }
  }
}

/// Codes an array of primitives as an archived NSArray (docs/facts/store-format.md#array-archive).
final class ArchivedCodec<Element: ArchivableElement>: TypedCodec<[Element]>, @unchecked Sendable {
  init() { super.init(type: .transformable, isOptional: false) }
  override func decode(_ columns: ArraySlice<StoredValue>) -> [Element]? {
    guard case .blob(let data) = columns[columns.startIndex],
      let archived = ArchivedArray.elements(of: data)
    else { return nil }
    let elements = archived.compactMap { Element(archived: $0) }
    return elements.count == archived.count ? elements : nil
  }
  override func encode(_ value: [Element]) -> [StoredValue] {
    [.blob(ArchivedArray.data(of: value.map(\.archived)))]
  }
}

/// Codes a value that a `ValueTransformer` turns into data.
final class TransformableCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private let transformer: ValueTransformer?
  private let reference: TransformerReference

  init(_ reference: TransformerReference, module: String, isOptional: Bool) {
    transformer = reference.transformer(in: module)
    self.reference = reference
    super.init(type: .transformable, isOptional: isOptional)
  }
  override func decode(_ columns: ArraySlice<StoredValue>) -> Value? {
    guard case .blob(let data) = columns[columns.startIndex] else {
      return isOptional ? (Any?.none as Any) as? Value : nil
    }
    return required.reverseTransformedValue(data) as? Value
  }
  override func encode(_ value: Value) -> [StoredValue] {
    (required.transformedValue(value) as? Data).map { [.blob($0)] } ?? [.null]
  }

  private var required: ValueTransformer {
    guard let transformer else {
      trap(
        "no ValueTransformer for \(reference) is registered, and no class has the name"
      )
    }
    return transformer
  }

  override func encode(any value: Any) -> [StoredValue]? {
    transformer == nil ? nil : (value as? Value).map { encode($0) }
  }
}

/// Marks optionals, for use when only a type's metatype, or a value as `Any`, is known.
protocol AnyOptional {
  static var wrappedType: any Any.Type { get }
  var wrappedValue: Any? { get }
  static func codec(wrapping codec: AttributeCodec) -> AttributeCodec?
}

extension Optional: AnyOptional {
  static var wrappedType: any Any.Type { Wrapped.self }
  var wrappedValue: Any? { map { $0 } }
  static func codec(wrapping codec: AttributeCodec) -> AttributeCodec? {
    (codec as? TypedCodec<Wrapped>).map { OptionalCodec($0) }
  }
}

/// Marks arrays, for use when only a type's metatype is known.
protocol AnyArray {
  static var archivedCodec: AttributeCodec? { get }
}

extension Array: AnyArray {
  static var archivedCodec: AttributeCodec? {
    func codec<T: ArchivableElement>(_ type: T.Type) -> AttributeCodec { ArchivedCodec<T>() }
    return (Element.self as? any ArchivableElement.Type).map { codec($0) }
  }
}

extension AttributeCodec {
  /// The codec for an attribute of a type; nil if no store can hold the type. A transformer's name is looked up in
  /// `module`, the module of the model.
  static func codec(
    for type: any Any.Type, transformer: TransformerReference?, module: () -> String
  ) -> AttributeCodec? {
    if let transformer {
      let module = module()
      func transformable<Value>(_ type: Value.Type) -> AttributeCodec {
        TransformableCodec<Value>(
          transformer, module: module, isOptional: type is any AnyOptional.Type)
      }
      return _openExistential(type, do: transformable)
    }
    if let optional = type as? any AnyOptional.Type {
      return codec(for: optional.wrappedType, transformer: nil, module: module)
        .flatMap { optional.codec(wrapping: $0) }
    }
    func column<Value: StorableValue>(_ type: Value.Type) -> AttributeCodec { ColumnCodec<Value>() }
    func composite<Value: Codable>(_ type: Value.Type) -> AttributeCodec { CompositeCodec<Value>() }
    if let storable = type as? any StorableValue.Type { return column(storable) }
    if let array = type as? any AnyArray.Type, let archived = array.archivedCodec {
      return archived
    }
    if let codable = type as? any Codable.Type { return composite(codable) }
    return nil
  }
}
