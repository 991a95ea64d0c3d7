internal import Foundation

/// A binary property list, whose values are read on request.
///
/// Nothing is built in advance: a list that contains itself, or contains one value a million times, costs nothing until
/// it is read, and a budget limits reading.
final class BinaryPropertyList {
  /// One value. Its elements are numbers of other values.
  enum Value {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(Range<Int>)
    case text(String)
    /// A keyed archive's reference to one of its objects.
    case reference(Int)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private let objects: PropertyListObjects
  /// How many more bytes of values may be read; repeated reads count each time.
  private var budget: Int

  /// Nil if the bytes are not a binary property list.
  init?(_ bytes: [UInt8], budget: Int) {
    guard let objects = PropertyListObjects(bytes) else { return nil }
    self.objects = objects
    self.budget = budget
  }

  var root: Int { objects.root }

  var isExhausted: Bool { budget < 0 }

  func data(_ range: Range<Int>) -> Data { Data(objects.bytes[range]) }

  func value(_ number: Int) -> Value? {
    guard budget >= 0, let object = objects[number] else { return nil }
    budget -= 1 + object.content.count
    guard budget >= 0 else { return nil }
    switch object.kind {
    case .constant:
      let constant = objects.bytes[object.range.lowerBound]
      return constant == 0 ? nil : .boolean(constant == 9)
    case .integer: return .integer(Int64(bitPattern: objects.word(object)))
    case .real: return .real(real(object))
    case .date: return .date(real(object))
    case .data: return .data(object.content)
    case .ascii, .utf8:
      return .text(String(decoding: objects.bytes[object.content], as: UTF8.self))
    case .utf16: return .text(String(decoding: objects.units(object), as: UTF16.self))
    case .reference: return Int(exactly: objects.word(object)).map { .reference($0) }
    case .array: return .array(objects.references(object))
    case .dictionary:
      let entries = objects.entries(object)
      return .dictionary(keys: entries.keys, values: entries.values)
    }
  }

  private func real(_ object: PropertyListObjects.Object) -> Double {
    let word = objects.word(object)
    return object.content.count == 4
      ? Double(Float(bitPattern: UInt32(word))) : Double(bitPattern: word)
  }

  // MARK: Foundation values

  /// The whole list as Foundation values; nil if the list is broken, contains itself, or is too large.
  func foundationValue() -> Any? { foundationValue(root, depth: 0) }

  /// The cost of each built value in addition to its bytes: about its size in memory.
  static let valueCost = 64

  private func foundationValue(_ number: Int, depth: Int) -> Any? {
    budget -= Self.valueCost
    guard depth < 32, let value = value(number) else { return nil }
    switch value {
    case .boolean(let value): return value
    case .integer(let value): return Int(value)
    case .real(let value): return value
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let range): return data(range)
    case .text(let text): return text
    case .reference: return nil
    case .array(let items):
      var list: [Any] = []
      for item in items {
        guard let item = foundationValue(item, depth: depth + 1) else { return nil }
        list.append(item)
      }
      return list
    case .dictionary(let keys, let values):
      var entries: [String: Any] = [:]
      for (key, item) in zip(keys, values) {
        budget -= Self.valueCost
        guard case .text(let key)? = self.value(key),
          let item = foundationValue(item, depth: depth + 1)
        else { return nil }
        entries[key] = item
      }
      return entries
    }
  }
}
