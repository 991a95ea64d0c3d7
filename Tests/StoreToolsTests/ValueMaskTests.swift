import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreTools

/// What one value becomes: of the same form, and different ones different.
@Suite struct ValueMaskTests {
  /// A mask that knows some values.
  private func mask(
    _ known: [StoredValue] = [], kept: Set<StoredValue> = [], key: Int = 0
  ) -> ValueMask {
    let mask = ValueMask(
      AnonymisationKey([1, 2, 3], key), Anonymisation(keptValues: kept))
    for value in known { mask.learn(value) }
    mask.endLearning()
    return mask
  }

  private func text(_ text: String, _ mask: ValueMask) -> String {
    guard case .text(let made) = mask.masked(.text(text)) else { return "" }
    return made
  }

  private func number(_ number: Int64, _ mask: ValueMask) -> Int64 {
    guard case .integer(let made) = mask.masked(.integer(number)) else { return 0 }
    return made
  }

  private func real(_ number: Double, _ mask: ValueMask, _ type: AttributeType? = nil) -> Double {
    guard case .real(let made) = mask.masked(.real(number), type) else { return 0 }
    return made
  }

  /// Core Foundation writes an integer beyond Int64 with 128 bits.
  @Test("An integer beyond Int64 in a property list becomes another one")
  func hugeInteger() {
    let start = Array("bplist00".utf8) + [0x14] + [UInt8](repeating: 0, count: 8)
    let end: [UInt8] =
      [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 25]
    let mask = mask()
    func made(_ value: [UInt8]) -> [UInt8] {
      let made = mask.masked(start + value + end)
      #expect(made.count == start.count + value.count + end.count)
      #expect(made.starts(with: start) && made.suffix(end.count).elementsEqual(end))
      return Array(made.dropFirst(start.count).prefix(value.count))
    }
    let one = [0xFE, 1, 2, 3, 4, 5, 6, 7] as [UInt8]
    let other = [0xFE, 1, 2, 3, 4, 5, 6, 8] as [UInt8]
    #expect(made(one) != one && made(other) != other && made(one) != made(other))
  }

  @Test(
    "Digits around an E change like any others, in an exponent too",
    arguments: [
      "1E4040", "0E5112", "1e400", "0e12345678901234567890", "123E456789012345", "1E05", "7.5e-12",
    ])
  func exponents(_ text: String) {
    let made = self.text(text, mask([.text(text)]))
    #expect(made != text && made.count == text.count)
    let digits = zip(text, made).filter { $0.0.isNumber }
    #expect(digits.contains { $0.0 != $0.1 })
    if let number = Double(text), number.isFinite { #expect(Double(made)?.isFinite == true) }
  }

  @Test("Of JSON, keys that no property is called so are told")
  func foreignKeys() {
    let named = mask()
    _ = text("{\"count\": 3, \"first\": {\"name\": \"Ada\"}}", named)
    #expect(!named.hasForeignKeys)
    let foreign = mask()
    _ = text("{\"anna@example.com\": 3}", foreign)
    #expect(foreign.hasForeignKeys)
  }

  @Test(
    "Texts of one form are permuted, whichever of them the store has",
    .enabled(if: Checkout.runsEverything))
  func injective() {
    let all = (0..<10_000).map { String(format: "%04d", $0) }
    for part in [1_000, 7, 3, 1] {
      let known = stride(from: 0, to: all.count, by: part).map { all[$0] }
      let mask = mask(known.map { .text($0) })
      let made = known.map { text($0, mask) }
      #expect(Set(made).count == known.count)
      #expect(made.allSatisfy { $0.utf8.count == 4 && Int($0) != nil })
      // Those that the store has become none of them, as long as there are enough others.
      if part > 1 { #expect(Set(made).isDisjoint(with: known)) }
    }
  }

  @Test("Whole numbers are permuted within what fits the same types, and some stay")
  func numbers() {
    let parts: [ClosedRange<Int64>] = [
      -33_000...(-32_500), -1_000...1_000, 32_500...33_000, 65_300...65_700,
    ]
    let all = parts.flatMap { Array($0) }
    let kept: Set<StoredValue> = [.integer(7), .integer(8)]
    for known in [all, Array(all.prefix(200))] {
      let mask = mask(known.map { .integer($0) }, kept: kept)
      let made = known.map { number($0, mask) }
      #expect(Set(made).count == known.count)
      for (old, new) in zip(known, made) {
        #expect(old.signum() == new.signum())
        #expect((Int8(exactly: old) == nil) == (Int8(exactly: new) == nil))
        #expect((Int16(exactly: old) == nil) == (Int16(exactly: new) == nil))
        #expect((UInt16(exactly: old) == nil) == (UInt16(exactly: new) == nil))
        if [-1, 0, 1, 7, 8, 32_767, -32_768].contains(old) { #expect(old == new) }
      }
    }
    let mask = mask()
    for end in [Int64.max, .min, Int64(Int32.max), Int64(Int32.min)] {
      #expect(number(end, mask) == end)
    }
    let larger: [Int64] = [.max - 1, .min + 1, 1 << 53, (1 << 53) + 1, 5_000_000_000]
    for large in larger {
      let made = number(large, mask)
      #expect(made != large && made.signum() == large.signum())
      #expect((Int32(exactly: large) == nil) == (Int32(exactly: made) == nil))
    }
  }

  @Test("Numbers with a point keep their sign, their places and what has none")
  func reals() {
    let mask = mask()
    for kept in [0, -0.0, 1, -1, .infinity, -.infinity, .greatestFiniteMagnitude] {
      #expect(real(kept, mask).bitPattern == kept.bitPattern)
    }
    #expect(real(.nan, mask).isNaN)
    let prices = (1...999).filter { !$0.isMultiple(of: 10) }.map { Double($0) / 100 }
    let made = prices.map { real($0, mask) }
    #expect(Set(made).count == prices.count)
    #expect(made.allSatisfy { ($0 * 100).rounded() / 100 == $0 })
    for number in [1.0 / 3, 1e300, -2.5e-10, .pi, Double(Float(0.1)), 1e17] {
      let new = real(number, mask)
      #expect(new != number && (new < 0) == (number < 0) && new.exponent == number.exponent)
      #expect((Double(Float(number)) == number) == (Double(Float(new)) == new))
    }
    #expect(real(41, mask) == Double(number(41, mask)))
  }

  @Test("Dates stay in their century, with a fraction or without")
  func dates() {
    let mask = mask()
    for seconds in [-63_114_076_800, 64_092_211_200, 0] {
      #expect(real(Double(seconds), mask, .date) == Double(seconds))
    }
    for seconds in [725_000_000, 725_000_000.5, 725_000_000.123_456_7, -1_500_000_000.25, -3e10] {
      let made = real(seconds, mask, .date)
      #expect(NumberRange.century(of: made) == NumberRange.century(of: seconds))
      #expect(made != seconds && (made.rounded() == made) == (seconds.rounded() == seconds))
    }
    let all = (0..<3_000).map { 725_000_000 + Double($0) * 0.375 }
    #expect(Set(all.map { real($0, mask, .date) }).count == all.count)
  }

  @Test("A UUID in a text is the one in bytes, and names of one that differ in case still do")
  func sameValues() throws {
    let mask = mask()
    let uuid = try #require(UUID(uuidString: "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D"))
    let made = text(uuid.uuidString, mask)
    guard
      case .blob(let bytes) = mask.masked(.blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }))
    else { return }
    #expect(UUID(uuidString: made).map { withUnsafeBytes(of: $0.uuid) { Data($0) } } == bytes)
    #expect(text(uuid.uuidString.lowercased(), mask) == made.lowercased())
    #expect(made.utf8.map { $0 }[14] == UInt8(ascii: "4"))
    #expect(text("00000000-0000-0000-0000-000000000000", mask).allSatisfy { "0-".contains($0) })
    for name in ["Ada Lovelace", "Şule", "Ольга", "Ζωή"] {
      #expect(text(name.lowercased(), mask) == text(name, mask).lowercased())
    }
    #expect(text("true", mask) == "true" && text("", mask).isEmpty)
  }

  @Test(
    "What code reads of a text stays",
    arguments: [
      ("tel:+49-170-123", #"tel:\+\d\d-\d{3}-\d{3}"#),
      ("https://a.example:80/x?y=12#z", #"https://[a-z]\.[a-z]{7}:80/[a-z]\?[a-z]=\d\d#[a-z]"#),
      ("http://[2001:db8::1]/", #"http://\[\d{4}:[a-f]{2}\d::\d\]/"#),
      (
        "http://[hush-wyvys.example/x",
        #"http://\[(?!hush)[a-z]{4}-(?!wyvys)[a-z]{5}\.[a-z]{7}/[a-z]"#
      ),
      ("x://a:4155550123/", #"x://[a-z]:(?!4155550123)\d{10}/"#),
      ("x://a/%zzsecret", #"x://[a-z]/%(?!zz)[a-z]{2}(?!secret)[a-z]{6}"#),
      ("2024-02-29", #"20\d\d-[01]\d-[0-3]\d"#),
      ("1999-12-31 23:59", #"19\d\d-[01]\d-[0-3]\d [0-2]\d:[0-5]\d"#),
      ("2147483648", #"[2-9]\d{9}"#), ("007", #"00[1-9]|0\d\d"#), ("-0.50", #"-0\.\d0"#),
      ("6.02e23", #"[1-9]\.\d[1-9]e23"#), ("日本語", #"\p{Han}{3}"#), ("한국", #"\p{Hangul}{2}"#),
      ("שלום", #"\p{Hebrew}{4}"#), ("سلام", #"\p{Arabic}{4}"#), ("Ölgötze", #"\p{Lu}\p{Ll}{6}"#),
      ("かな", #"\p{Hiragana}{2}"#), (" a\tb\n", #" [a-z]\t[a-z]\n"#), ("🎉🐙", #"[^\w\s]{2}"#),
      (
        #"[1, "a\"\u00e9", {"k": null, "n": -2.5}]"#,
        #"\[1, "[a-z]\\"\\u00[ef][0-9a-f]", \{"k": null, "n": -[1-9]\.[1-9]\}\]"#
      ),
    ])
  func forms(_ original: String, _ pattern: String) throws {
    for key in 0..<20 {
      let made = text(original, mask([.text(original)], key: key))
      #expect(try Regex(pattern).wholeMatch(in: made) != nil, "\(original) became \(made)")
    }
  }

  @Test("Order stays where it is asked for, around the numbers that stay")
  func order() {
    let mask = mask(kept: [.integer(50)])
    let numbers = [
      -40_000, -3, -1.5, -1, -0.5, 0, 0.25, 1, 1.5, 2, 3, 3.5, 3.75, 49, 50, 51, 300, 70_000.5,
    ]
    mask.order(numbers, of: "T.C", isDate: false)
    let made = numbers.compactMap { number -> Double? in
      if case .real(let made)? = mask.ordered(.real(number), of: "T.C") { return made }
      return nil
    }
    #expect(made.count == numbers.count)
    #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 }, "\(made)")
    for (old, new) in zip(numbers, made) {
      #expect((old.rounded() == old) == (new.rounded() == new))
      #expect((old < 0) == (new < 0))
    }
    #expect(made[3] == -1 && made[5] == 0 && made[7] == 1 && made[14] == 50)
    #expect(zip(numbers, made).count { $0 == $1 } <= 6)
    let dates = (0..<2_000).map { 700_000_000 + Double($0) / 3 }
    mask.order(dates, of: "T.D", isDate: true)
    let moved = dates.compactMap { date -> Double? in
      if case .real(let made)? = mask.ordered(.real(date), of: "T.D") { return made }
      return nil
    }
    #expect(zip(moved, moved.dropFirst()).allSatisfy { $0 < $1 } && moved.count == dates.count)
    #expect(zip(dates, moved).allSatisfy { $0 != $1 })
  }

  @Test("An archive keeps its structure and its classes, and bytes between its values go")
  func archive() throws {
    let list: [String: Any] = [
      "$archiver": "NSKeyedArchiver", "$top": ["root": "secret words"],
      "number": 123_456, "real": 2.5, "text": "größer als 🚀", "flag": true,
      "$objects": ["$null", ["$classname": "Trip", "$classes": ["Trip", "NSObject"]], "Berlin"],
    ]
    var data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    // Nothing refers to what is put before the table of offsets.
    let table = data.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    data.insert(contentsOf: Array("hidden".utf8), at: table)
    data.replaceSubrange(
      data.count - 8..<data.count,
      with: withUnsafeBytes(of: UInt64(table + 6).bigEndian) { Data($0) })
    let mask = mask([.blob(data)])
    guard case .blob(let made) = mask.masked(.blob(data)) else { return }
    #expect(made.count == data.count)
    for word in ["secret words", "Berlin", "hidden", "größer"] {
      #expect(made.range(of: Data(word.utf8)) == nil)
    }
    let read = try #require(
      try PropertyListSerialization.propertyList(from: made, format: nil) as? [String: Any])
    #expect(Set(read.keys) == Set(list.keys))
    #expect(read["$archiver"] as? String == "NSKeyedArchiver" && read["flag"] as? Bool == true)
    let objects = try #require(read["$objects"] as? [Any])
    #expect(objects[0] as? String == "$null")
    #expect((objects[1] as? [String: Any])?["$classname"] as? String == "Trip")
  }

  @Test("Bytes of any kind become others of the same length, and no form makes it fail")
  func hostile() {
    let mask = mask()
    let deep = String(repeating: "[", count: 50_000)
    for value in [
      deep, deep + String(repeating: "]", count: 50_000), "{\"a\":\"\\ud800\"}", "[1e]",
      "\u{FFFF}\u{10FFFF}",
    ] {
      #expect(text(value, mask).utf8.count == value.utf8.count)
    }
    #expect(mask.masked(brokenText: [0x61, 0xFF, 0x62, 0xC3]).count == 4)
    for length in [1, 2, 3, 15, 16, 17, 1_000, 100_000] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ 0xA5 | 0x80) }
      let made = mask.masked(bytes)
      #expect(made.count == length && (length < 3 || made != bytes))
    }
    var list = Array("bplist00".utf8) + [0xA1, 0x00, 8] + [UInt8](repeating: 0, count: 32)
    list[list.count - 26] = 1
    list[list.count - 25] = 1
    list[list.count - 17] = 1
    list[list.count - 1] = 10
    #expect(mask.masked(list).count == list.count)
  }
}
