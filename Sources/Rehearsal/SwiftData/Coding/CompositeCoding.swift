internal import Foundation
internal import ManagedModels
internal import StoreFormat

struct CompositeDecoder: Decoder {
  fileprivate let columns: [String: StoredValue]
  fileprivate let prefix: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<Value: Codable>(
    _ type: Value.Type, from columns: [String: StoredValue]
  ) throws -> Value {
    try value(type, from: columns, at: "")
  }

  fileprivate static func value<T: Decodable>(
    _ type: T.Type, from columns: [String: StoredValue], at path: String
  ) throws -> T {
    if let storable = type as? any StorableValue.Type {
      guard let column = columns[path], let value = storable.init(stored: column) as? T else {
        throw CompositeError.missing(path)
      }
      return value
    }
    guard let codable = type as? any Codable.Type else {
      return try json(type, from: columns[path])
    }
    let prefix = path.isEmpty ? "" : path + "."
    switch CompositeShape.of(codable) {
    case .json: return try json(type, from: columns[path])
    case .fields: return try T(from: CompositeDecoder(columns: columns, prefix: prefix))
    case .raw:
      guard let raw = type as? any RawRepresentable.Type,
        let value = self.raw(raw, from: columns[prefix + "rawValue"] ?? .null) as? T
      else { throw CompositeError.missing(path) }
      return value
    case .cases(let names):
      guard let name = names.first(where: { columns[prefix + $0] ?? .null != .null }) else {
        throw CompositeError.missing(path)
      }
      return try JSONDecoder().decode(T.self, from: JSONEncoder().encode([name: [String: Int]()]))
    }
  }

  private static func raw(_ type: any RawRepresentable.Type, from column: StoredValue) -> Any? {
    func value<T: RawRepresentable>(_ type: T.Type) -> Any? {
      guard let storable = T.RawValue.self as? any StorableValue.Type,
        let raw = storable.init(stored: column) as? T.RawValue
      else { return nil }
      return T(rawValue: raw)
    }
    return value(type)
  }

  private static func json<T: Decodable>(_ type: T.Type, from column: StoredValue?) throws -> T {
    switch column {
    case .blob(let data): try JSONDecoder().decode(type, from: data)
    case .text(let text): try JSONDecoder().decode(type, from: Data(text.utf8))
    default: throw CompositeError.noSuchShape
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns<Key>(decoder: self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw CompositeError.noSuchShape
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw CompositeError.noSuchShape
  }

  private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: CompositeDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { !decodeNil(forKey: key) }
    func decodeNil(forKey key: Key) -> Bool {
      let path = decoder.prefix + key.stringValue
      return !decoder.columns.contains {
        $0.value != .null && ($0.key == path || $0.key.hasPrefix(path + "."))
      }
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try CompositeDecoder.value(type, from: decoder.columns, at: decoder.prefix + key.stringValue)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw CompositeError.noSuchShape }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw CompositeError.noSuchShape
    }
    func superDecoder() throws -> any Decoder { throw CompositeError.noSuchShape }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw CompositeError.noSuchShape }
  }
}

final class CompositeEncoder: Encoder {
  private var columns: [String: StoredValue] = [:]
  private let prefix: String
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  private init(prefix: String) { self.prefix = prefix }

  /// The columns by path, without the attribute's name. A value that cannot be encoded ends the process, as a save
  /// does.
  static func columns<Value: Codable>(of value: Value) -> [String: StoredValue] {
    do {
      return try columns(of: value, at: "")
    } catch {
      trap("a \(Value.self) cannot be encoded: \(error)")
    }
  }

  private static func columns<T: Encodable>(
    of value: T, at path: String
  ) throws -> [String: StoredValue] {
    if let storable = value as? any StorableValue { return [path: storable.stored] }
    guard let codable = T.self as? any Codable.Type else {
      return [path: .blob(try JSONEncoder().encode(value))]
    }
    let prefix = path.isEmpty ? "" : path + "."
    switch CompositeShape.of(codable) {
    case .json: return [path: .blob(try JSONEncoder().encode(value))]
    case .raw:
      func raw<V: RawRepresentable>(_ value: V) -> StoredValue? {
        (value.rawValue as? any StorableValue)?.stored
      }
      return [prefix + "rawValue": (value as? any RawRepresentable).flatMap { raw($0) } ?? .null]
    case .cases:
      return CompositeShape.caseName(of: value).map { [prefix + $0: CompositeShape.caseMark] }
        ?? [:]
    case .fields:
      let encoder = CompositeEncoder(prefix: prefix)
      try value.encode(to: encoder)
      return encoder.columns
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Columns<Key>(encoder: self))
  }
  // The methods below are unreachable, because the probe finds fields only for types that ask for keys.
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    trap("this SwiftData stores no composite value that encodes itself without keys")
  }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    trap("this SwiftData stores no composite value that encodes itself without keys")
  }

  private struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CompositeEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) {}
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      let parts = try CompositeEncoder.columns(of: value, at: encoder.prefix + key.stringValue)
      encoder.columns.merge(parts) { _, new in new }
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      trap("this SwiftData stores no composite value that nests containers by hand")
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      trap("this SwiftData stores no composite value that nests containers by hand")
    }
    mutating func superEncoder() -> any Encoder {
      trap("this SwiftData stores no composite value that nests containers by hand")
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
      trap("this SwiftData stores no composite value that nests containers by hand")
    }
  }
}
