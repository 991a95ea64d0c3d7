/// The places of the objects in a binary property list's bytes. Each object is read on request.
package struct PropertyListObjects {
  /// The kind of an object, according to its first byte.
  package enum Kind {
    case constant
    case integer
    case real
    case date
    case data
    case ascii
    case utf8
    case utf16
    case reference
    case array
    case dictionary
  }

  package struct Object {
    package var kind: Kind
    package var range: Range<Int>
    /// The bytes of the value; empty for a constant, whose only byte includes its value.
    package var content: Range<Int>
  }

  package let bytes: [UInt8]
  package let count: Int
  package let root: Int
  /// The end of the objects, where the table of their offsets begins.
  package let end: Int
  private let offsetSize: Int
  private let referenceSize: Int

  package init?(_ bytes: [UInt8]) {
    let trailer = bytes.count - 32
    guard trailer >= 8, bytes.starts(with: "bplist00".utf8) else { return nil }
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8),
      let root = Self.number(bytes, trailer + 16, 8),
      let end = Self.number(bytes, trailer + 24, 8),
      end >= 8, end <= trailer, count <= (trailer - end) / offsetSize, root < count
    else { return nil }
    self.count = count
    self.root = root
    self.end = end
  }

  package subscript(number: Int) -> Object? {
    guard number >= 0, number < count,
      let start = Self.number(bytes, end + number * offsetSize, offsetSize), start >= 8, start < end
    else { return nil }
    let low = Int(bytes[start] & 0x0F)
    switch (bytes[start] >> 4, low) {
    case (0x0, 0), (0x0, 8), (0x0, 9): return sized(.constant, start, 0)
    case (0x1, 0...4): return sized(.integer, start, 1 << low)
    case (0x2, 2...3): return sized(.real, start, 1 << low)
    case (0x3, 2...3): return sized(.date, start, 1 << low)
    case (0x4, _): return counted(.data, start, 1)
    case (0x5, _): return counted(.ascii, start, 1)
    case (0x6, _): return counted(.utf16, start, 2)
    case (0x7, _): return counted(.utf8, start, 1)
    case (0x8, 0...7): return sized(.reference, start, low + 1)
    case (0xA, _), (0xC, _): return counted(.array, start, referenceSize)
    case (0xD, _): return counted(.dictionary, start, referenceSize * 2)
    default: return nil
    }
  }

  private func sized(_ kind: Kind, _ start: Int, _ size: Int) -> Object? {
    guard start + 1 + size <= end else { return nil }
    return Object(
      kind: kind, range: start..<start + 1 + size, content: start + 1..<start + 1 + size)
  }

  /// An object whose first byte contains its count, or 15 if the count follows.
  private func counted(_ kind: Kind, _ start: Int, _ width: Int) -> Object? {
    var (place, count) = (start + 1, Int(bytes[start] & 0x0F))
    if count == 15 {
      guard place < end, bytes[place] >> 4 == 1, bytes[place] & 0x0F <= 3 else { return nil }
      let size = 1 << Int(bytes[place] & 0x0F)
      guard let number = Self.number(bytes, place + 1, size) else { return nil }
      (place, count) = (place + 1 + size, number)
    }
    guard place <= end, count <= (end - place) / width else { return nil }
    return Object(
      kind: kind, range: start..<place + count * width, content: place..<place + count * width)
  }

  /// The numbers of the objects in an array, or of a dictionary's keys followed by its values; empty for others.
  package func references(_ object: Object) -> [Int] {
    guard object.kind == .array || object.kind == .dictionary else { return [] }
    return stride(
      from: object.content.lowerBound, to: object.content.upperBound, by: referenceSize
    ).map { Self.number(bytes, $0, referenceSize) ?? -1 }
  }

  package func entries(_ object: Object) -> (keys: [Int], values: [Int]) {
    let references = object.kind == .dictionary ? references(object) : []
    let count = references.count / 2
    return (Array(references.prefix(count)), Array(references.dropFirst(count)))
  }

  /// The bits of a number; the lower half of a 128-bit one.
  package func word(_ object: Object) -> UInt64 {
    bytes[object.content].suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  package func units(_ object: Object) -> [UInt16] {
    stride(from: object.content.lowerBound, to: object.content.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
  }

  /// An unsigned big-endian number; nil if it does not fit into `Int`, or the bytes end before it does.
  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    return Int(exactly: bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
