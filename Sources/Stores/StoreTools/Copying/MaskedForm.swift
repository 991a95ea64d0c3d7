internal import Foundation

/// A value as digits, each of a base of its own, and what makes a value of digits again. Whatever the digits are, the
/// value has the same form; those that would not are none.
struct MaskedForm<Value> {
  var digits: [UInt32]
  var bases: [UInt32]
  /// Nil for digits that give a value of another form.
  var value: ([UInt32]) -> Value?

  /// How many values there are of the form, as a power of two.
  var bits: Double { bases.reduce(0) { $0 + log2(Double($1)) } }
}

extension MaskedForm where Value == Int64 {
  /// A number of a range, which has at least one.
  init(_ number: Int64, in range: ClosedRange<Int64>, accepting: @escaping (Int64) -> Bool) {
    let size = UInt64(bitPattern: range.upperBound &- range.lowerBound) + 1
    let base = UInt64(Double(size).squareRoot().rounded(.up)) + 1
    let offset = UInt64(bitPattern: number &- range.lowerBound)
    digits = [UInt32(offset / base), UInt32(offset % base)]
    bases = [UInt32(clamping: (size - 1) / base + 1), UInt32(clamping: base)]
    value = { digits in
      let offset = UInt64(digits[0]) * base + UInt64(digits[1])
      guard offset < size else { return nil }
      let number = range.lowerBound &+ Int64(bitPattern: offset)
      return accepting(number) ? number : nil
    }
  }
}

// MARK: - Numbers

/// The whole numbers that one may become.
enum NumberRange {
  /// Numbers that stay: what code compares with, and the ends of the types.
  static func isKept(_ number: Int64) -> Bool {
    (-1...1).contains(number) || ends.contains(number)
  }

  private static let ends: Set<Int64> = [
    Int64(Int16.max), Int64(Int16.min), Int64(Int32.max), Int64(Int32.min), .max, .min,
  ]

  /// Of the same sign that fit the same types.
  static func of(_ number: Int64) -> ClosedRange<Int64> {
    number > 0
      ? positive.first { $0.contains(number) } ?? number...number
      : negative.first { $0.contains(number) } ?? number...number
  }

  private static let positive: [ClosedRange<Int64>] = [
    2...127, 128...255, 256...32_766, 32_768...65_535, 65_536...2_147_483_646,
    2_147_483_648...4_294_967_295, 4_294_967_296...(1 << 53), (1 << 53) + 1...(Int64.max - 1),
  ]

  private static let negative: [ClosedRange<Int64>] = [
    -128...(-2), -32_767...(-129), -2_147_483_647...(-32_769), -(1 << 53)...(-2_147_483_649),
    (Int64.min + 1)...(-(1 << 53) - 1),
  ]

  /// Whether a number with a point holds a whole one exactly: Float as far as many do, and Double.
  static func isExact(_ number: Int64) -> Bool {
    number.magnitude <= 1 << 32
      ? Float(exactly: number) != nil : Double(exactly: number) != nil
  }

  /// Which types the whole part of a number fits.
  static func fits(_ number: Double) -> [Bool] {
    let whole = number.rounded(.towardZero)
    return [
      Int16(exactly: whole) != nil, Int32(exactly: whole) != nil, Int64(exactly: whole) != nil,
    ]
  }

  /// The century that a date is in, as seconds since 2001; nil where no calendar has it.
  static func century(of seconds: Double) -> ClosedRange<Int64>? {
    guard seconds.isFinite, abs(seconds) < 250_000_000_000 else { return nil }
    let day = Int64((seconds / 86_400).rounded(.down)) + CivilDay.reference
    let year = CivilDay.year(of: day)
    guard (1...9999).contains(year) else { return nil }
    let first = year / 100 * 100
    func second(_ year: Int64) -> Int64 {
      (CivilDay.number(year, 1, 1) - CivilDay.reference) * 86_400
    }
    return second(first)...second(first + 100) - 1
  }
}

/// Days of the Gregorian calendar, counted.
enum CivilDay {
  /// 1 January 2001.
  static let reference = number(2001, 1, 1)

  static func number(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  }

  static func date(of number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let era = (number >= 0 ? number : number - 146_096) / 146_097
    let dayOfEra = number - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  static func year(of number: Int64) -> Int64 { date(of: number).year }
}

/// What kind of number with a point it is: the same kind has as much of it.
enum RealKind: Equatable {
  /// Nothing of it is changed.
  case kept
  /// Without a fraction, and small enough for every whole number.
  case whole
  /// So many digits, so many of them after the point.
  case decimal(digits: Int, places: Int)
  case float(exponent: Int)
  case double(exponent: Int)

  init(_ number: Double) {
    let magnitude = abs(number)
    if !number.isFinite || number == 0 || magnitude == 1 || magnitude == .greatestFiniteMagnitude
      || magnitude == .leastNonzeroMagnitude || magnitude == .leastNormalMagnitude
    {
      self = .kept
    } else if magnitude < 0x1p53, number.rounded(.towardZero) == number {
      self = .whole
    } else if let (scaled, places) = Self.scaled(magnitude) {
      self = .decimal(digits: String(scaled).count, places: places)
    } else if Double(Float(magnitude)) == magnitude, Float(magnitude).isNormal {
      self = .float(exponent: Int(magnitude.exponent))
    } else {
      self = .double(exponent: magnitude.isNormal ? Int(magnitude.exponent) : -1023)
    }
  }

  /// The digits of a number with up to six places, and how many these are.
  static func scaled(_ magnitude: Double) -> (Int64, Int)? {
    var power = 1.0
    for places in 1...6 {
      power *= 10
      let scaled = (magnitude * power).rounded()
      guard scaled < 1e15 else { return nil }
      if scaled / power == magnitude { return (Int64(scaled), places) }
    }
    return nil
  }
}

// MARK: - Bytes

extension MaskedForm where Value == [UInt8] {
  /// Bytes that say nothing.
  init(bytes: [UInt8], accepting: @escaping ([UInt8]) -> Bool) {
    // Three at once: a photo has millions.
    let triples = bytes.count / 3
    digits = (0..<triples).map {
      UInt32(bytes[$0 * 3]) << 16 | UInt32(bytes[$0 * 3 + 1]) << 8 | UInt32(bytes[$0 * 3 + 2])
    }
    digits += bytes[(triples * 3)...].map { UInt32($0) }
    bases = digits.indices.map { $0 < triples ? 1 << 24 : 256 }
    value = { digits in
      var made: [UInt8] = []
      made.reserveCapacity(digits.count * 3)
      for digit in digits.prefix(triples) {
        made += [UInt8(digit >> 16), UInt8(digit >> 8 & 0xFF), UInt8(digit & 0xFF)]
      }
      made += digits.dropFirst(triples).map { UInt8($0) }
      return accepting(made) ? made : nil
    }
  }

  /// A text that is not UTF-8: ASCII stays what it is, and others stay others.
  init(brokenText bytes: [UInt8]) {
    var places: [(place: Int, first: UInt8)] = []
    var digits: [UInt32] = []
    var bases: [UInt32] = []
    for (place, byte) in bytes.enumerated() {
      let range: ClosedRange<UInt8>
      switch byte {
      case 0x30...0x39: range = 0x30...0x39
      case 0x41...0x5A: range = 0x41...0x5A
      case 0x61...0x7A: range = 0x61...0x7A
      case 0x80...: range = 0x80...0xFF
      default: continue
      }
      places.append((place, range.lowerBound))
      digits.append(UInt32(byte - range.lowerBound))
      bases.append(UInt32(range.count))
    }
    self.digits = digits
    self.bases = bases
    value = { digits in
      var made = bytes
      for (digit, place) in zip(digits, places) { made[place.place] = place.first + UInt8(digit) }
      return String(wholeUTF8: made) == nil ? made : nil
    }
  }

  /// The sixteen bytes of a UUID: its version and its variant stay.
  init(uuid bytes: [UInt8]) {
    let nibbles = bytes.flatMap { [$0 >> 4, $0 & 15] }
    let variant: ClosedRange<UInt8> =
      switch nibbles[16] {
      case ..<8: 0...7
      case ..<12: 8...11
      default: 12...15
      }
    let places = nibbles.indices.filter { $0 != 12 }
    digits = places.map { UInt32($0 == 16 ? nibbles[$0] - variant.lowerBound : nibbles[$0]) }
    bases = places.map { $0 == 16 ? UInt32(variant.count) : 16 }
    value = { digits in
      var made = nibbles
      for (digit, place) in zip(digits, places) {
        made[place] = UInt8(digit) + (place == 16 ? variant.lowerBound : 0)
      }
      return (0..<16).map { made[2 * $0] << 4 | made[2 * $0 + 1] }
    }
  }
}
