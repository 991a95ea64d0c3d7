internal import Foundation
package import ManagedModels
internal import SchemaModel

/// How values are changed.
package struct Anonymisation: Sendable {
  /// Values that stay wherever they are: raw values of enums, on which verdicts rest.
  package var keptValues: Set<StoredValue>
  /// `Trip.startDate`: attributes whose numbers or dates stay in their order.
  package var ordered: [String]

  package init(keptValues: Set<StoredValue> = [], ordered: [String] = []) {
    self.keptValues = keptValues
    self.ordered = ordered
  }
}

/// Changes values so that none is left, and each is still what it was to code: of the same form and length. Equal ones
/// stay equal, and different ones different.
final class ValueMask {
  let originals = OriginalValues()
  private let permutation: KeyedPermutation
  private let options: Anonymisation
  private let alphabets = Alphabets()
  /// What became of originals that another value had: by what they were, by the permutation that was taken.
  private var moved: [StoredValue: UInt64] = [:]
  /// What they are now.
  private var taken: Set<StoredValue> = []
  /// Whether originals are gathered, and nothing is changed.
  private var isLearning = true
  /// Of attributes whose order stays: what became of each number, by table and column.
  private var orders: [String: [Double: Double]] = [:]
  private var texts: [String: String] = [:]
  /// Whether a value could not be changed: so few others are of its form that none was found.
  private(set) var isStuck = false
  /// How many values were changed.
  private(set) var changes = 0

  /// How many permutations are tried so that a value becomes none that the store has.
  private static let tries: UInt64 = 40
  private static let remembered = 20_000

  init(_ key: AnonymisationKey, _ options: Anonymisation) {
    permutation = KeyedPermutation(key)
    self.options = options
  }

  /// Whether some values stay.
  var keepsValues: Bool { !options.keptValues.isEmpty }

  /// Attributes whose order stays.
  var ordered: [String] { options.ordered }

  // MARK: Learning

  /// Gathers a value, so that nothing becomes it.
  func learn(_ value: StoredValue, _ type: AttributeType? = nil) {
    isLearning = true
    _ = masked(value, type)
  }

  func learn(brokenText bytes: [UInt8]) {
    isLearning = true
    _ = masked(brokenText: bytes)
  }

  /// From here on values are changed.
  func endLearning() {
    isLearning = false
    texts = [:]
  }

  // MARK: Values

  func masked(_ value: StoredValue, _ type: AttributeType? = nil) -> StoredValue {
    guard !options.keptValues.contains(value) else { return value }
    let made: StoredValue
    switch value {
    case .null: return .null
    case .text(let text): made = .text(masked(text))
    case .blob(let data): made = .blob(Data(masked(Array(data))))
    case .integer(let number):
      switch type {
      case .boolean where number == 0 || number == 1: return value
      case .date: made = .real(masked(date: Double(number)))
      case .double, .float: made = .real(masked(Double(number)))
      default: made = .integer(masked(number))
      }
    case .real(let number): made = .real(type == .date ? masked(date: number) : masked(number))
    }
    if !isLearning, !Self.areEqual(made, value) { changes += 1 }
    return made
  }

  /// A whole number of a floating type is the same in either form.
  private static func areEqual(_ one: StoredValue, _ other: StoredValue) -> Bool {
    if case .real(let number) = one, case .integer(let whole) = other {
      return number == Double(whole)
    }
    return one == other
  }

  /// A permutation's value, and another one's where the store has that already.
  ///
  /// No two values become one: what every value would become by the first permutation is left to it.
  private func masked<Value>(
    _ value: Value, _ form: MaskedForm<Value>, _ stored: (Value) -> StoredValue,
    learn: (OriginalValues) -> Void, isKnown: (OriginalValues, Value) -> Bool,
    again: (Value) -> MaskedForm<Value>
  ) -> Value {
    guard form.bases.contains(where: { $0 > 1 }) else { return value }
    if isLearning {
      learn(originals)
      return value
    }
    let original = stored(value)
    if let tweak = moved[original], let other = walk(form, tweak, isInverse: false) {
      return other
    }
    guard let first = walk(form, 0, isInverse: false) else {
      isStuck = true
      return value
    }
    guard isKnown(originals, first) else { return first }
    for tweak in 1..<Self.tries {
      guard let other = walk(form, tweak, isInverse: false), !isKnown(originals, other),
        let source = walk(again(other), 0, isInverse: true), !isKnown(originals, source),
        taken.insert(stored(other)).inserted
      else { continue }
      moved[original] = tweak
      return other
    }
    // Nearly all values of its form are there already.
    moved[original] = 0
    return first
  }

  /// Permutes digits until they give a value of the same form.
  private func walk<Value>(
    _ form: MaskedForm<Value>, _ tweak: UInt64, isInverse: Bool
  ) -> Value? {
    var digits = form.digits
    for _ in 0..<100_000 {
      if isInverse {
        permutation.restore(&digits, bases: form.bases, tweak: tweak)
      } else {
        permutation.permute(&digits, bases: form.bases, tweak: tweak)
      }
      if let value = form.value(digits) { return value }
    }
    return nil
  }

  // MARK: Texts

  func masked(_ text: String) -> String {
    guard !options.keptValues.contains(.text(text)), text != "true", text != "false" else {
      return text
    }
    if !isLearning, let known = texts[text] { return known }
    let scalars = Array(text.unicodeScalars)
    let made = Self.text(masked(scalars, TextForm(scalars)))
    if !isLearning, text.utf8.count < 200 {
      if texts.count >= Self.remembered { texts = [:] }
      texts[text] = made
    }
    return made
  }

  /// Whether a JSON object has a key that is no property's name; keys stay.
  private(set) var hasForeignKeys = false

  private func masked(_ scalars: [Unicode.Scalar], _ form: TextForm) -> [Unicode.Scalar] {
    if form == .json, let leaves = JSONLeaves(scalars) {
      if isLearning {
        originals.add(Array(Self.text(scalars).utf8))
      } else {
        // Names of members stay, and what lies between the leaves.
        var kept = scalars
        for (range, _) in leaves.leaves {
          kept.replaceSubrange(range, with: repeatElement("\0", count: range.count))
        }
        let names = Self.text(kept)
        originals.exempt(Array(names.utf8))
        // No property in Swift is called so: it is a dictionary's key, and that is a value.
        hasForeignKeys =
          hasForeignKeys
          || names.matches(of: /"(?<name>[^"\\]*)"\s*:/).contains {
            !SwiftIdentifier.isValid(String($0.name))
          }
      }
      return masked(scalars, leaves)
    }
    return masked(
      scalars, maskedForm(scalars, form), { .text(Self.text($0)) },
      learn: { learn(scalars, form, $0) },
      isKnown: { $0.has(Array(Self.text($1).utf8)) }, again: { self.maskedForm($0, form) })
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private func maskedForm(
    _ scalars: [Unicode.Scalar], _ form: TextForm
  ) -> MaskedForm<[Unicode.Scalar]> {
    let kept = options.keptValues
    switch form {
    case .date: if let date = ISODate(scalars) { return date.form }
    case .uuid(let isSmall): return Self.uuidForm(scalars, isSmall: isSmall)
    case .plain, .number, .url, .json: break
    }
    return MaskedForm(scalars, form, alphabets) { made in
      TextForm(made) == form && !kept.contains(.text(Self.text(made)))
    }
  }

  /// The bytes of a UUID that is written, changed as they are where they are no text.
  private static func uuidForm(
    _ scalars: [Unicode.Scalar], isSmall: Bool
  ) -> MaskedForm<[Unicode.Scalar]> {
    let nibbles = scalars.filter { $0 != "-" }.map {
      UInt8(
        $0.properties.numericType == nil
          ? ($0.value | 0x20) - 0x61 + 10 : $0.value - 0x30)
    }
    let bytes: [UInt8] = (0..<16).map { nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1] }
    guard Set(bytes).count > 1 else { return MaskedForm(digits: [], bases: []) { _ in nil } }
    let inner = MaskedForm<[UInt8]>(uuid: bytes)
    return MaskedForm(digits: inner.digits, bases: inner.bases) { digits in
      guard let made = inner.value(digits), Set(made).count > 1 else { return nil }
      let hexadecimal = made.hexadecimal
      var letters = Array((isSmall ? hexadecimal : hexadecimal.uppercased()).unicodeScalars)
      for place in [8, 13, 18, 23] { letters.insert("-", at: place) }
      return letters
    }
  }

  /// How much each byte of a text says: as much as there are characters for it.
  private func learn(
    _ scalars: [Unicode.Scalar], _ form: TextForm, _ originals: OriginalValues
  ) {
    let bytes = Array(Self.text(scalars).utf8)
    var bits: [Double] = []
    bits.reserveCapacity(bytes.count)
    for (place, scalar) in scalars.enumerated() {
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      let width = UTF8.width(scalar)
      let count = alphabets.alphabet(of: scalar, before: next)?.count ?? 1
      bits += repeatElement(log2(Double(count)) / Double(width), count: width)
    }
    switch form {
    // What stays of these is more than punctuation: a scheme, a century.
    case .url(let prefix, _):
      for place in bits.indices.prefix(prefix) { bits[place] = 0 }
    case .date: for place in bits.indices.prefix(2) { bits[place] = 0 }
    case .plain, .number, .uuid, .json: break
    }
    originals.add(bytes, bits: bits)
  }

  private func masked(_ scalars: [Unicode.Scalar], _ leaves: JSONLeaves) -> [Unicode.Scalar] {
    var made: [Unicode.Scalar] = []
    made.reserveCapacity(scalars.count)
    var place = 0
    for (range, leaf) in leaves.leaves {
      made += scalars[place..<range.lowerBound]
      place = range.upperBound
      let part = scalars[range]
      switch leaf {
      case .number: made += masked(number: Array(part))
      case .string:
        guard let characters = JSONLeaves.characters(part) else {
          made += masked(Array(part), .plain)
          continue
        }
        let text = Self.text(characters.map(\.scalar))
        var written = characters
        for (index, scalar) in masked(text).unicodeScalars.enumerated() {
          written[index].scalar = scalar
        }
        made += JSONLeaves.text(written)
      }
    }
    return made + scalars[place...]
  }

  /// A number in a text; it stays where an enum has it.
  private func masked(number scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let text = Self.text(scalars)
    if let number = Int64(text), options.keptValues.contains(.integer(number)) { return scalars }
    return Array(masked(text).unicodeScalars)
  }

  func masked(brokenText bytes: [UInt8]) -> [UInt8] {
    if !isLearning { changes += 1 }
    return masked(
      bytes, MaskedForm(brokenText: bytes), { .blob(Data($0)) }, learn: { $0.add(bytes) },
      isKnown: { $0.has($1) }, again: { MaskedForm(brokenText: $0) })
  }

  // MARK: Numbers

  func masked(_ number: Int64) -> Int64 {
    guard !NumberRange.isKept(number), !options.keptValues.contains(.integer(number)) else {
      return number
    }
    return masked(number, in: NumberRange.of(number)) { .integer($0) }
  }

  private func masked(
    _ number: Int64, in range: ClosedRange<Int64>, _ stored: (Int64) -> StoredValue
  ) -> Int64 {
    let kept = options.keptValues
    let exact = NumberRange.isExact(number)
    func form(_ number: Int64) -> MaskedForm<Int64> {
      MaskedForm(number, in: range) {
        !NumberRange.isKept($0) && !kept.contains(.integer($0))
          && NumberRange.isExact($0) == exact
      }
    }
    return masked(
      number, form(number), stored,
      learn: { learn(number, $0) }, isKnown: { $0.has(Self.bytes($1)) }, again: form)
  }

  /// Whole numbers that fit two bytes are everywhere, and say nothing.
  private func learn(_ number: Int64, _ originals: OriginalValues) {
    let bytes = Self.bytes(number)
    guard number.magnitude >= 1 << 47 else { return originals.add(bytes) }
    originals.add(bytes, bits: bytes.map { _ in log2(Double(number.magnitude)) / 8 })
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  func masked(_ number: Double) -> Double { masked(number, RealKind(number), within: nil) }

  private func masked(date seconds: Double) -> Double {
    // Foundation's distant past and distant future.
    guard ![-63_114_076_800, 64_092_211_200].contains(seconds) else { return seconds }
    let kind = RealKind(seconds)
    guard let century = NumberRange.century(of: seconds) else { return masked(seconds) }
    guard kind == .whole else { return masked(seconds, kind, within: century) }
    return Double(masked(Int64(seconds), in: century) { .real(Double($0)) })
  }

  private func masked(
    _ number: Double, _ kind: RealKind, within range: ClosedRange<Int64>?
  ) -> Double {
    guard !options.keptValues.contains(.real(number)) else { return number }
    if kind == .kept { return number }
    if kind == .whole { return Double(masked(Int64(number))) }
    let accepts: (Double) -> Bool = { made in
      RealKind(made) == kind && (made < 0) == (number < 0)
        && NumberRange.fits(made) == NumberRange.fits(number)
        && range.map { Double($0.lowerBound)..<Double($0.upperBound) + 1 ~= made } ?? true
    }
    let form: (Double) -> MaskedForm<Double> = { Self.form($0, kind, accepts) }
    return masked(
      number, form(number), { .real($0) },
      learn: { originals in
        let bytes = Self.bytes(Int64(bitPattern: number.bitPattern))
        let bits = form(number).bits
        originals.add(bytes, bits: bytes.map { _ in bits / 8 })
      }, isKnown: { $0.has(Self.bytes(Int64(bitPattern: $1.bitPattern))) }, again: form)
  }

  private static func form(
    _ number: Double, _ kind: RealKind, _ accepts: @escaping (Double) -> Bool
  ) -> MaskedForm<Double> {
    let sign = number < 0 ? -1.0 : 1.0
    switch kind {
    case .kept, .whole: return MaskedForm(digits: [], bases: []) { _ in nil }
    case .decimal(let digits, let places):
      let first = digits == 1 ? 1 : (1..<digits).reduce(Int64(1)) { power, _ in power * 10 }
      let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
      let scaled = RealKind.scaled(abs(number))?.0 ?? first
      let inner = MaskedForm<Int64>(scaled, in: first...first * 10 - 1) { $0 % 10 != 0 }
      return MaskedForm(digits: inner.digits, bases: inner.bases) { digits in
        inner.value(digits).map { sign * Double($0) / power }.flatMap { accepts($0) ? $0 : nil }
      }
    case .float:
      let bits = Float(abs(number)).bitPattern
      return MaskedForm(digits: [bits & 0x7F_FFFF], bases: [1 << 23]) { digits in
        let made = sign * Double(Float(bitPattern: bits & ~0x7F_FFFF | digits[0]))
        return accepts(made) ? made : nil
      }
    case .double:
      let bits = abs(number).bitPattern
      let low: UInt64 = (1 << 26) - 1
      return MaskedForm(
        digits: [UInt32(bits >> 26 & low), UInt32(bits & low)], bases: [1 << 26, 1 << 26]
      ) { digits in
        let mantissa = UInt64(digits[0]) << 26 | UInt64(digits[1])
        let made = sign * Double(bitPattern: bits & ~((1 << 52) - 1) | mantissa)
        return accepts(made) ? made : nil
      }
    }
  }

  // MARK: Bytes

  /// What bytes are; what they become is the same.
  private enum DataForm: Equatable {
    case empty
    case propertyList
    case json
    /// A UUID, or as many bytes.
    case sixteen
    case text
    case bytes

    init(_ bytes: [UInt8]) {
      if bytes.isEmpty {
        self = .empty
      } else if PropertyListLeaves(bytes) != nil {
        self = .propertyList
      } else if bytes.count == 16 {
        self = .sixteen
      } else if let text = Self.text(bytes) {
        let scalars = Array(text.unicodeScalars)
        self = TextForm(scalars) == .json ? .json : .text
      } else {
        self = .bytes
      }
    }

    /// Bytes that somebody wrote as text.
    static func text(_ bytes: [UInt8]) -> String? {
      guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }) else {
        return nil
      }
      return String(wholeUTF8: bytes)
    }
  }

  func masked(_ bytes: [UInt8]) -> [UInt8] {
    let form = DataForm(bytes)
    switch form {
    case .empty: return bytes
    case .propertyList:
      guard let leaves = PropertyListLeaves(bytes) else { return bytes }
      if isLearning { originals.add(bytes) } else { originals.exempt(leaves.kept) }
      return leaves.masked(self)
    case .json, .text: return Array(masked(String(decoding: bytes, as: UTF8.self)).utf8)
    case .sixteen:
      // All the same: a UUID that stands for none.
      guard Set(bytes).count > 1 else { return bytes }
      return masked(bytes) { MaskedForm(uuid: $0) }
    case .bytes:
      return masked(bytes) { bytes in MaskedForm(bytes: bytes) { DataForm($0) == .bytes } }
    }
  }

  private func masked(
    _ bytes: [UInt8], _ form: (([UInt8]) -> MaskedForm<[UInt8]>)
  ) -> [UInt8] {
    masked(
      bytes, form(bytes), { .blob(Data($0)) },
      learn: { $0.add(bytes, bits: bytes.map { _ in 8 }) }, isKnown: { $0.has($1) }, again: form)
  }

  // MARK: Order

  /// Gathers the numbers of a column whose order stays: sorted, each once.
  func order(_ numbers: [Double], of column: String, isDate: Bool) {
    var name = SipHash((0, 0))
    name.add(Array(column.utf8))
    let seed = name.value
    let kept = Set(
      options.keptValues.compactMap { value -> Double? in
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
      })
    orders[column] =
      OrderedNumbers(numbers, isDate: isDate, isKept: kept.contains) { [permutation] place, kind in
        permutation.number(seed, UInt64(place), kind)
      }.made
  }

  /// A number of a column whose order stays; nil where it does not.
  func ordered(_ value: StoredValue, of column: String) -> StoredValue? {
    guard let order = orders[column] else { return nil }
    switch value {
    case .integer(let number):
      guard let made = order[Double(number)] else { return nil }
      if made != Double(number) { changes += 1 }
      return .integer(Int64(made))
    case .real(let number):
      guard let made = order[number] else { return nil }
      if made != number { changes += 1 }
      return .real(made)
    case .null, .text, .blob: return nil
    }
  }
}

extension String {
  /// Nil where the bytes are not UTF-8. The library's own initialiser needs a newer system.
  init?(wholeUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// Nil where the units are not UTF-16.
  init?(wholeUTF16 units: [UInt16]) {
    self.init(decoding: units, as: UTF16.self)
    guard utf16.elementsEqual(units) else { return nil }
  }
}
