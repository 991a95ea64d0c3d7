internal import Foundation

/// What a text is for whoever reads it by code; what it becomes is the same.
enum TextForm: Equatable {
  case plain
  /// Digits, with a sign, a point or an exponent; whether it fits Int32 and Int64.
  case number(fits32: Bool, fits64: Bool)
  /// Whether its letters are small.
  case uuid(isSmall: Bool)
  /// ISO 8601.
  case date
  /// Up to where its scheme is, and whether Foundation takes it for a URL.
  case url(prefix: Int, isValid: Bool)
  /// An object or an array.
  case json

  init(_ scalars: [Unicode.Scalar]) {
    if let uuid = Self.uuid(scalars) {
      self = uuid
    } else if let number = Self.number(scalars) {
      self = number
    } else if ISODate(scalars) != nil {
      self = .date
    } else if let prefix = Self.prefix(scalars) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      self = .url(prefix: prefix, isValid: URL(string: String(text)) != nil)
    } else if Self.isJSON(scalars) {
      self = .json
    } else {
      self = .plain
    }
  }

  private static func uuid(_ scalars: [Unicode.Scalar]) -> TextForm? {
    guard scalars.count == 36 else { return nil }
    var (capitals, small) = (false, false)
    for (place, scalar) in scalars.enumerated() {
      switch (scalar, [8, 13, 18, 23].contains(place)) {
      case ("-", true), ("0"..."9", false): break
      case ("A"..."F", false): capitals = true
      case ("a"..."f", false): small = true
      default: return nil
      }
    }
    return capitals && small ? nil : .uuid(isSmall: small)
  }

  private static func number(_ scalars: [Unicode.Scalar]) -> TextForm? {
    guard scalars.count <= 60, NumberText(scalars) != nil else { return nil }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return .number(fits32: Int32(String(text)) != nil, fits64: Int64(String(text)) != nil)
  }

  private static let schemes = ["mailto:", "tel:", "sms:", "urn:", "data:"].map {
    Array($0.unicodeScalars)
  }

  private static func prefix(_ scalars: [Unicode.Scalar]) -> Int? {
    guard let first = scalars.first, first.isASCII, first.properties.isAlphabetic else {
      return nil
    }
    let scheme = scalars.prefix(32).prefix { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
      default: false
      }
    }
    let rest = scalars.dropFirst(scheme.count)
    guard !scalars.contains(where: { $0.properties.isWhitespace }) else { return nil }
    if rest.starts(with: "://".unicodeScalars) { return scheme.count + 3 }
    return schemes.first { scalars.starts(with: $0) }?.count
  }

  private static func isJSON(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let first = scalars.first(where: { ![" ", "\n", "\r", "\t"].contains($0) }),
      first == "{" || first == "["
    else { return false }
    return JSONLeaves(scalars) != nil
  }
}

/// The parts of a number that is written in digits.
struct NumberText {
  /// Where its digits stand: before the point, behind it, and in an exponent.
  var whole: Range<Int>
  var fraction: Range<Int>
  var exponent: Range<Int>

  init?(_ scalars: [Unicode.Scalar]) {
    var place = 0
    func digits() -> Range<Int> {
      let start = place
      while place < scalars.count, ("0"..."9").contains(scalars[place]) { place += 1 }
      return start..<place
    }
    if let sign = scalars.first, sign == "-" || sign == "+" { place = 1 }
    whole = digits()
    fraction = place..<place
    exponent = place..<place
    if place < scalars.count, scalars[place] == "." {
      place += 1
      fraction = digits()
      guard !fraction.isEmpty else { return nil }
    }
    guard !whole.isEmpty else { return nil }
    if place < scalars.count, scalars[place] == "e" || scalars[place] == "E" {
      place += 1
      if place < scalars.count, scalars[place] == "-" || scalars[place] == "+" { place += 1 }
      exponent = digits()
      guard !exponent.isEmpty else { return nil }
    }
    guard place == scalars.count else { return nil }
  }
}

/// A date of ISO 8601, `2024-05-01` or `2024-05-01T10:00:00.5Z`; the offset stays.
struct ISODate {
  private let scalars: [Unicode.Scalar]
  private let day: Int64
  private let century: ClosedRange<Int64>
  /// Where two digits of a time stand, with how many values they may have.
  private var times: [(place: Int, base: UInt32)] = []
  private var fraction: Range<Int> = 0..<0

  init?(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    func number(_ place: Int, _ count: Int) -> Int64? {
      guard place + count <= scalars.count else { return nil }
      var value: Int64 = 0
      for scalar in scalars[place..<place + count] {
        guard ("0"..."9").contains(scalar) else { return nil }
        value = value * 10 + Int64(scalar.value - 0x30)
      }
      return value
    }
    func isAt(_ place: Int, _ scalar: Unicode.Scalar) -> Bool {
      place < scalars.count && scalars[place] == scalar
    }
    guard scalars.count >= 10, scalars.count <= 40, let year = number(0, 4), isAt(4, "-"),
      let month = number(5, 2), isAt(7, "-"), let day = number(8, 2), year > 0,
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    self.day = CivilDay.number(year, month, day)
    guard CivilDay.date(of: self.day) == (year, month, day) else { return nil }
    let first = max(1, year / 100 * 100)
    century =
      CivilDay.number(first, 1, 1)...CivilDay.number(year / 100 * 100 + 100, 1, 1) - 1
    guard scalars.count > 10 else { return }
    guard isAt(10, "T") || isAt(10, " "), let hour = number(11, 2), hour < 24, isAt(13, ":"),
      let minute = number(14, 2), minute < 60
    else { return nil }
    times = [(11, 24), (14, 60)]
    var place = 16
    if isAt(16, ":") {
      guard let second = number(17, 2), second < 60 else { return nil }
      times.append((17, 60))
      place = 19
      if isAt(19, ".") {
        place = 20
        while number(place, 1) != nil { place += 1 }
        fraction = 20..<place
        guard !fraction.isEmpty else { return nil }
      }
    }
    let zone = scalars[place...]
    switch zone.first {
    case nil: break
    case "Z" where zone.count == 1: break
    case "+", "-":
      guard number(place + 1, 2) != nil,
        zone.count == 3 || zone.count == 5 && number(place + 3, 2) != nil
          || zone.count == 6 && isAt(place + 3, ":") && number(place + 4, 2) != nil
      else { return nil }
    default: return nil
    }
  }

  var form: MaskedForm<[Unicode.Scalar]> {
    var digits = [UInt32(day - century.lowerBound)]
    var bases = [UInt32(century.count)]
    func number(_ place: Int) -> UInt32 {
      (scalars[place].value - 0x30) * 10 + scalars[place + 1].value - 0x30
    }
    for (place, base) in times {
      digits.append(number(place))
      bases.append(base)
    }
    for place in fraction {
      digits.append(scalars[place].value - 0x30)
      bases.append(10)
    }
    return MaskedForm(digits: digits, bases: bases) { digits in
      var made = scalars
      func write(_ number: Int64, _ place: Int, _ count: Int) {
        var rest = number
        for place in (place..<place + count).reversed() {
          made[place] = Unicode.Scalar(UInt8(0x30 + rest % 10))
          rest /= 10
        }
      }
      let date = CivilDay.date(of: century.lowerBound + Int64(digits[0]))
      write(date.year, 0, 4)
      write(date.month, 5, 2)
      write(date.day, 8, 2)
      for (index, time) in times.enumerated() { write(Int64(digits[index + 1]), time.place, 2) }
      for (index, place) in fraction.enumerated() {
        write(Int64(digits[times.count + 1 + index]), place, 1)
      }
      return made
    }
  }
}

extension MaskedForm where Value == [Unicode.Scalar] {
  /// The characters of a text that may change, each within its alphabet.
  ///
  /// - Parameter accepting: Whether a text of the same characters is of the same form.
  init(
    _ scalars: [Unicode.Scalar], _ form: TextForm, _ alphabets: Alphabets,
    accepting: @escaping ([Unicode.Scalar]) -> Bool
  ) {
    var slots: [(place: Int, alphabet: Alphabet)] = []
    // What fits a Double goes on to fit one.
    var isFinite = false
    switch form {
    case .number:
      if let number = NumberText(scalars) {
        slots = Self.slots(of: number, scalars)
        isFinite = !number.exponent.isEmpty && Self.isFinite(scalars)
      }
    case .url(let prefix, _): slots = Self.slots(ofURL: scalars, from: prefix, alphabets)
    case .plain, .uuid, .date, .json:
      for (place, scalar) in scalars.enumerated() {
        let next = place + 1 < scalars.count ? scalars[place + 1] : nil
        guard let alphabet = alphabets.alphabet(of: scalar, before: next) else { continue }
        slots.append((place, alphabet))
      }
    }
    digits = slots.map { $0.alphabet.place(of: scalars[$0.place]) }
    bases = slots.map(\.alphabet.count)
    value = { digits in
      var made = scalars
      for (digit, slot) in zip(digits, slots) {
        made[slot.place] = slot.alphabet.scalars[Int(digit)]
      }
      // An address and an escape are none of what other letters become, or two texts would become one.
      if case .url(let prefix, _) = form {
        let places = Self.slots(ofURL: made, from: prefix, alphabets).map(\.place)
        guard places == slots.map(\.place),
          (Self.address(made[prefix...]) == nil) == (Self.address(scalars[prefix...]) == nil)
        else { return nil }
      }
      return accepting(made) && (!isFinite || Self.isFinite(made)) ? made : nil
    }
  }

  private static func isFinite(_ scalars: [Unicode.Scalar]) -> Bool {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Double(String(text))?.isFinite == true
  }

  /// A zero stays at the beginning and at the end, and what is none becomes none: as many digits count.
  private static func slots(
    of number: NumberText, _ scalars: [Unicode.Scalar]
  ) -> [(place: Int, alphabet: Alphabet)] {
    var slots: [(place: Int, alphabet: Alphabet)] = []
    let isWhole = number.fraction.isEmpty
    if isWhole, number.exponent.isEmpty, number.whole.count == 1,
      ["0", "1"].contains(scalars[number.whole.lowerBound])
    {
      return []
    }
    // Without a point it may as well be a colour or an order's number.
    if isWhole { for place in number.exponent { slots.append((place, .digits)) } }
    for place in Array(number.whole) + Array(number.fraction) {
      let isEdge =
        isWhole
        ? place == number.whole.lowerBound
        : place == number.whole.lowerBound || place == number.fraction.upperBound - 1
      guard isEdge else {
        slots.append((place, .digits))
        continue
      }
      guard scalars[place] != "0" else { continue }
      slots.append((place, isWhole && number.whole.count == 1 ? .countingDigits : .leadingDigits))
    }
    return slots
  }

  /// Letters and digits of a URL, but for its port, the escapes and what is behind `%`.
  private static func slots(
    ofURL scalars: [Unicode.Scalar], from prefix: Int, _ alphabets: Alphabets
  ) -> [(place: Int, alphabet: Alphabet)] {
    var slots: [(place: Int, alphabet: Alphabet)] = []
    let host = scalars[prefix...].prefix { !["/", "?", "#"].contains($0) }
    let port = host.lastIndex(of: ":").flatMap { colon in
      let digits = host[(colon + 1)...]
      return digits.count <= 5 && digits.allSatisfy { ("0"..."9").contains($0) }
        ? colon..<host.endIndex : nil
    }
    let bracket = Self.address(host)
    var place = prefix
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == "%", Self.isEscape(scalars[place...]) {
        place += 3
        continue
      }
      defer { place += 1 }
      if port?.contains(place) == true { continue }
      if bracket?.contains(place) == true {
        // The address of a host, of hexadecimal digits.
        switch scalar {
        case "0"..."9": slots.append((place, .digits))
        case "a"..."f": slots.append((place, .smallHexadecimal))
        case "A"..."F": slots.append((place, .capitalHexadecimal))
        default: break
        }
        continue
      }
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      if let alphabet = alphabets.alphabet(of: scalar, before: next) {
        slots.append((place, alphabet))
      }
    }
    return slots
  }

  /// Where a host is an address of hexadecimal digits in brackets; nil for any other text behind a bracket.
  private static func address(_ text: ArraySlice<Unicode.Scalar>) -> Range<Int>? {
    let host = text.prefix { !["/", "?", "#"].contains($0) }
    guard host.first == "[", let end = host.firstIndex(of: "]") else { return nil }
    let inside = host[(host.startIndex + 1)..<end]
    return inside.allSatisfy { isHexadecimal($0) || $0 == ":" || $0 == "." }
      ? host.startIndex..<end : nil
  }

  private static func isEscape(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    scalars.count >= 3 && scalars.dropFirst().prefix(2).allSatisfy(isHexadecimal)
  }

  private static func isHexadecimal(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || ("a"..."f").contains(scalar) || ("A"..."F").contains(scalar)
  }
}

// MARK: - JSON

/// The leaves of a JSON object or array: its strings and numbers. Names of members are none.
struct JSONLeaves {
  enum Leaf {
    case string
    case number
  }

  /// Where the leaves stand, strings without their quotes.
  private(set) var leaves: [(range: Range<Int>, leaf: Leaf)] = []

  private static let depth = 256

  /// Nil for what is not an object or an array of JSON.
  init?(_ scalars: [Unicode.Scalar]) {
    var reader = Reader(scalars: scalars)
    guard reader.readDocument() else { return nil }
    leaves = reader.leaves
  }

  /// One character of a string: what it says, and how it is written.
  struct Character {
    enum Writing {
      case plain
      /// `\n`, `\"` and the like.
      case short(Unicode.Scalar)
      /// `\u00e9`, in capitals or not.
      case code(hasCapitals: Bool)
    }

    var scalar: Unicode.Scalar
    var writing: Writing
  }

  /// The characters of a string; nil where it has half of a surrogate pair, which no text has.
  static func characters(_ scalars: ArraySlice<Unicode.Scalar>) -> [Character]? {
    var found: [Character] = []
    var place = scalars.startIndex
    func code(_ place: Int) -> (UInt32, Bool)? {
      guard place + 6 <= scalars.endIndex, scalars[place] == "\\", scalars[place + 1] == "u" else {
        return nil
      }
      let digits = scalars[(place + 2)..<(place + 6)]
      var text = String.UnicodeScalarView()
      text.append(contentsOf: digits)
      guard let value = UInt32(String(text), radix: 16) else { return nil }
      return (value, digits.contains { ("A"..."F").contains($0) })
    }
    while place < scalars.endIndex {
      guard scalars[place] == "\\" else {
        found.append(Character(scalar: scalars[place], writing: .plain))
        place += 1
        continue
      }
      guard scalars[place + 1] == "u" else {
        let said: Unicode.Scalar =
          switch scalars[place + 1] {
          case "n": "\n"
          case "r": "\r"
          case "t": "\t"
          case "b": "\u{8}"
          case "f": "\u{C}"
          default: scalars[place + 1]
          }
        found.append(Character(scalar: said, writing: .short(scalars[place + 1])))
        place += 2
        continue
      }
      guard let (first, hasCapitals) = code(place) else { return nil }
      place += 6
      if let scalar = Unicode.Scalar(first) {
        found.append(Character(scalar: scalar, writing: .code(hasCapitals: hasCapitals)))
      } else if (0xD800..<0xDC00).contains(first), let (second, _) = code(place),
        (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
      {
        found.append(Character(scalar: scalar, writing: .code(hasCapitals: hasCapitals)))
        place += 6
      } else {
        return nil
      }
    }
    return found
  }

  /// A string again, of the same writing.
  static func text(_ characters: [Character]) -> [Unicode.Scalar] {
    characters.flatMap { character -> [Unicode.Scalar] in
      switch character.writing {
      case .plain: return [character.scalar]
      case .short(let letter): return ["\\", letter]
      case .code(let hasCapitals):
        return String(character.scalar).utf16.flatMap { unit in
          let digits = String(unit, radix: 16, uppercase: hasCapitals)
          let zeros = String(repeating: "0", count: 4 - digits.count)
          return Array(("\\u" + zeros + digits).unicodeScalars)
        }
      }
    }
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var place = 0
    var leaves: [(range: Range<Int>, leaf: Leaf)] = []

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    mutating func skipSpace() {
      while let next, [" ", "\n", "\r", "\t"].contains(next) { place += 1 }
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      place += 1
      return true
    }

    mutating func readDocument() -> Bool {
      skipSpace()
      guard next == "{" || next == "[", readValue(0) else { return false }
      skipSpace()
      return place == scalars.count
    }

    mutating func readValue(_ depth: Int) -> Bool {
      guard depth < JSONLeaves.depth else { return false }
      skipSpace()
      switch next {
      case "{"?: return readMembers(depth, "}", hasNames: true)
      case "["?: return readMembers(depth, "]", hasNames: false)
      case "\""?:
        guard let range = readString() else { return false }
        leaves.append((range, .string))
        return true
      case "t"?: return read("true")
      case "f"?: return read("false")
      case "n"?: return read("null")
      default: return readNumber()
      }
    }

    mutating func readMembers(
      _ depth: Int, _ end: Unicode.Scalar, hasNames: Bool
    ) -> Bool {
      place += 1
      skipSpace()
      if take(end) { return true }
      while true {
        skipSpace()
        if hasNames {
          guard readString() != nil else { return false }
          skipSpace()
          guard take(":") else { return false }
        }
        guard readValue(depth + 1) else { return false }
        skipSpace()
        if take(end) { return true }
        guard take(",") else { return false }
      }
    }

    mutating func read(_ word: String) -> Bool {
      for scalar in word.unicodeScalars where !take(scalar) { return false }
      return true
    }

    mutating func readString() -> Range<Int>? {
      guard take("\"") else { return nil }
      let start = place
      while let scalar = next {
        switch scalar {
        case "\"":
          place += 1
          return start..<place - 1
        case "\\":
          guard place + 1 < scalars.count else { return nil }
          switch scalars[place + 1] {
          case "\"", "\\", "/", "b", "f", "n", "r", "t": place += 2
          case "u":
            guard place + 6 <= scalars.count,
              scalars[(place + 2)..<(place + 6)].allSatisfy({ scalar in
                scalar.isASCII && scalar.properties.isASCIIHexDigit
              })
            else { return nil }
            place += 6
          default: return nil
          }
        case "\u{0}"..."\u{1F}": return nil
        default: place += 1
        }
      }
      return nil
    }

    mutating func readNumber() -> Bool {
      let start = place
      while let next, ("0"..."9").contains(next) || ["-", "+", ".", "e", "E"].contains(next) {
        place += 1
      }
      let text = Array(scalars[start..<place])
      guard let number = NumberText(text), text.first != "+",
        number.whole.count == 1 || text[number.whole.lowerBound] != "0"
      else { return false }
      leaves.append((start..<place, .number))
      return true
    }
  }
}
