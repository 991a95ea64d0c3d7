import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreTools

/// The masks of values: of the same form, and different for different values.
@Suite struct ValueMaskTests {
  /// The masks of values that are all known before.
  private func masked(
    _ values: [StoredValue], _ type: AttributeType? = nil, kept: Set<StoredValue> = [],
    seed: UInt64 = 0
  ) -> (made: [StoredValue], mask: ValueMask) {
    let mask = ValueMask(seed: seed, Anonymisation(keptValues: kept))
    for value in values { _ = mask.masked(value, type) }
    mask.endLearning()
    return (values.map { mask.masked($0, type) }, mask)
  }

  private func texts(
    _ texts: [String], kept: Set<StoredValue> = [], seed: UInt64 = 0
  ) -> [String] {
    masked(texts.map { .text($0) }, kept: kept, seed: seed).made.map {
      if case .text(let text) = $0 { text } else { "" }
    }
  }

  private func text(_ text: String, seed: UInt64 = 0) -> String { texts([text], seed: seed)[0] }

  private func numbers(_ numbers: [Int64], kept: Set<StoredValue> = []) -> [Int64] {
    masked(numbers.map { .integer($0) }, kept: kept).made.map {
      if case .integer(let number) = $0 { number } else { 0 }
    }
  }

  private func reals(_ numbers: [Double], kept: Set<StoredValue> = []) -> [Double] {
    masked(numbers.map { .real($0) }, .double, kept: kept).made.map {
      if case .real(let number) = $0 { number } else { 0 }
    }
  }

  private func blob(_ bytes: [UInt8]) -> [UInt8] {
    guard case .blob(let data) = masked([.blob(Data(bytes))]).made[0] else { return [] }
    return Array(data)
  }

  // MARK: Texts

  @Test(
    "Masking turns letters into letters and digits into digits, and keeps other characters",
    arguments: [
      ("tel:+49-170-123", #"[a-f]{3}:\+\d\d-\d{3}-\d{3}"#),
      ("https://a.example:80/%C3?y=12", #"[a-f]{5}://[a-f]\.[a-f]{7}:\d\d/%[A-F]\d\?[a-f]=\d\d"#),
      ("Ada Lovelace", "[A-F][a-f]{2} [A-F][a-f]{7}"), ("2147483648", #"[1-9]\d{9}"#),
      ("007", #"0\d\d"#), ("-0.50", #"-0\.\d\d"#), ("6.02e23", #"[1-9]\.\d\de[0-2][0-3]"#),
      ("日本語", #"\p{Han}{3}"#), ("한국", #"\p{Han}{2}"#), ("Ölgötze", #"\p{L}{7}"#),
      ("שלום", #"\p{Latin}{4}"#), (" a\tb\n", #" [a-f]\t[a-f]\n"#), ("🎉🐙", #"[^\w\s]{2}"#),
      ("e\u{301}", #"[a-f]\u{301}"#),
      (
        #"[1, "a\"\u00e9\ud83d\ude80", {"k": null, "n": -2.5}]"#,
        #"\[[1-9], "[a-f]\\"\\u01\d\d\\ud83d\\ude\d\d", \{"k": null, "n": -[1-9]\.\d\}\]"#
      ),
    ])
  func forms(_ original: String, _ pattern: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      let made = text(original, seed: seed)
      #expect(made != original && made.utf8.count == original.utf8.count)
      #expect(made.utf16.count == original.utf16.count)
      #expect(
        try Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: made) != nil,
        "\(original) became \(made)")
    }
  }

  @Test(
    "Masking replaces the digits on both sides of an exponent's E",
    arguments: [
      "1E4040", "0E5112", "1e400", "0e12345678901234567890", "123E456789012345", "1E05", "7.5e-12",
    ])
  func exponents(_ text: String) {
    let made = self.text(text)
    #expect(made != text && made.count == text.count)
    #expect(zip(text, made).allSatisfy { $0.0.isNumber == $0.1.isNumber })
    if let number = Double(text), number.isFinite { #expect(Double(made)?.isFinite == true) }
  }

  @Test(
    "Different strings of one form get different masks, which are originals only if no other value is left"
  )
  func injective() {
    let all = (0..<10_000).map { String(format: "%04d", $0) }
    for part in [1_000, 7, 3] {
      let known = stride(from: 0, to: all.count, by: part).map { all[$0] }
      let made = texts(known)
      #expect(Set(made).count == known.count)
      #expect(made.allSatisfy { $0.utf8.count == 4 && Int($0) != nil })
      #expect(Set(made).isDisjoint(with: known))
    }
    // As long as other values are left.
    for known in [
      all,
      (0..<100).map { String(format: "%02d", $0) }, (0x61...0x7A).map { String(UnicodeScalar($0)) },
    ] as [[String]] {
      #expect(Set(texts(known)) == Set(known))
    }
  }

  @Test("No original string appears inside the mask of another")
  func inOthers() {
    let names = ["cafe", "face", "deed", "Abba", "2024", "12345"]
    let long = (0..<40).map { "\($0) " + String(repeating: "abcdef 0123456789 ", count: 20) }
    for made in texts(names + long) {
      for name in names { #expect(!made.contains(name), "\(made)") }
    }
  }

  @Test(
    "Masking keeps equal strings equal, even in JSON, and does not change strings that are to be kept"
  )
  func equal() {
    let made = texts(
      ["Berlin", #"{"place": "Berlin", "state": "open", "Straße": [1234]}"#, "1234", "open"],
      kept: [.text("open")])
    #expect(made[1] == #"{"place": "\#(made[0])", "state": "open", "Straße": [\#(made[2])]}"#)
    #expect(made[3] == "open" && made[0] != "Berlin" && made[2] != "1234")
  }

  @Test("JSON keys that name no property are reported")
  func foreignKeys() {
    func hasForeignKeys(_ text: String) -> Bool { masked([.text(text)]).mask.hasForeignKeys }
    #expect(!hasForeignKeys("{\"count\": 3, \"first\": {\"name\": \"Ada\"}}"))
    #expect(hasForeignKeys("{\"anna@example.com\": 3}"))
  }

  // MARK: Numbers

  @Test("Masked integers keep their order and sign and fit the same types")
  func wholes() {
    let parts: [ClosedRange<Int64>] = [
      -33_000...(-32_500), -1_000...1_000, 32_500...33_000, 65_300...65_700,
    ]
    let dense = parts.flatMap { Array($0) }
    let few: [Int64] = [
      .min, .min + 1, -5_000_000_000, -40_000, -300, -3, -1, 0, 1, 2, 7, 8, 20, 41, 300, 32_767,
      40_000,
      70_000, 1 << 31, 1 << 40, (1 << 53) + 1, .max - 1, .max,
    ]
    for (known, isDense) in [(dense, true), (few, false)] {
      let made = numbers(known, kept: [.integer(7), .integer(8)])
      #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
      for (old, new) in zip(known, made) {
        #expect(old.signum() == new.signum())
        #expect((Int8(exactly: old) == nil) == (Int8(exactly: new) == nil))
        #expect((Int16(exactly: old) == nil) == (Int16(exactly: new) == nil))
        #expect((UInt16(exactly: old) == nil) == (UInt16(exactly: new) == nil))
        #expect((Int32(exactly: old) == nil) == (Int32(exactly: new) == nil))
        let stays = [-1, 0, 1, 7, 8, 32_767, -32_768, .min, .max].contains(old)
        if stays { #expect(old == new) } else if !isDense { #expect(old != new) }
      }
    }
  }

  @Test("Masked reals keep their order, sign and whether they have a fraction")
  func points() {
    let known = [
      -.infinity, -1e300, -40_000.5, -3, -1.5, -1, -0.5, -2.5e-10, 0, 1e-9, 0.25, 1, 1.5, 1.75, 2,
      3,
      3.5, 300, 725_000_000, 725_000_000.125, 1e17, 2e17, 1e300, .greatestFiniteMagnitude,
      .infinity,
    ]
    let made = reals(known)
    #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 }, "\(made)")
    for (old, new) in zip(known, made) {
      #expect((old.rounded() == old) == (new.rounded() == new) && (old < 0) == (new < 0))
      if [-1, 0, 1].contains(old) || abs(old) >= .greatestFiniteMagnitude { #expect(old == new) }
      if abs(old) > 2, abs(old) < .greatestFiniteMagnitude { #expect(old != new) }
    }
    #expect(reals([-0.0])[0].sign == .minus && reals([.nan])[0].isNaN)
    // A number has the same mask as an integer and as a real.
    let both = masked([.integer(41), .real(41)]).made
    guard case .integer(let whole) = both[0], case .real(let real) = both[1] else { return }
    #expect(Double(whole) == real && whole != 41)
    // Distant past and future stay.
    #expect(reals([-63_114_076_800, 64_092_211_200]) == [-63_114_076_800, 64_092_211_200])
  }

  // MARK: Bytes

  @Test("A UUID has the same mask as a string and as bytes, and a nil UUID is kept")
  func identifiers() throws {
    let uuid = try #require(UUID(uuidString: "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D"))
    let none = "00000000-0000-0000-0000-000000000000"
    let mask = ValueMask(seed: 0, Anonymisation())
    let values: [(StoredValue, AttributeType?)] = [
      (.text(uuid.uuidString), nil), (.text(uuid.uuidString.lowercased()), nil),
      (.blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }), .uuid), (.text(none), nil),
    ]
    for (value, type) in values { _ = mask.masked(value, type) }
    mask.endLearning()
    let made = values.map { mask.masked($0, $1) }
    guard case .text(let large) = made[0], case .text(let small) = made[1],
      case .blob(let bytes) = made[2]
    else { return }
    #expect(UUID(uuidString: large).map { withUnsafeBytes(of: $0.uuid) { Data($0) } } == bytes)
    #expect(small == large.lowercased() && large != uuid.uuidString)
    #expect(Array(large)[14] == "4" && made[3] == .text(none))
  }

  @Test("Bytes of an unrecognised kind are replaced by the rank of their value")
  func unknown() {
    let photo = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ 0xA5 | 0x80) }
    let values = [photo, photo.reversed(), photo, [0xFF, 0xFE], [7]].map {
      StoredValue.blob(Data($0))
    }
    let made = masked(values).made.map { value -> [UInt8] in
      if case .blob(let data) = value { Array(data) } else { [] }
    }
    #expect(made[0] == [UInt8](repeating: 0, count: 999) + [1] && made[1].last == 2)
    #expect(made[2] == made[0] && made[3] == [0, 3] && made[4] == [4])
    let mask = ValueMask(seed: 0, Anonymisation())
    #expect(mask.masked(brokenText: [0x61, 0xFF, 0x62, 0xC3]) == "????")
  }

  /// Core Foundation writes an integer beyond Int64 with 128 bits.
  @Test("An integer beyond Int64 in a property list is masked")
  func hugeInteger() {
    let start = Array("bplist00".utf8) + [0x14] + [UInt8](repeating: 0, count: 8)
    let end: [UInt8] =
      [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 25]
    func made(_ value: [UInt8]) -> [UInt8] {
      let made = blob(start + value + end)
      #expect(made.count == start.count + value.count + end.count)
      #expect(made.starts(with: start) && made.suffix(end.count).elementsEqual(end))
      return Array(made.dropFirst(start.count).prefix(value.count))
    }
    let one = [0xFE, 1, 2, 3, 4, 5, 6, 7] as [UInt8]
    #expect(made(one) != one)
  }

  @Test("A masked archive keeps its structure and classes and loses bytes between its values")
  func archive() throws {
    let list: [String: Any] = [
      "$archiver": "NSKeyedArchiver", "$top": ["root": "secret words"],
      "number": 123_456, "real": 2.5, "text": "größer als 🚀", "flag": true,
      "$objects": ["$null", ["$classname": "Trip", "$classes": ["Trip", "NSObject"]], "Berlin"],
    ]
    var data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    // Nothing refers to the bytes before the offset table.
    let table = data.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    data.insert(contentsOf: Array("hidden".utf8), at: table)
    data.replaceSubrange(
      data.count - 8..<data.count,
      with: withUnsafeBytes(of: UInt64(table + 6).bigEndian) { Data($0) })
    guard case .blob(let made) = masked([.blob(data)]).made[0] else { return }
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

  @Test("Masking keeps the length of bytes of any kind and never fails on their form")
  func hostile() {
    let deep = String(repeating: "[", count: 50_000)
    for value in [
      deep, deep + String(repeating: "]", count: 50_000), "{\"a\":\"\\ud800\"}", "[1e]",
      "\u{FFFF}\u{10FFFF}", "[\u{0}1\u{0},\u{0}\"\u{0}]\u{0}",
    ] {
      #expect(text(value).utf8.count == value.utf8.count)
    }
    var list = Array("bplist00".utf8) + [0xA1, 0x00, 8] + [UInt8](repeating: 0, count: 32)
    list[list.count - 26] = 1
    list[list.count - 25] = 1
    list[list.count - 17] = 1
    list[list.count - 1] = 10
    #expect(blob(list).count == list.count)
  }
}
