internal import Foundation
package import ManagedModels
internal import SchemaModel

/// How values are changed.
package struct Anonymisation: Sendable {
  /// Values that stay wherever they are: raw values of enums, on which verdicts rest.
  package var keptValues: Set<StoredValue>

  package init(keptValues: Set<StoredValue> = []) { self.keptValues = keptValues }
}

/// Changes values so that none is left: equal ones stay equal, and different ones different; numbers stay in their order,
/// and texts as long, with letters for letters and digits for digits. What became of each is a table in memory.
///
/// Every value is shown twice: while the mask learns, and to be changed.
final class ValueMask {
  let originals = OriginalValues()
  private let kept: Set<StoredValue>
  private let seed: UInt64
  private var random: RandomNumbers
  private var numbers: NumberTable
  /// Whether values are gathered, and none is changed.
  private var isLearning = true
  /// What became of each text, and what is taken.
  private var texts: [WrittenText: String] = [:]
  private var taken: Set<[UInt8]> = []
  /// The last text taken of each form whose texts are nearly all taken, by the first.
  private var crowded: [[UInt8]: [UInt8]] = [:]
  /// The places of unreadable bytes and of UUIDs, among all of theirs.
  private var blobs: [[UInt8]: Int] = [:]
  /// Numbers of eight bytes, or of six.
  private var wide: Set<Int64> = []
  private var reals: Set<Double> = []
  /// Keys of JSON's objects.
  private var keys: Set<String> = []
  /// What stays: of JSON and property lists, and the store's schema.
  private var stays: Set<[UInt8]> = []
  private(set) var changes = 0

  /// A text by its bytes, since equal ones may have others.
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

  /// Whether a JSON object has a key that no property in Swift is called by: it is a dictionary's, and a value.
  var hasForeignKeys: Bool { !keys.allSatisfy(SwiftIdentifier.isValid) }

  /// Notes bytes that the copy keeps as they are.
  func keep(_ bytes: some Sequence<UInt8>) { stays.insert(Array(bytes)) }

  /// From here on values are changed.
  func endLearning() {
    isLearning = false
    numbers.make(&random)
    for number in wide where numbers.made(number) != number {
      let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
      originals.add(number.magnitude < 1 << 47 ? bytes.suffix(6) : bytes[...])
    }
    for number in reals where numbers.made(number) != number {
      let bytes = withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
      // One with few digits is zeros for the most part.
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

  /// A string of JSON as it is written there, or a number.
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
      // Less than four characters, and less than six bytes, are everywhere.
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

  /// What a text becomes, by its bytes.
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
    // Nearly all texts of its form are there: the next that nobody has taken, though the store may have it.
    var made = crowded[form] ?? form
    let first = made
    while taken.contains(made) {
      made = characters.next(made)
      // All are taken: then two become one.
      if made == first { break }
    }
    crowded[form] = made
    originals.exempt(made)
    return made
  }

  // MARK: Bytes

  /// A property list and JSON keep their structure. Anything else is of an unknown form: it becomes nothing but its
  /// place among the others.
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
    // Runs of few bytes are in every database.
    if isLearning, Set(bytes.prefix(24)).count > 3 { originals.add(bytes) }
    return Self.number(place(of: bytes), bytes.count)
  }

  /// A UUID: its version and its variant stay.
  private func masked(uuid bytes: [UInt8]) -> [UInt8] {
    // All the same: a UUID that stands for none.
    guard Set(bytes).count > 1 else { return bytes }
    if isLearning { originals.add(bytes) }
    var random = RandomNumbers(seed &+ UInt64(place(of: bytes)))
    let words = [random.next(), random.next()]
    var made = words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    made[6] = bytes[6] & 0xF0 | made[6] & 0x0F
    made[8] = bytes[8] & 0xC0 | made[8] & 0x3F
    return made
  }

  /// Masks a text that is not UTF-8.
  func masked(brokenText bytes: [UInt8]) -> String {
    if isLearning { originals.add(bytes) } else { changes += 1 }
    return String(repeating: "?", count: bytes.count)
  }

  /// Its index among all such values.
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
