internal import Foundation

/// The letters, digits and symbols of a string, which are replaced by others of the same class with the same length in
/// UTF-8 and UTF-16. White space, punctuation and marks stay.
struct MaskedCharacters {
  /// The bytes of each character, and the characters that can replace it.
  private(set) var slots: [(place: Range<Int>, others: ClosedRange<UInt32>)] = []
  private(set) var start = 0
  let isEscaped: Bool
  private let bytes: [UInt8]

  /// - Parameter isEscaped: Whether the string is between the quotes of a JSON string.
  init(_ text: String, isEscaped: Bool = false) {
    bytes = Array(text.utf8)
    self.isEscaped = isEscaped
    if !isEscaped, takeNumber() { return }
    var escaped = 0
    var place = 0
    for scalar in text.unicodeScalars {
      let range = place..<place + UTF8.width(scalar)
      place = range.upperBound
      if escaped > 0 {
        escaped -= 1
      } else if isEscaped, scalar == "\\" {
        escaped = takeEscape(at: range.lowerBound)
      } else if let others = Self.others(of: scalar) {
        slots.append((range, others))
      }
    }
    start = slots.first?.place.lowerBound ?? 0
  }

  /// The characters that can replace each other; nil if the character stays.
  private static func others(of scalar: Unicode.Scalar) -> ClosedRange<UInt32>? {
    switch scalar {
    case "0"..."9": return 0x30...0x39
    case "a"..."z": return 0x61...0x7A
    case "A"..."Z": return 0x41...0x5A
    case _ where scalar.isASCII: return nil
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return [2: 0x100...0x24F, 3: 0x4E00...0x9FA5, 4: 0x20000...0x2A6D6][UTF8.width(scalar)]
    case .otherSymbol: return [3: 0x2600...0x26FF, 4: 0x1F300...0x1F3FA][UTF8.width(scalar)]
    default: return nil
    }
  }

  /// Keeps a number valid: a leading zero stays, another first digit does not become zero, and an exponent does not
  /// grow.
  private mutating func takeNumber() -> Bool {
    guard bytes.count <= 60, bytes.allSatisfy({ $0 < 0x80 }),
      String(decoding: bytes, as: UTF8.self).wholeMatch(
        of: /[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    else { return false }
    start = bytes.firstIndex { (0x30...0x39).contains($0) } ?? 0
    let exponent = bytes.firstIndex { $0 | 0x20 == 0x65 } ?? bytes.count
    for (place, digit) in bytes.enumerated() where (0x30...0x39).contains(digit) {
      let others: ClosedRange<UInt32> =
        place > exponent ? 0x30...UInt32(digit) : place > start ? 0x30...0x39 : 0x31...0x39
      if place != start || digit != 0x30 { slots.append((place..<place + 1, others)) }
    }
    return true
  }

  /// The number of characters in an escape after its backslash. Also adds slots for a letter that is written as a
  /// numeric escape.
  private mutating func takeEscape(at place: Int) -> Int {
    guard place + 5 < bytes.count, bytes[place + 1] == UInt8(ascii: "u"),
      let unit = UInt32(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
    else { return 1 }
    func take(_ offset: Int, _ others: ClosedRange<UInt32>) {
      slots.append((place + offset..<place + offset + 1, others))
    }
    switch unit {
    case 0xDC00...0xDFFF:
      // The second half of a character beyond 16 bits.
      take(4, 0x30...0x39)
      take(5, 0x30...0x39)
    case 0xD800..<0xDC00: break
    default:
      guard let scalar = Unicode.Scalar(unit), !scalar.isASCII || Self.others(of: scalar) != nil
      else { break }
      // U+0100 to U+0199 are letters.
      take(2, 0x30...0x30)
      take(3, 0x31...0x31)
      take(4, 0x30...0x39)
      take(5, 0x30...0x39)
    }
    return 5
  }

  /// The bytes of another string with the same slots; nil if none is found.
  ///
  /// - Parameter wrong: Finds bytes of a string that must change, at or after a place; nil if there are none.
  func made(
    _ random: inout RandomNumbers, wrong: ([UInt8], Int) -> Range<Int>?
  ) -> [UInt8]? {
    var made = bytes
    var open = 0..<bytes.count
    for turn in 0..<200 {
      for slot in slots where slot.place.overlaps(open) {
        // Hexadecimal digits come first, since a URL's escapes and digests consist of them.
        let isLetter = turn < 50 && (slot.others == 0x61...0x7A || slot.others == 0x41...0x5A)
        let count = isLetter ? 6 : UInt32(slot.others.count)
        let number = slot.others.lowerBound + UInt32(random.next() % UInt64(count))
        Self.write(number, slot.place, &made)
      }
      guard let range = wrong(made, max(0, open.lowerBound - 24)) ?? wrong(made, 0) else {
        return made
      }
      open = range
    }
    return nil
  }

  var first: [UInt8] {
    var first = bytes
    for slot in slots { Self.write(slot.others.lowerBound, slot.place, &first) }
    return first
  }

  /// The next string with the same slots. The first string follows the last.
  func next(_ text: [UInt8]) -> [UInt8] {
    var next = text
    for slot in slots.reversed() {
      let number = String(decoding: next[slot.place], as: UTF8.self).unicodeScalars.first?.value
      guard let number, number >= slot.others.upperBound else {
        Self.write((number ?? 0) + 1, slot.place, &next)
        break
      }
      Self.write(slot.others.lowerBound, slot.place, &next)
    }
    return next
  }

  private static func write(_ number: UInt32, _ place: Range<Int>, _ bytes: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(number) else { return }
    bytes.replaceSubrange(place, with: Array(String(scalar).utf8))
  }
}

/// The parts of a JSON object or array: its strings and numbers, and the text between them, which stays.
struct JSONParts {
  /// The keys of its objects, as they are written.
  private(set) var keys: Set<String> = []
  private var parts: [(text: String, isLeaf: Bool)] = []

  /// Nil for a string that is neither an object nor an array.
  init?(_ text: String) {
    guard let first = text.utf8.first(where: { $0 > 0x20 }), [0x7B, 0x5B].contains(first),
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    else { return nil }
    let bytes = Array(text.utf8)
    var start = 0
    var place = 0
    func take(_ end: Int, isLeaf: Bool) {
      parts.append((String(decoding: bytes[start..<end], as: UTF8.self), isLeaf))
      start = end
    }
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\"") {
        var end = place + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
          end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        // Foundation may read the string in another encoding.
        guard end < bytes.count else { return nil }
        take(place + 1, isLeaf: false)
        let isKey = bytes[(end + 1)...].first { $0 > 0x20 } == UInt8(ascii: ":")
        take(end, isLeaf: !isKey)
        if isKey, let key = parts.last?.text { keys.insert(key) }
        place = end + 1
      } else if Self.isNumber(bytes[place]) {
        take(place, isLeaf: false)
        place = bytes[place...].firstIndex { !Self.isNumber($0) } ?? bytes.count
        take(place, isLeaf: true)
      } else {
        // 'true', 'false' and 'null' are not numbers, though they contain an E.
        place =
          bytes[place...].dropFirst().firstIndex { !(0x61...0x7A).contains($0) } ?? bytes.count
      }
    }
    take(bytes.count, isLeaf: false)
  }

  private static func isNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
  }

  func masked(_ leaf: (String) -> String) -> String {
    parts.map { $0.isLeaf ? leaf($0.text) : $0.text }.joined()
  }
}
