internal import Foundation
internal import ManagedModels
internal import RehearsalHarness
internal import SchemaEvolution
internal import SchemaModel
internal import StoreFormat

/// Makes ordinary and adversarial values for the columns of a property.
struct ValueMaker {
  let lookup: VersionIndex
  var random: SplitMix64

  /// An ordinary value of an attribute, by slot path; never null. `number` increases from row to row.
  mutating func ordinary(_ attribute: Attribute, named name: String, number: Int)
    -> [String: PlannedValue]
  {
    if let encodes = attribute.encodes {
      let word = self.word(name, number)
      guard let json = JSONMaker(lookup: lookup).json(encodes, text: word, number: number) else {
        return [name: .modelDefault]
      }
      return [name: .stored(encoded(json, attribute))]
    }
    return slots(of: attribute.type, attribute, name, number) { maker, type, path in
      maker.ordinary(type, path: path, number: number)
    }
  }

  /// An adversarial value of an attribute, by slot path; nil if the category does not apply to the attribute's type.
  ///
  /// - Parameter number: 1 or 2, since some categories have two variants.
  mutating func nasty(
    _ attribute: Attribute, named name: String, _ category: AdversarialCategory, number: Int
  ) -> [String: PlannedValue]? {
    if let encodes = attribute.encodes {
      return nastyJSON(attribute, encodes, category, number).map { [name: .stored($0)] }
    }
    switch category {
    case .notANumber:
      guard attribute.type.isOptional,
        case .primitive(let primitive) = lookup.storage(of: attribute),
        [.double, .float, .date].contains(primitive)
      else { return nil }
      // SQLite stores NaN as NULL.
      return [name: .stored(.null)]
    case .unknownRawValue:
      guard case .rawEnum(let primitive) = lookup.storage(of: attribute) else { return nil }
      let value: StoredValue = primitive == .string ? .text("no case has this") : .integer(12_345)
      return ["\(name).rawValue": .stored(value)]
    default: break
    }
    if case .archived = lookup.storage(of: attribute) {
      return nastyArray(attribute, category, number).map { elements in
        [name: .archived(elements, of: Self.elementType(of: lookup.storage(of: attribute)))]
      }
    }
    var isNasty = false
    let found = slots(of: attribute.type, attribute, name, number) { maker, type, path in
      if category == .hugeValues, let value = Self.huge(type) {
        isNasty = true
        return value
      }
      if let value = Self.nasty(type, category, number) {
        isNasty = true
        return .stored(value)
      }
      return maker.ordinary(type, path: path, number: number)
    }
    return isNasty ? found : nil
  }

  // MARK: Slots

  private mutating func slots(
    of type: TypeReference, _ attribute: Attribute?, _ path: String, _ number: Int,
    depth: Int = 0, _ make: (inout ValueMaker, String, String) -> PlannedValue
  ) -> [String: PlannedValue] {
    let storage = attribute.map(lookup.storage(of:)) ?? lookup.storage(of: type)
    switch storage {
    case .primitive: return [path: make(&self, type.unwrapped.description, path)]
    case .rawEnum:
      guard let cases = lookup.cases(of: type)?.kept, !cases.isEmpty else {
        return [path: .modelDefault]
      }
      let primitive: StorageType.Primitive? =
        if case .rawEnum(let primitive) = storage { primitive } else { nil }
      let chosen = cases[number % cases.count]
      let value = primitive.flatMap { LiteralReader.value(chosen.storedText, $0) }
      return ["\(path).rawValue": value.map { .stored($0) } ?? .modelDefault]
    case .archived(let array):
      let element = String(array.dropFirst().dropLast())
      let elements = [make(&self, element, "\(path).0"), make(&self, element, "\(path).1")]
      let stored = elements.compactMap { if case .stored(let value) = $0 { value } else { nil } }
      return [path: .archived(stored, of: Self.elementType(of: storage))]
    case .transformable: return [path: .modelDefault]
    case .composite:
      guard case .named(let name, []) = type.unwrapped, let declaration = lookup.type(named: name),
        depth < 8
      else {
        // An array in a struct is JSON in one column (docs/facts/store-format.md#array-in-struct). The format of an
        // array outside a struct is unknown.
        return [path: depth == 0 ? .modelDefault : arrayInStruct(type)]
      }
      switch declaration.kind {
      case .opaque: return [path: .modelDefault]
      case .enumeration:
        guard let cases = lookup.cases(of: type)?.kept, !cases.isEmpty else {
          return [path: .modelDefault]
        }
        let chosen = cases[number % cases.count]
        return ["\(path).\(chosen.name)": .stored(.text("{}"))]
      case .structure(let fields):
        var found: [String: PlannedValue] = [:]
        for field in fields {
          let inner = slots(
            of: field.type, nil, "\(path).\(field.name)", number, depth: depth + 1, make)
          found.merge(inner) { first, _ in first }
        }
        return found
      }
    }
  }

  static func elementType(of storage: StorageType) -> AttributeType {
    guard case .archived(let array) = storage else { return .string }
    let name = String(array.dropFirst().dropLast())
    return StorageType.Primitive.bySwiftName[name]?.row.attribute ?? .string
  }

  private func arrayInStruct(_ type: TypeReference) -> PlannedValue {
    let json = JSONMaker(lookup: lookup).json(type.unwrapped, text: "word", number: 1)
    return .stored(json.map { .blob(Data($0.utf8)) } ?? .null)
  }

  /// A case that the newest version lacks.
  struct GoneValue {
    /// The enum's path in the row: `mood`, or `place.kind` in a struct.
    var place: String
    var name: String
    var slot: String
    var value: StoredValue
  }

  func gone(_ attribute: Attribute, named name: String) -> [GoneValue] {
    guard attribute.encodes == nil, attribute.transformer == nil else { return [] }
    return lookup.enums(in: attribute.type).flatMap { path, type -> [GoneValue] in
      let place = path.isEmpty ? name : "\(name).\(path)"
      return (lookup.cases(of: type)?.gone ?? []).compactMap { gone in
        guard case .rawEnum(let primitive) = lookup.storage(of: type) else {
          return GoneValue(
            place: place, name: gone.name, slot: "\(place).\(gone.name)", value: .text("{}"))
        }
        return LiteralReader.value(gone.storedText, primitive).map {
          GoneValue(place: place, name: gone.name, slot: "\(place).rawValue", value: $0)
        }
      }
    }
  }

  // MARK: Ordinary values

  private mutating func word(_ name: String, _ number: Int) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    let tail = (0..<4).map { _ in String(letters[random.below(letters.count)]) }.joined()
    return "\(name) \(number) \(tail)"
  }

  /// A string that a conversion turns into a number: in turn a whole number, words, and a fraction.
  mutating func numeral(named name: String, number: Int) -> [String: PlannedValue] {
    let whole = small(number)
    let text =
      switch number % 3 {
      case 1: "\(whole)"
      case 2: word(name, number)
      default: "\(whole).5"
      }
    return [name: .stored(.text(text))]
  }

  private mutating func small(_ number: Int) -> Int64 {
    Int64(number) &* 7 &+ Int64(random.below(7))
  }

  private mutating func ordinary(_ type: String, path: String, number: Int) -> PlannedValue {
    guard let primitive = StorageType.Primitive.bySwiftName[type] else { return .modelDefault }
    let small = self.small(number)
    let value: StoredValue =
      switch primitive {
      case .string: .text(word(String(path.split(separator: ".").last ?? ""), number))
      case .bool: .integer(Int64(random.below(2)))
      case .int16: .integer(small % 100)
      case .int32, .int64: .integer(small)
      // Quarters are exact in every numeric type.
      case .double, .float, .decimal: .real(Double(small) + 0.25)
      case .date: .real(700_000_000 + Double(number) * 86_400 + Double(random.below(86_400)))
      case .data: .blob(Data((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
      case .uuid: .blob(uuid())
      case .url: .text("https://example.com/\(path)/\(number)")
      }
    return .stored(value)
  }

  private mutating func uuid() -> Data {
    var bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Data(bytes)
  }

  // MARK: Adversarial values

  /// Combining marks at the beginning and at the end, right-to-left text with direction marks, joined emoji, a flag,
  /// characters outside the basic plane.
  static let unicode =
    "e\u{301}a\u{308}\u{323} שלום \u{202E}abc\u{202C} مرحبا 👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 𝔘𝔫𝔦 ﷽ \u{FEFF}\u{200B}'\"\\;--\n\t%@$0"

  /// A value of 100 kB.
  private static func huge(_ type: String) -> PlannedValue? {
    switch type {
    case "String": .repeated(.text("0123456789"), count: 10_240)
    case "Data": .repeated(.blob(Data([0xA5, 0x5A])), count: 51_200)
    default: nil
    }
  }

  private static func nasty(
    _ type: String, _ category: AdversarialCategory, _ number: Int
  ) -> StoredValue? {
    guard let primitive = StorageType.Primitive.bySwiftName[type] else { return nil }
    let integer = SwiftInteger(type)
    switch (category, primitive) {
    case (.emptyValues, .string): return .text("")
    case (.emptyValues, .data): return .blob(Data())
    case (.unicode, .string): return .text(unicode)
    case (.infinity, .double), (.infinity, .float):
      return .real(number == 1 ? .infinity : -.infinity)
    case (.leastValues, _):
      return integer.map { .integer($0.stored.lowerBound) } ?? primitive.row.bounds?.least
    case (.greatestValues, _):
      return integer.map { .integer($0.stored.upperBound) } ?? primitive.row.bounds?.greatest
    case (.oddNumbers, _):
      let odd = primitive.row.odd
      return number == 1 && integer?.isSigned != false ? odd.first : odd.last
    default: return nil
    }
  }

  private func nastyArray(
    _ attribute: Attribute, _ category: AdversarialCategory, _ number: Int
  ) -> [StoredValue]? {
    guard case .archived(let array) = lookup.storage(of: attribute) else { return nil }
    let element = String(array.dropFirst().dropLast())
    switch category {
    case .emptyValues: return []
    case .hugeValues where element == "String":
      return (0..<1_000).map { .text("element \($0)") }
    default:
      return Self.nasty(element, category, number).map { [$0, $0] }
    }
  }

  private func nastyJSON(
    _ attribute: Attribute, _ encodes: TypeReference, _ category: AdversarialCategory,
    _ number: Int
  ) -> StoredValue? {
    let maker = JSONMaker(lookup: lookup)
    switch category {
    case .emptyJSON: return encoded("", attribute)
    case .malformedJSON:
      if number == 1 { return encoded("{\"cut off\": [1, ", attribute) }
      let isText = attribute.type.unwrapped.description == "String"
      return isText ? .text("not JSON") : .blob(Data([0xFF, 0xFE, 0x00, 0xD8]))
    case .unicode, .hugeValues:
      let text =
        category == .unicode ? Self.unicode : String(repeating: "0123456789", count: 1_024)
      return maker.json(encodes, text: text, number: 3).map { encoded($0, attribute) }
    default: return nil
    }
  }

  private func encoded(_ json: String, _ attribute: Attribute) -> StoredValue {
    attribute.type.unwrapped.description == "String" ? .text(json) : .blob(Data(json.utf8))
  }
}
