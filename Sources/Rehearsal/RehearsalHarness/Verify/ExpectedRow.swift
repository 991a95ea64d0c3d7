internal import ManagedModels
internal import StoreFormat

/// One row's values as Swift types, by the paths of their columns: `price`, `kind.rawValue`.
public struct ExpectedRow: Sendable {
  /// The column does not exist, or holds a value of another type.
  struct Mismatch: Error, CustomStringConvertible {
    var description: String
  }

  let table: StoreDump.Table
  let row: StoreDump.Row

  var id: ObjectID { ObjectID(entity: table.entity, key: row.key) }

  func has(_ property: String) -> Bool {
    if let links = row.links[property] { return !links.isEmpty }
    return (table.places[property] ?? []).contains { !row.values[$0].isNull }
  }

  /// A column as a value, an optional, or an enum's case by its raw value. Throws if the column holds a value of
  /// another type.
  public func value<Value>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
    // An enum's column has the path of its raw value.
    guard let slot = table.slots.firstIndex(where: { $0 == path || $0 == "\(path).rawValue" })
    else { throw Mismatch(description: "there is no column for '\(path)'") }
    let found = row.values[slot]
    if let value = Self.read(found, as: type) { return value }
    throw Mismatch(description: "'\(path)' holds \(found.kind), not \(type)")
  }

  private static func read<Value>(_ stored: StoredValue, as type: Value.Type) -> Value? {
    if let optional = type as? any OptionalValue.Type {
      return optional.reading(stored) as? Value
    }
    if let storable = type as? any StorableValue.Type {
      return storable.init(stored: stored) as? Value
    }
    if let raw = type as? any RawRepresentable.Type {
      return self.raw(raw, stored) as? Value
    }
    return nil
  }

  private static func raw<Value: RawRepresentable>(
    _ type: Value.Type, _ stored: StoredValue
  ) -> Value? {
    read(stored, as: Value.RawValue.self).flatMap(Value.init(rawValue:))
  }

  fileprivate static func wrapped<Value>(_ stored: StoredValue, as type: Value.Type) -> Value?? {
    if stored.isNull { return .some(nil) }
    return read(stored, as: type).map(Optional.some)
  }
}

/// Any `Optional`.
private protocol OptionalValue {
  /// The optional that a column holds; nil if the column holds a value of another type.
  static func reading(_ stored: StoredValue) -> Any?
}

extension Optional: OptionalValue {
  fileprivate static func reading(_ stored: StoredValue) -> Any? {
    ExpectedRow.wrapped(stored, as: Wrapped.self).map { $0 as Any }
  }
}

extension StoredValue {
  /// The value's kind, for messages. Never the value itself, which may be private.
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "a string"
    case .blob: "data"
    }
  }
}
