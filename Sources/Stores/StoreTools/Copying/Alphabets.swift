internal import Foundation

/// Characters that may stand for each other: of one script and kind, as long in UTF-8 and UTF-16, and alike in whether
/// they can be decomposed. What stands for a letter in a word, so that the word still looks like one.
struct Alphabet: Sendable {
  /// Scalars in an order in which `a` has the place of `A`.
  let scalars: [Unicode.Scalar]
  /// None where they follow each other.
  private let places: [Unicode.Scalar: UInt32]

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    let first = scalars.first?.value ?? 0
    let isRow = scalars.enumerated().allSatisfy { $1.value == first + UInt32($0) }
    places =
      isRow
      ? [:]
      : Dictionary(
        scalars.enumerated().map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
  }

  var count: UInt32 { UInt32(scalars.count) }

  /// The place of one of its characters.
  func place(of scalar: Unicode.Scalar) -> UInt32 {
    places[scalar] ?? scalar.value &- (scalars.first?.value ?? 0)
  }

  /// The decimal digits, and those that a number begins with.
  static let digits = Alphabet(Array("0123456789".unicodeScalars))
  static let leadingDigits = Alphabet(Array("123456789".unicodeScalars))
  /// Those of a number of one digit: 0 and 1 stay.
  static let countingDigits = Alphabet(Array("23456789".unicodeScalars))
  static let smallHexadecimal = Alphabet(Array("abcdef".unicodeScalars))
  static let capitalHexadecimal = Alphabet(Array("ABCDEF".unicodeScalars))
}

/// Finds the alphabet of a character; made as characters are met.
final class Alphabets {
  private struct Key: Hashable {
    var region: UInt32
    var category: UInt8
    var length: UInt8
    var isDecomposable: Bool
    var isEmoji: Bool
    /// Hangul syllables without a last consonant, and emoji that take a skin tone.
    var isBase: Bool
    /// With what is before it and behind it it may be one character to a reader.
    var joins: Joins
    /// Whether there is the same letter in the other case.
    var isPaired: Bool
  }

  private enum Joins: UInt8 {
    case nothing, before, conjunct
  }

  private struct MarkKey: Hashable {
    var scalar: Unicode.Scalar
    var mark: Unicode.Scalar
  }

  private var alphabets: [Key: Alphabet] = [:]
  private var regions: Set<UInt32> = []
  private var found: [Unicode.Scalar: Alphabet] = [:]
  private var marked: [MarkKey: Alphabet] = [:]
  private let latin: [Alphabet?]

  /// Scripts that reach over several windows, and those that share one with another.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x0100...0x024F, 0x0370...0x03FF, 0x0400...0x04FF, 0x0530...0x058F, 0x0590...0x05FF,
    0x10A0...0x10FF, 0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2, 0x1E00...0x1EFF,
    0x1F00...0x1FFF, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DB5, 0x4E00...0x9FA5,
    0xAC00...0xD7A3, 0xE000...0xF8FF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F5FF, 0x1F900...0x1F9FF,
    0x20000...0x2A6D6,
  ]

  init() {
    func letters(_ range: ClosedRange<UInt8>) -> Alphabet {
      Alphabet(range.map { Unicode.Scalar($0) })
    }
    let (upper, lower) = (letters(0x41...0x5A), letters(0x61...0x7A))
    latin = (UInt8(0)..<128).map { byte in
      switch byte {
      case 0x30...0x39: .digits
      case 0x41...0x5A: upper
      case 0x61...0x7A: lower
      default: nil
      }
    }
  }

  /// What may stand for a character; nil for one that stays: white space, punctuation, marks.
  ///
  /// - Parameter next: What follows it: with a mark, a letter that can be composed stays one.
  func alphabet(of scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Alphabet? {
    guard let alphabet = alphabet(of: scalar) else { return nil }
    guard let next, next.value >= 0x300, alphabet.count < 4_000,
      next.properties.canonicalCombiningClass != .notReordered
    else { return alphabet }
    let key = MarkKey(scalar: scalar, mark: next)
    if let known = marked[key] { return known }
    let isComposed = Self.isComposed(scalar, next)
    let some = Alphabet(alphabet.scalars.filter { Self.isComposed($0, next) == isComposed })
    marked[key] = some
    return some
  }

  private func alphabet(of scalar: Unicode.Scalar) -> Alphabet? {
    if scalar.isASCII { return latin[Int(scalar.value)] }
    if let known = found[scalar] { return known }
    let range = Self.range(of: scalar)
    guard let key = Self.key(scalar, in: range) else { return nil }
    if regions.insert(key.region).inserted { readRegion(range) }
    let alphabet = alphabets[key]
    found[scalar] = alphabet
    return alphabet
  }

  private static func range(of scalar: Unicode.Scalar) -> ClosedRange<UInt32> {
    let value = scalar.value
    if let script = scripts.first(where: { $0.contains(value) }) { return script }
    return value & ~0x7F...value | 0x7F
  }

  private func readRegion(_ range: ClosedRange<UInt32>) {
    var members: [Key: [Unicode.Scalar]] = [:]
    // Scripts lie apart, and a window of what is none can have a piece of one.
    let isScript = Self.scripts.contains(range)
    for value in range {
      guard let member = Unicode.Scalar(value), !member.isASCII,
        isScript || Self.range(of: member) == range, let key = Self.key(member, in: range)
      else { continue }
      members[key, default: []].append(member)
    }
    for (key, scalars) in members {
      alphabets[key] = Alphabet(
        key.category == Category.lower.rawValue
          ? scalars.sorted { Self.capital($0) < Self.capital($1) } : scalars)
    }
  }

  /// Capitals and small letters are in the same order, so that words that differ in case alone still do.
  private static func capital(_ scalar: Unicode.Scalar) -> (UInt32, UInt32) {
    let mapped = scalar.properties.uppercaseMapping.unicodeScalars
    return (mapped.count == 1 ? mapped.first?.value ?? 0 : scalar.value, scalar.value)
  }

  private enum Category: UInt8 {
    case upper, lower, title, other, modifier, digit, number, emoji, open
  }

  private static func category(_ scalar: Unicode.Scalar) -> Category? {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter: .upper
    case .lowercaseLetter: .lower
    case .titlecaseLetter: .title
    case .otherLetter: .other
    case .modifierLetter: .modifier
    case .decimalNumber: .digit
    case .letterNumber, .otherNumber: .number
    case .otherSymbol:
      scalar.value >= 0x1F000 || scalar.properties.isEmojiPresentation ? .emoji : nil
    // Private ones and those that no table knows yet; not the last two of a plane, which are no characters.
    case .privateUse, .unassigned: scalar.value & 0xFFFE == 0xFFFE ? nil : .open
    default: nil
    }
  }

  private static func key(_ scalar: Unicode.Scalar, in range: ClosedRange<UInt32>) -> Key? {
    guard let category = category(scalar) else { return nil }
    let isHangul = (0xAC00...0xD7A3).contains(scalar.value)
    let isHan = scalar.properties.isIdeographic
    return Key(
      region: range.lowerBound, category: category.rawValue,
      length: UInt8(UTF8.width(scalar)),
      isDecomposable: isHangul || !isHan && isDecomposable(scalar)
        || isHan && (0xF900...0xFAFF).contains(scalar.value) && isDecomposable(scalar),
      isEmoji: scalar.properties.isEmojiPresentation,
      isBase: isHangul
        ? (scalar.value - 0xAC00).isMultiple(of: 28) : scalar.properties.isEmojiModifierBase,
      joins: category == .other && !isHan && !isHangul ? joins(scalar) : .nothing,
      isPaired: isPaired(scalar, category, in: range))
  }

  private static func isPaired(
    _ scalar: Unicode.Scalar, _ category: Category, in range: ClosedRange<UInt32>
  ) -> Bool {
    func only(_ text: String) -> Unicode.Scalar? {
      text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
    let properties = scalar.properties
    let other: Unicode.Scalar?
    switch category {
    case .upper: other = only(properties.lowercaseMapping)
    case .lower: other = only(properties.uppercaseMapping)
    default: return false
    }
    guard let other, other != scalar, !other.isASCII else { return false }
    let back =
      category == .upper ? other.properties.uppercaseMapping : other.properties.lowercaseMapping
    return only(back) == scalar && range.contains(other.value)
      && Self.range(of: other) == range
      && UTF8.width(other) == UTF8.width(scalar)
      && isDecomposable(other) == isDecomposable(scalar)
  }

  /// Whether a letter is part of the character before it, as some vowels of Thai are, or joins one like it by a virama, as
  /// consonants of Indic scripts do.
  private static func joins(_ scalar: Unicode.Scalar) -> Joins {
    func count(_ scalars: Unicode.Scalar...) -> Int {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text).count
    }
    if count("a", scalar) == 1 { return .before }
    guard (0x900..<0xD80).contains(scalar.value),
      let virama = Unicode.Scalar(scalar.value & ~0x7F | 0x4D)
    else { return .nothing }
    return count(scalar, virama, scalar) == 1 ? .conjunct : .nothing
  }

  private static func isDecomposable(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(scalar)
    return !text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(
      text.unicodeScalars)
  }

  private static func isComposed(_ scalar: Unicode.Scalar, _ mark: Unicode.Scalar) -> Bool {
    var text = String(scalar)
    text.unicodeScalars.append(mark)
    return text.precomposedStringWithCanonicalMapping.unicodeScalars.count == 1
  }
}
