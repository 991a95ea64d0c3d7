package import ManagedModels
internal import StoreFormat

/// One row's values as Swift types, by the paths of their columns: `price`, `kind.rawValue`.
package struct RowValues: Sendable {
  /// What a column does not hold.
  package struct Mismatch: Error, CustomStringConvertible {
    package var description: String
  }

  private let stored: @Sendable (String) -> StoredValue?

  /// - Parameter stored: What a column holds; nil where there is none.
  package init(_ stored: @escaping @Sendable (String) -> StoredValue?) { self.stored = stored }

  /// A value, an optional one, or an enum's case by its raw value.
  package func value<Value>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
    guard let found = stored(path) else {
      throw Mismatch(description: "there is no column for '\(path)'")
    }
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
  /// The optional that a column holds; nil where it holds something else.
  static func reading(_ stored: StoredValue) -> Any?
}

extension Optional: OptionalValue {
  fileprivate static func reading(_ stored: StoredValue) -> Any? {
    RowValues.wrapped(stored, as: Wrapped.self).map { $0 as Any }
  }
}

extension StoredValue {
  /// What it is, without what it is: a message may be logged.
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "a text"
    case .blob: "data"
    }
  }
}
