internal import Foundation
internal import ManagedModels
internal import StoreFormat
internal import Synchronization

/// The columns of a Codable type (docs/facts/store-format.md#tables-and-columns).
enum CompositeShape {
  /// A raw-value enum: one element, named after its property or field.
  case raw(AttributeType)
  /// An enum without raw values or payloads: one element for each case.
  case cases([String])
  /// A struct: one element for each stored property.
  case fields([ManagedAttribute])
  /// Anything else, such as a collection: JSON in one column.
  case json

  /// The value in the column of the current case. This was not seen in a store that Apple's frameworks wrote.
  static let caseMark = StoredValue.text("{}")

  private static let known = Mutex<[ObjectIdentifier: CompositeShape]>([:])

  static func of(_ type: any Codable.Type) -> CompositeShape {
    let key = ObjectIdentifier(type)
    if let shape = known.withLock({ $0[key] }) { return shape }
    let shape = read(type)
    known.withLock { $0[key] = shape }
    return shape
  }

  /// The elements of an attribute or a field, in the order of the paths that the codec reads and writes
  /// (docs/facts/identity.md#composites); nil for JSON in one column.
  ///
  /// - Parameters:
  ///   - name: The name of the property or field that holds the value.
  ///   - isOptional: Whether the property or field is optional. If so, each element is optional.
  func elements(of name: String, isOptional: Bool) -> [ManagedAttribute]? {
    switch self {
    case .raw(let type): [ManagedAttribute(name: name, type: type, isOptional: true)]
    case .cases(let names):
      names.map { ManagedAttribute(name: $0, type: .string, isOptional: true) }
    case .fields(let fields): isOptional ? fields.map(\.optionalized) : fields
    case .json: nil
    }
  }

  /// The paths of the columns below the value's name; `[""]` if it has one column.
  var paths: [String] {
    switch self {
    case .raw: ["rawValue"]
    case .cases(let names): names
    case .fields(let fields): fields.flatMap { Leaf.leaves(of: $0).map(\.path) }
    case .json: [""]
    }
  }

  static func element(
    named name: String, of type: any Any.Type, isOptional: Bool
  ) -> ManagedAttribute {
    if let storable = type as? any StorableValue.Type {
      return ManagedAttribute(name: name, type: storable.attributeType, isOptional: isOptional)
    }
    if let codable = type as? any Codable.Type,
      let elements = of(codable).elements(of: name, isOptional: isOptional)
    {
      return ManagedAttribute(
        name: name, type: .composite, isOptional: isOptional, elements: elements)
    }
    return ManagedAttribute(name: name, type: .binary, isOptional: isOptional)
  }

  private static func read(_ type: any Codable.Type) -> CompositeShape {
    if let raw = type as? any RawRepresentable.Type, let storable = rawType(of: raw) {
      return .raw(storable.attributeType)
    }
    if type is any CollectionMark.Type { return .json }
    if let enumeration = type as? any CaseIterable.Type,
      let names = caseNames(of: enumeration)
    {
      return .cases(names)
    }
    let probe = CompositeProbe()
    let value = try? type.init(from: probe)
    guard let fields = probe.fields, !fields.isEmpty else { return .json }
    // The stored properties show which fields are optional. A decoder's calls may not show that.
    let stored = value.map { Mirror(reflecting: $0).children } ?? Mirror.Children([])
    let optional = Dictionary(
      stored.compactMap { child in
        child.label.map { ($0, Swift.type(of: child.value) is any AnyOptional.Type) }
      }
    ) { first, _ in first }
    return .fields(
      fields.map { optional[$0.name] ?? probe.lenient.contains($0.name) ? $0.optionalized : $0 })
  }

  private static func rawType(of type: any RawRepresentable.Type) -> (any StorableValue.Type)? {
    func raw<T: RawRepresentable>(_ type: T.Type) -> (any StorableValue.Type)? {
      T.RawValue.self as? any StorableValue.Type
    }
    return raw(type)
  }

  private static func caseNames(of type: any CaseIterable.Type) -> [String]? {
    func names<T: CaseIterable>(_ type: T.Type) -> [String]? {
      var names: [String] = []
      for value in T.allCases {
        guard let value = value as? any Encodable, let name = caseName(of: value) else {
          return nil
        }
        names.append(name)
      }
      return names
    }
    return names(type)
  }

  /// The case that a synthesised `encode(to:)` writes: `{"name":{}}`.
  static func caseName(of value: any Encodable) -> String? {
    guard let data = try? JSONEncoder().encode(value),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      object.count == 1, (object.first?.value as? [String: Any])?.isEmpty == true
    else { return nil }
    return object.first?.key
  }
}

/// Marks collections, whose Codable form has no fixed elements.
protocol CollectionMark {}
extension Array: CollectionMark {}
extension Dictionary: CollectionMark {}
extension Set: CollectionMark {}

/// Learns a struct's fields from the keys that its `init(from:)` asks for, and answers each with a made-up value.
private final class CompositeProbe: Decoder {
  var fields: [ManagedAttribute]? = []
  var lenient: Set<String> = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(probe: self))
  }
  // A type that asks for anything other than keys has no fields.
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw giveUp() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw giveUp() }

  func giveUp() -> any Error {
    fields = nil
    return CompositeError.noSuchShape
  }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: CompositeProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      add(key, T.self)
      return try MadeUp.value(of: T.self)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      probe.lenient.insert(key.stringValue)
      add(key, T.self)
      return nil
    }
    private func add(_ key: Key, _ type: any Any.Type) {
      let name = key.stringValue
      guard probe.fields?.contains(where: { $0.name == name }) == false else { return }
      probe.fields?.append(CompositeShape.element(named: name, of: type, isOptional: false))
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw probe.giveUp() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw probe.giveUp()
    }
    func superDecoder() throws -> any Decoder { throw probe.giveUp() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw probe.giveUp() }
  }
}

/// Makes temporary values while a shape is read.
private enum MadeUp {
  static func value<T: Decodable>(of type: T.Type) throws -> T {
    let simple: [any Decodable] = [
      "", 0, Int8(0), Int16(0), Int32(0), Int64(0), UInt(0), UInt8(0), UInt16(0), UInt32(0),
      UInt64(0), false, 0.0, Float(0), CGFloat(0), Decimal(0),
      Date(timeIntervalSinceReferenceDate: 0),
      Data(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      URL(fileURLWithPath: "/"),
    ]
    for case let value as T in simple { return value }
    if let enumeration = T.self as? any CaseIterable.Type, let first = first(of: enumeration) as? T
    {
      return first
    }
    // An array, a set or a dictionary is empty.
    for text in ["[]", "{}"] {
      if let value = try? JSONDecoder().decode(T.self, from: Data(text.utf8)) { return value }
    }
    if T.self is any RawRepresentable.Type, _isPOD(T.self) {
      // The first case of an enum without payload is all zeros.
      return withUnsafeTemporaryAllocation(
        byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment
      ) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        return memory.load(as: T.self)
      }
    }
    return try T(from: CompositeProbe())
  }

  private static func first(of type: any CaseIterable.Type) -> Any? {
    func first<T: CaseIterable>(_ type: T.Type) -> Any? { T.allCases.first }
    return first(type)
  }
}

enum CompositeError: Error {
  case noSuchShape
  case missing(String)
}

extension ManagedAttribute {
  /// The attribute as part of an optional value (docs/facts/identity.md#leaf-optionality).
  fileprivate var optionalized: ManagedAttribute {
    var result = self
    result.isOptional = true
    result.elements = elements.map(\.optionalized)
    return result
  }
}
