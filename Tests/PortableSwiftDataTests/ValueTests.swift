import Foundation
import ManagedModels
import SchemaModel
import StoreFormat
import SwiftData
import Testing

@testable import SwiftData

/// Values are read back bit for bit.
@Suite struct ValueTests {
  private func reread<Value: Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Values.Everything, Value>, _ value: Value
  ) throws -> Value {
    try withStore { url in
      do {
        let context = try open(Values.self, at: url)
        let row = Values.Everything()
        context.insert(row)
        row[keyPath: keyPath] = value
        try context.save()
      }
      return try open(Values.self, at: url).only(Values.Everything.self)[keyPath: keyPath]
    }
  }

  @Test(
    "Strings are read back as written",
    arguments: [
      "", "a", "👩‍👩‍👧", "e\u{301}", "\u{202E}rtl", "line\nline\t\"'\\",
      String(repeating: "x", count: 100_000),
    ])
  func strings(_ text: String) throws {
    let read = try reread(\.text, text)
    #expect(Array(read.utf8) == Array(text.utf8))
    #expect(try reread(\.optional, text) == text)
  }

  /// docs/facts/identity.md#type-narrow, docs/facts/identity.md#type-uint
  @Test("Each Swift type is stored as its storage type specifies")
  func rows() {
    let types: [any StorableValue.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, Decimal.self, Double.self, CGFloat.self, Float.self,
      Bool.self, String.self, Date.self, Data.self, UUID.self, URL.self,
    ]
    var rows = StorageType.Primitive.bySwiftName.mapValues(\.row.attribute)
    // 'TimeInterval' is another name of Double.
    rows["TimeInterval"] = nil
    #expect(
      Dictionary(uniqueKeysWithValues: types.map { ("\($0)", $0.attributeType) }) == rows)
  }

  @Test("Integers are read back at their bounds")
  func integers() throws {
    for value in [Int.min, -1, 0, 1, .max] { #expect(try reread(\.whole, value) == value) }
    for value in [Int8.min, .max] { #expect(try reread(\.small, value) == value) }
    for value in [Int16.min, .max] { #expect(try reread(\.short, value) == value) }
    for value in [Int32.min, .max] { #expect(try reread(\.middle, value) == value) }
    for value in [UInt64.min, .max] { #expect(try reread(\.unsigned, value) == value) }
    #expect(try reread(\.flag, true))
  }

  @Test(
    "Doubles and dates are read back bit for bit",
    arguments: [
      0.0, -0.0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
    ])
  func doubles(_ value: Double) throws {
    #expect(try reread(\.double, value) == value)
    let date = Date(timeIntervalSinceReferenceDate: value)
    #expect(try reread(\.date, date) == date)
  }

  @Test("Float, Decimal, Data, UUID and URL values are read back as written")
  func others() throws {
    #expect(try reread(\.float, .pi) == .pi)
    for text in ["0", "12.345", "-0.1", "123456789012.345"] {
      let value = try #require(Decimal(string: text))
      #expect(try reread(\.price, value) == value)
    }
    #expect(try reread(\.data, Data([0, 255])) == Data([0, 255]))
    #expect(try reread(\.data, Data()) == Data())
    let id = UUID()
    #expect(try reread(\.identifier, id) == id)
    #expect(
      try reread(\.link, URL(string: "https://a.b/c?d=é")) == URL(string: "https://a.b/c?d=é"))
    #expect(try reread(\.link, nil) == nil)
    #expect(try reread(\.picture, Data(count: 1_000_000))?.count == 1_000_000)
  }

  @Test("Arrays are stored as archives or as JSON")
  func arrays() throws {
    #expect(try reread(\.words, ["b", "", "a"]) == ["b", "", "a"])
    #expect(try reread(\.words, []) == [])
    #expect(try reread(\.numbers, [.min, 0, .max]) == [.min, 0, .max])
    #expect(try reread(\.places, [Address(street: "s")]) == [Address(street: "s")])
    #expect(try reread(\.counts, ["a": 1]) == ["a": 1])
  }

  /// docs/facts/swiftdata.md#description-is-refused
  @Test("A Codable struct with a property named 'description' ends the process")
  func description() async {
    let ended = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Schema([Described.Item.self])
    }
    #expect(ended.said("a stored property named 'description'"))
  }

  @Test("Enums and Codable structs are stored in a column for each part")
  func composites() throws {
    #expect(try reread(\.level, .high) == .high)
    #expect(try reread(\.levelIfAny, nil) == nil)
    #expect(try reread(\.levelIfAny, .low) == .low)
    #expect(try reread(\.mood, .sad) == .sad)
    #expect(try reread(\.address, nil) == nil)
    let address = Address(
      street: "s", number: nil, level: .high, weather: .rain, lines: ["x"],
      place: Coordinates(latitude: 1.5, longitude: nil))
    #expect(try reread(\.address, address) == address)
    #expect(try reread(\.reversed, Reversed("abc")) == Reversed("abc"))
  }
}
