package import Foundation
package import ManagedModels

/// A type that a store keeps in one column (docs/facts/store-format.md#tables-and-columns).
package protocol StorableValue {
  static var attributeType: AttributeType { get }
  init?(stored: StoredValue)
  var stored: StoredValue { get }
}

extension StoredValue {
  /// Whether the value is null, without the cost of a comparison with `.null`.
  package var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// Any number stored by SQLite, since columns of old stores may contain an INTEGER where a REAL is meant.
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }
}

extension StorableValue where Self: FixedWidthInteger {
  package init?(stored: StoredValue) {
    guard let number = stored.wholeNumber else { return nil }
    self.init(truncatingIfNeeded: number)
  }
  package var stored: StoredValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: StorableValue { package static var attributeType: AttributeType { .integer64 } }
extension Int8: StorableValue { package static var attributeType: AttributeType { .integer16 } }
extension Int16: StorableValue { package static var attributeType: AttributeType { .integer16 } }
extension Int32: StorableValue { package static var attributeType: AttributeType { .integer32 } }
extension Int64: StorableValue { package static var attributeType: AttributeType { .integer64 } }
extension UInt: StorableValue { package static var attributeType: AttributeType { .integer64 } }
extension UInt8: StorableValue { package static var attributeType: AttributeType { .integer16 } }
extension UInt16: StorableValue { package static var attributeType: AttributeType { .integer16 } }
extension UInt32: StorableValue { package static var attributeType: AttributeType { .integer32 } }
extension UInt64: StorableValue { package static var attributeType: AttributeType { .integer64 } }

extension Bool: StorableValue {
  package static var attributeType: AttributeType { .boolean }
  package init?(stored: StoredValue) {
    guard let number = stored.number else { return nil }
    self = number != 0
  }
  package var stored: StoredValue { .integer(self ? 1 : 0) }
}

extension Double: StorableValue {
  package static var attributeType: AttributeType { .double }
  package init?(stored: StoredValue) {
    guard let number = stored.number else { return nil }
    self = number
  }
  package var stored: StoredValue { .real(self) }
}

extension Float: StorableValue {
  package static var attributeType: AttributeType { .float }
  package init?(stored: StoredValue) {
    guard let number = stored.number else { return nil }
    self = Float(number)
  }
  package var stored: StoredValue { .real(Double(self)) }
}

extension CGFloat: StorableValue {
  package static var attributeType: AttributeType { .double }
  package init?(stored: StoredValue) {
    guard let number = stored.number else { return nil }
    self = CGFloat(number)
  }
  package var stored: StoredValue { .real(Double(self)) }
}

extension Decimal: StorableValue {
  package static var attributeType: AttributeType { .decimal }
  package init?(stored: StoredValue) {
    switch stored {
    case .integer(let value): self.init(value)
    case .real(let value): self.init(string: "\(value)")
    case .text(let value): self.init(string: value)
    default: return nil
    }
  }
  /// As a string, which the column's NUMERIC affinity turns into a number; fifteen digits are certain to be kept.
  package var stored: StoredValue { .text("\(self)") }
}

extension String: StorableValue {
  package static var attributeType: AttributeType { .string }
  package init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }
  package var stored: StoredValue { .text(self) }
}

extension Date: StorableValue {
  package static var attributeType: AttributeType { .date }
  package init?(stored: StoredValue) {
    guard let seconds = stored.number else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
  /// The seconds since 2001 (docs/facts/store-format.md#column-date).
  package var stored: StoredValue { .real(timeIntervalSinceReferenceDate) }
}

extension Data: StorableValue {
  package static var attributeType: AttributeType { .binary }
  package init?(stored: StoredValue) {
    guard case .blob(let bytes) = stored else { return nil }
    self = bytes
  }
  package var stored: StoredValue { .blob(self) }
}

extension UUID: StorableValue {
  package static var attributeType: AttributeType { .uuid }
  package init?(stored: StoredValue) {
    guard case .blob(let bytes) = stored, bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
  /// Sixteen bytes (docs/facts/store-format.md#column-uuid).
  package var stored: StoredValue { .blob(withUnsafeBytes(of: uuid) { Data($0) }) }
}

extension URL: StorableValue {
  package static var attributeType: AttributeType { .uri }
  package init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(string: text)
  }
  package var stored: StoredValue { .text(absoluteString) }
}
