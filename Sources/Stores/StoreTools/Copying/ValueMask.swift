internal import Foundation
package import ManagedModels
internal import SchemaModel

/// How values are changed.
package struct Anonymisation: Sendable {
  /// Values that stay everywhere: raw values of enums, on which findings depend.
  package var keptValues: Set<StoredValue>

  package init(keptValues: Set<StoredValue> = []) { self.keptValues = keptValues }
}

/// Changes values so that no original is left. Equal values stay equal, and different values stay different. Numbers
/// keep their order, and strings their length, with letters for letters and digits for digits. The replacements are
/// kept in memory.
///
/// Every value is passed twice: first for the mask to learn, then to be changed.
final class ValueMask {
  let originals = OriginalValues()
  private let kept: Set<StoredValue>
  private let seed: UInt64
  private var random: RandomNumbers
  private var numbers: NumberTable
  private var isLearning = true
  /// The replacement of each string. `taken` has all replacements.
  private var texts: [WrittenText: String] = [:]
  private var taken: Set<[UInt8]> = []
  /// Strings that differ only in characters that can replace each other have the same form. For forms with few unused
  /// strings left: the last used string, by the form's first string.
  private var crowded: [[UInt8]: [UInt8]] = [:]
  /// The index of each unreadable value or UUID.
  private var blobs: [[UInt8]: Int] = [:]
  /// Integers that need six or eight bytes.
  private var wide: Set<Int64> = []
  private var reals: Set<Double> = []
  private var keys: Set<String> = []
  /// Data that stays: parts of JSON and property lists, and the store's schema.
  private var stays: Set<[UInt8]> = []
  private(set) var changes = 0

  /// A string that is compared by its bytes, since equal strings may have different bytes.
  private struct WrittenText: Hashable {
    var bytes: [UInt8]
    var isEscaped: Bool
  }

  init(seed: UInt64, _ options: Anonymisation) {
    self.seed = seed
    random = RandomNumbers(seed)
    kept = options.keptValues
    numbers = NumberTable(
      keeping: Set(
        kept.compactMap { value -> Int64? in
          if case .integer(let number) = value { return number }
          return nil
        }))
  }

  var keepsValues: Bool { !kept.isEmpty }

  /// Whether a key of a JSON object is no valid property name in Swift. The key is then a dictionary's, and thus data.
  var hasForeignKeys: Bool { !keys.allSatisfy(SwiftIdentifier.isValid) }

  func keep(_ bytes: some Sequence<UInt8>) { stays.insert(Array(bytes)) }

  func endLearning() {
    isLearning = false
    numbers.make(&random)
    for number in wide where numbers.made(number) != number {
      let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
      originals.add(number.magnitude < 1 << 47 ? bytes.suffix(6) : bytes[...])
    }
    for number in reals where numbers.made(number) != number {
      let bytes = withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
      // A real number with few distinct bytes is mostly zeros, which occur everywhere.
      if Set(bytes).count > 4 { originals.add(bytes) }
    }
    for bytes in stays { originals.exempt(bytes) }
    for case .text(let text) in kept { originals.exempt(text.utf8) }
  }

  func masked(_ value: StoredValue, _ type: AttributeType? = nil) -> StoredValue {
    let made: StoredValue
    switch value {
    case .null: return .null
    case .text(let text): made = .text(masked(text))
    case .blob(let data):
      let bytes = Array(data)
      made = .blob(Data(type == .uuid && bytes.count == 16 ? masked(uuid: bytes) : masked(bytes)))
    case .integer(let number): made = .integer(masked(number))
    case .real(let number): made = .real(masked(number))
    }
    if !isLearning, made != value { changes += 1 }
    return made
  }

  // MARK: Numbers

  func masked(_ number: Int64) -> Int64 {
    guard !kept.contains(.integer(number)) else { return number }
    guard isLearning else { return numbers.made(number) }
    numbers.learn(number)
    if number.magnitude >= 1 << 31 { wide.insert(number) }
    return number
  }

  func masked(_ number: Double) -> Double {
    guard !kept.contains(.real(number)) else { return number }
    guard isLearning else { return numbers.made(number) }
    numbers.learn(number)
    reals.insert(number)
    if abs(number) >= 0x1p31, let whole = Int64(exactly: number) { wide.insert(whole) }
    return number
  }

  // MARK: Texts

  func masked(_ text: String) -> String {
    guard !kept.contains(.text(text)), !text.isEmpty else { return text }
    if let parts = JSONParts(text) {
      if isLearning {
        keys.formUnion(parts.keys)
        keep(parts.masked { $0.isEmpty ? "" : "\0" }.utf8)
      }
      return parts.masked { masked(leaf: $0) }
    }
    if text.utf8.count == 36, let uuid = UUID(uuidString: text) {
      let bytes = withUnsafeBytes(of: uuid.uuid) { masked(uuid: Array($0)) }
      if isLearning { originals.add(text.utf8) }
      let made = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
      return text == text.lowercased() ? made.lowercased() : made
    }
    return masked(plain: text, MaskedCharacters(text))
  }

  /// Masks the source of a JSON string or number.
  private func masked(leaf text: String) -> String {
    if let number = Int64(text), kept.contains(.integer(number)) { return text }
    guard !kept.contains(.text(text)) else { return text }
    return text.contains("\\")
      ? masked(plain: text, MaskedCharacters(text, isEscaped: true)) : masked(text)
  }

  private func masked(plain text: String, _ characters: MaskedCharacters) -> String {
    guard !characters.slots.isEmpty else { return text }
    guard !isLearning else {
      let told = text.utf8.dropFirst(characters.start)
      // Shorter strings occur everywhere.
      if told.count >= 6 || text.unicodeScalars.suffix(4).count == 4 { originals.add(told) }
      return text
    }
    let original = WrittenText(bytes: Array(text.utf8), isEscaped: characters.isEscaped)
    if let made = texts[original] { return made }
    let bytes = made(original.bytes, characters)
    let made = String(decoding: bytes, as: UTF8.self)
    texts[original] = made
    taken.insert(bytes)
    return made
  }

  private func made(_ original: [UInt8], _ characters: MaskedCharacters) -> [UInt8] {
    let form = characters.first
    let found =
      crowded[form] != nil
      ? nil
      : characters.made(&random) { bytes, start in
        if let range = originals.first(in: bytes, from: start) { return range }
        return bytes == original || taken.contains(bytes) ? 0..<bytes.count : nil
      }
    if let found { return found }
    // Nearly all strings of the form occur, so the next unused string is taken, even if the store has it.
    var made = crowded[form] ?? form
    let first = made
    while taken.contains(made) {
      made = characters.next(made)
      // All strings are used, so two strings become equal.
      if made == first { break }
    }
    crowded[form] = made
    originals.exempt(made)
    return made
  }

  // MARK: Bytes

  /// Masks bytes. Property lists and JSON keep their structure. Bytes of an unknown format become their index among
  /// such values.
  func masked(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    if let leaves = PropertyListLeaves(bytes) {
      if isLearning { for text in leaves.keptTexts { keep(text.utf8) } }
      return leaves.masked(self)
    }
    if ["{", "["].contains(bytes.first { $0 > 0x20 }.map { Unicode.Scalar($0) }),
      let text = String(wholeUTF8: bytes), JSONParts(text) != nil
    {
      return Array(masked(text).utf8)
    }
    // Runs of few distinct bytes are in every database.
    if isLearning, Set(bytes.prefix(24)).count > 3 { originals.add(bytes) }
    return Self.number(place(of: bytes), bytes.count)
  }

  /// Masks a UUID, whose version and variant stay.
  private func masked(uuid bytes: [UInt8]) -> [UInt8] {
    // In a nil UUID, all bytes are equal.
    guard Set(bytes).count > 1 else { return bytes }
    if isLearning { originals.add(bytes) }
    var random = RandomNumbers(seed &+ UInt64(place(of: bytes)))
    let words = [random.next(), random.next()]
    var made = words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    made[6] = bytes[6] & 0xF0 | made[6] & 0x0F
    made[8] = bytes[8] & 0xC0 | made[8] & 0x3F
    return made
  }

  func masked(brokenText bytes: [UInt8]) -> String {
    if isLearning { originals.add(bytes) } else { changes += 1 }
    return String(repeating: "?", count: bytes.count)
  }

  private func place(of bytes: [UInt8]) -> Int {
    let key = bytes.count > 32 ? SHA256.hash(bytes) : bytes
    let place = blobs[key] ?? blobs.count + 1
    blobs[key] = place
    return place
  }

  private static func number(_ number: Int, _ count: Int) -> [UInt8] {
    let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }.suffix(count)
    return [UInt8](repeating: 0, count: count - bytes.count) + bytes
  }
}

extension String {
  /// Nil if the bytes are not UTF-8. The standard library's initialiser needs a newer system.
  init?(wholeUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  init?(wholeUTF16 units: [UInt16]) {
    self.init(decoding: units, as: UTF16.self)
    guard utf16.elementsEqual(units) else { return nil }
  }
}
