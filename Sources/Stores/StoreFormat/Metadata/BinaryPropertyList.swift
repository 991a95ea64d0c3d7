internal import Foundation

/// A binary property list, of which a value is read where it is asked for.
///
/// Nothing is built beforehand: a list that contains itself, or one part a million times, costs nothing until
/// someone follows it, and whoever follows has a budget.
final class BinaryPropertyList {
  /// One value; its parts by their numbers.
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

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  /// The number of the outermost value.
  let root: Int
  /// How many more bytes of values may be read, those that are read again counted again.
  private var budget: Int

  /// Nil for what is not a binary property list. `budget`: bytes of values that may be read.
  init?(_ bytes: [UInt8], budget: Int) {
    self.bytes = bytes
    self.budget = budget
    let trailer = bytes.count - 32
    guard trailer >= 8, bytes.starts(with: Array("bplist00".utf8)) else { return nil }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, at: trailer + 8, size: 8),
      let root = Self.number(bytes, at: trailer + 16, size: 8),
      let table = Self.number(bytes, at: trailer + 24, size: 8),
      table >= 8, table <= trailer, count <= (trailer - table) / offsetSize, root < count
    else { return nil }
    self.count = count
    self.root = root
    self.table = table
  }

  /// Whether there was more to read than the budget allows.
  var isExhausted: Bool { budget < 0 }

  func data(_ range: Range<Int>) -> Data { Data(bytes[range]) }

  /// A value by its number; nil where the list is broken or the budget is used up.
  func value(_ number: Int) -> Value? {
    guard number >= 0, number < count, budget >= 0,
      let start = Self.number(bytes, at: table + number * offsetSize, size: offsetSize),
      start >= 8, start < table
    else { return nil }
    budget -= 1
    let low = Int(bytes[start] & 0x0F)
    switch bytes[start] >> 4 {
    case 0x0:
      if low == 8 || low == 9 { return .boolean(low == 9) }
      return nil
    case 0x1:
      guard low <= 4 else { return nil }
      // Of a number of 128 bits the lower half is the number.
      let size = 1 << min(low, 3)
      let place = start + 1 + (low == 4 ? 8 : 0)
      guard place + size <= table else { return nil }
      var value: UInt64 = 0
      for byte in bytes[place..<place + size] { value = value << 8 | UInt64(byte) }
      return .integer(Int64(bitPattern: value))
    case 0x2: return real(at: start + 1, low).map { .real($0) }
    case 0x3: return real(at: start + 1, low).map { .date($0) }
    case 0x4: return span(start, low, width: 1).map { .data($0) }
    case 0x5, 0x7:
      return span(start, low, width: 1).map { .text(String(decoding: bytes[$0], as: UTF8.self)) }
    case 0x6:
      return span(start, low, width: 2).map { range in
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { place in
          let high = UInt16(bytes[place]) << 8
          return high | UInt16(bytes[place + 1])
        }
        return .text(String(decoding: units, as: UTF16.self))
      }
    case 0x8:
      guard low < 8 else { return nil }
      return Self.number(bytes, at: start + 1, size: low + 1).map { .reference($0) }
    case 0xA, 0xC: return span(start, low, width: referenceSize).map { .array(references($0)) }
    case 0xD:
      return span(start, low, width: referenceSize * 2).map { range in
        let middle = range.lowerBound + range.count / 2
        return .dictionary(
          keys: references(range.lowerBound..<middle), values: references(middle..<range.upperBound)
        )
      }
    default: return nil
    }
  }

  private func real(at place: Int, _ low: Int) -> Double? {
    switch low {
    case 2:
      return Self.number(bytes, at: place, size: 4).map {
        Double(Float(bitPattern: UInt32($0)))
      }
    case 3:
      guard place + 8 <= table else { return nil }
      return Double(
        bitPattern: bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// Where a value's contents are; `low` is their number, or 15 where a number follows.
  private func span(_ start: Int, _ low: Int, width: Int) -> Range<Int>? {
    var place = start + 1
    var count = low
    if low == 15 {
      guard place < table, bytes[place] >> 4 == 1, bytes[place] & 0x0F <= 3 else { return nil }
      let size = 1 << Int(bytes[place] & 0x0F)
      guard let number = Self.number(bytes, at: place + 1, size: size) else { return nil }
      count = number
      place += 1 + size
    }
    guard place <= table, count <= (table - place) / width else { return nil }
    budget -= count * width
    guard budget >= 0 else { return nil }
    return place..<place + count * width
  }

  private func references(_ range: Range<Int>) -> [Int] {
    stride(from: range.lowerBound, to: range.upperBound, by: referenceSize).map {
      Self.number(bytes, at: $0, size: referenceSize) ?? -1
    }
  }

  /// A number without sign; nil where it does not fit, or the bytes end before it.
  private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    var value: UInt64 = 0
    for byte in bytes[place..<place + size] { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }

  // MARK: As Foundation has it

  /// The whole list as Foundation's values; nil where it is broken, refers to itself, or is too large.
  func foundationValue() -> Any? { foundationValue(root, depth: 0) }

  /// What each value costs beside its own bytes when it is built: about what it takes of memory.
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
