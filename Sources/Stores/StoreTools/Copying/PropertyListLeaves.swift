internal import Foundation
internal import ManagedModels

/// A binary property list whose leaves can be changed in place: nothing becomes longer, so everything stays where it is.
///
/// Keys of dictionaries and, in a keyed archive, names of classes stay. Bytes that belong to no value become zero.
struct PropertyListLeaves {
  private enum Kind {
    case structure
    case integer
    case real
    case date
    case data
    case ascii
    case utf16
  }

  private struct Object {
    var kind: Kind
    /// All of it, and what it holds.
    var range: Range<Int>
    var content: Range<Int>
    var references: [Int] = []
    /// Of a dictionary, how many of them are keys.
    var keyCount = 0
  }

  private var bytes: [UInt8]
  private var objects: [Object] = []
  private let table: Int
  private let root: Int

  private static let magic = Array("bplist00".utf8)

  /// Nil for what is no binary property list, or one that makes no sense.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40, bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
    let trailer = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8),
      let root = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), table >= 9, table <= trailer, count > 0,
      count <= (trailer - table) / offsetSize, root < count
    else { return nil }
    self.table = table
    self.root = root
    for index in 0..<count {
      guard let start = Self.number(bytes, table + index * offsetSize, offsetSize), start >= 8,
        start < table,
        let object = Self.object(bytes, start, table, referenceSize, count)
      else { return nil }
      objects.append(object)
    }
    guard isDisjoint else { return nil }
    for object in objects where object.kind == .utf16 {
      guard Self.text(bytes, object) != nil else { return nil }
    }
    for object in objects where object.kind == .ascii {
      guard bytes[object.content].allSatisfy({ $0 < 0x80 }) else { return nil }
    }
  }

  /// Whether no byte belongs to two values: changed twice it would be another one in each.
  private var isDisjoint: Bool {
    var end = 8
    for object in objects.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard object.range.lowerBound >= end else { return false }
      end = object.range.upperBound
    }
    return true
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    return Int(exactly: bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static func object(
    _ bytes: [UInt8], _ start: Int, _ table: Int, _ referenceSize: Int, _ objectCount: Int
  ) -> Object? {
    let low = Int(bytes[start] & 0x0F)
    func sized(_ kind: Kind, _ size: Int) -> Object? {
      guard start + 1 + size <= table else { return nil }
      return Object(
        kind: kind, range: start..<start + 1 + size, content: start + 1..<start + 1 + size)
    }
    func counted(_ kind: Kind, _ width: Int) -> Object? {
      var (place, count) = (start + 1, low)
      if low == 15 {
        guard place < table, bytes[place] >> 4 == 1, bytes[place] & 0x0F <= 3 else { return nil }
        let size = 1 << Int(bytes[place] & 0x0F)
        guard let number = number(bytes, place + 1, size) else { return nil }
        (place, count) = (place + 1 + size, number)
      }
      guard place <= table, count <= (table - place) / width else { return nil }
      return Object(
        kind: kind, range: start..<place + count * width, content: place..<place + count * width)
    }
    func references(_ halves: Int) -> Object? {
      guard var object = counted(.structure, referenceSize * halves) else { return nil }
      for place in stride(
        from: object.content.lowerBound, to: object.content.upperBound, by: referenceSize)
      {
        guard let reference = number(bytes, place, referenceSize), reference < objectCount else {
          return nil
        }
        object.references.append(reference)
      }
      object.keyCount = halves == 2 ? object.references.count / 2 : 0
      return object
    }
    switch bytes[start] >> 4 {
    case 0x0: return [0, 8, 9].contains(low) ? sized(.structure, 0) : nil
    case 0x1: return low <= 4 ? sized(low == 4 ? .structure : .integer, 1 << low) : nil
    case 0x2: return [2, 3].contains(low) ? sized(.real, 1 << low) : nil
    case 0x3: return low == 3 ? sized(.date, 8) : nil
    case 0x4: return counted(.data, 1)
    case 0x5: return counted(.ascii, 1)
    case 0x6: return counted(.utf16, 2)
    case 0x8: return low < 8 ? sized(.structure, low + 1) : nil
    case 0xA, 0xC: return references(1)
    case 0xD: return references(2)
    default: return nil
    }
  }

  private static func text(_ bytes: [UInt8], _ object: Object) -> String? {
    switch object.kind {
    case .ascii: return String(decoding: bytes[object.content], as: UTF8.self)
    case .utf16:
      let units = stride(
        from: object.content.lowerBound, to: object.content.upperBound, by: 2
      ).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(wholeUTF16: units)
    default: return nil
    }
  }

  // MARK: What stays

  /// Values under some keys of the outermost dictionary stay, with all that is in them.
  var keptRoots: Set<String> = []

  /// The list with nothing in what would be changed.
  var kept: [UInt8] {
    var bytes = bytes
    let kept = keptObjects()
    for (index, object) in objects.enumerated()
    where object.kind != .structure && !kept.contains(index) {
      for place in object.content { bytes[place] = 0 }
    }
    return bytes
  }

  /// Keys, names of classes, and what says that it is an archive.
  private func keptObjects() -> Set<Int> {
    var kept: Set<Int> = []
    for object in objects where object.keyCount > 0 {
      let keys = object.references.prefix(object.keyCount)
      kept.formUnion(keys)
      for (key, value) in zip(keys, object.references.dropFirst(object.keyCount)) {
        switch Self.text(bytes, objects[key]) {
        case "$classname", "$archiver", "$version", "$class": kept.insert(value)
        case "$classes": kept.formUnion(objects[value].references)
        case "$objects":
          // The first of them stands for nothing: "$null".
          if let first = objects[value].references.first { kept.insert(first) }
        default: break
        }
      }
    }
    let dictionary = objects[root]
    for (key, value) in zip(
      dictionary.references.prefix(dictionary.keyCount),
      dictionary.references.dropFirst(dictionary.keyCount))
    where Self.text(bytes, objects[key]).map(keptRoots.contains) == true {
      var waiting = [value]
      while let next = waiting.popLast() {
        if kept.insert(next).inserted { waiting += objects[next].references }
      }
    }
    return kept
  }

  // MARK: Changing

  /// The list with other leaves.
  mutating func masked(_ mask: ValueMask) -> [UInt8] {
    let kept = keptObjects()
    for (index, object) in objects.enumerated() where !kept.contains(index) {
      let made = masked(object, mask)
      if made.count == object.content.count { bytes.replaceSubrange(object.content, with: made) }
    }
    var end = 8
    for object in objects.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      for place in end..<object.range.lowerBound { bytes[place] = 0 }
      end = object.range.upperBound
    }
    for place in end..<max(end, table) { bytes[place] = 0 }
    for place in bytes.count - 32..<bytes.count - 26 { bytes[place] = 0 }
    return bytes
  }

  private func masked(_ object: Object, _ mask: ValueMask) -> [UInt8] {
    let content = Array(bytes[object.content])
    let word = content.count <= 8 ? content.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
    func written(_ word: UInt64) -> [UInt8] {
      content.indices.map { UInt8(word >> UInt64(8 * (content.count - 1 - $0)) & 0xFF) }
    }
    func number(_ value: StoredValue, _ type: AttributeType? = nil) -> Double {
      if case .real(let made) = mask.masked(value, type) { return made }
      return 0
    }
    switch object.kind {
    case .structure: return content
    case .integer:
      guard case .integer(let made) = mask.masked(.integer(Int64(bitPattern: word))) else {
        return content
      }
      return written(UInt64(bitPattern: made))
    case .real where content.count == 4:
      let value = Double(Float(bitPattern: UInt32(word)))
      let made = number(.real(value))
      return written(UInt64(Float(made).bitPattern))
    case .real: return written(number(.real(Double(bitPattern: word))).bitPattern)
    case .date: return written(number(.real(Double(bitPattern: word)), .date).bitPattern)
    case .data: return mask.masked(content)
    case .ascii, .utf16:
      guard let text = Self.text(bytes, object) else { return content }
      guard case .text(let made) = mask.masked(.text(text)) else { return content }
      return object.kind == .ascii
        ? Array(made.utf8) : made.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }
}
