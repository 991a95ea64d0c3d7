import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

@Suite struct InflateTests {
  static let words =
    "version entity entity model x483 name model model version entity model x272 name entity ZUSER entity x26 entity model name model entity name model model name name name model ZUSER entity version x944 name x644 ZUSER x123 x340 x996 model x519 ZUSER version model version version entity name model x424 ZUSER x561 x794 ZUSER model version name model model entity entity x315 version version x403 name name name version model ZUSER version model ZUSER version x623 model x802 name version model entity ZUSER version version model ZUSER ZUSER version version version model entity name name version entity version ZUSER x33 entity entity entity ZUSER ZUSER version ZUSER entity name version name ZUSER x663 model ZUSER model entity model model name "
  static let dynamic =
    "6d52410ec22010fc0a4f282ca5e5017e40e3c59b891c9ad836d1a6597f6f5316ed001760876176769735bcdec33ca9302dc3f249db383fc253b1ed494df731481cd7155f08d574265205be5d2fa7730ad838a41f44052fd2ecc07f8920a82623ecad8d2476db2972581b524cb6d9aebd4b2e5bede53e3dc69ab2da0e99d99a9f74ebb4e2cea718258a42b0b34cba2dd2b16d282f180dd64c23c66e2b58bcf68da989c068720f47cd3aa32a561acea6233d23ca1a016630214c19b4f740149d23300db68a9ff405"

  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
    }
  }

  // Compressed by zlib.
  @Test(
    arguments: [
      ("0300", ""), ("cb48cdc9c957c8402701", "hello hello hello hello"), (dynamic, words),
      ("010300fcff616263", "abc"),
    ])
  func expands(_ hexadecimal: String, _ text: String) throws {
    let expanded = try Inflate.expand(Self.bytes(hexadecimal), limit: 10_000)
    #expect(String(decoding: expanded, as: UTF8.self) == text)
  }

  @Test func neverMoreThanAllowed() {
    #expect(throws: Inflate.Failure.tooLarge) {
      try Inflate.expand(Self.bytes(Self.dynamic), limit: Self.words.utf8.count - 1)
    }
    #expect(throws: Inflate.Failure.tooLarge) {
      try Inflate.expand(Self.bytes("010300fcff616263"), limit: 2)
    }
  }

  @Test("Malformed DEFLATE data is refused or decoded, and never crashes")
  func broken() {
    let bytes = Self.bytes(Self.dynamic)
    for count in 0..<bytes.count {
      #expect(throws: Inflate.Failure.malformed) {
        try Inflate.expand(Array(bytes.prefix(count)), limit: 10_000)
      }
    }
    for bit in 0..<bytes.count * 8 {
      var turned = bytes
      turned[bit / 8] ^= 1 << UInt8(bit % 8)
      // Another text or an error, but no crash.
      _ = try? Inflate.expand(turned, limit: 10_000)
    }
  }
}

@Suite struct BinaryPropertyListTests {
  @Test func readsWhatFoundationWrites() throws {
    let value: [String: Any] = [
      "text": "Ärger", "ascii": "trip", "number": 300, "negative": -1, "real": 0.5, "yes": true,
      "date": Date(timeIntervalSinceReferenceDate: 7), "data": Data([1, 2]),
      "list": (0..<20).map { $0 }, "nested": ["a": ["b": "c"]],
    ]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    let list = try #require(BinaryPropertyList(Array(bytes), budget: 10_000))
    let read = try #require(list.foundationValue() as? NSDictionary)
    #expect(read == value as NSDictionary)
  }

  @Test func whatRefersToItselfEnds() throws {
    var writer = PropertyListWriter()
    let root = writer.add(.array([0, 0]))
    let list = try #require(BinaryPropertyList(writer.bytes(root: root), budget: 10_000))
    #expect(list.foundationValue() == nil)
  }

  @Test("Nested lists with 2^31 elements cost no more than the byte budget")
  func bomb() throws {
    var writer = PropertyListWriter()
    var last = writer.add(.text("x"))
    for _ in 0..<30 { last = writer.add(.array([last, last])) }
    let list = try #require(BinaryPropertyList(writer.bytes(root: last), budget: 100_000))
    #expect(list.foundationValue() == nil)
    #expect(list.isExhausted)
  }

  @Test(
    "A damaged byte does not crash the reader of model caches",
    .enabled(if: Checkout.runsEverything))
  func damaged() throws {
    let bytes = ModelArchive.bytes(of: Stores.trips)
    for place in bytes.indices where place % 3 == 0 {
      for value: UInt8 in [0x00, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        _ = BinaryPropertyList(damaged, budget: 100_000)?.foundationValue()
        _ = try? ModelCache(ModelArchive.deflated(damaged))
      }
    }
  }
}

@Suite struct ModelCacheTests {
  @Test func readsAModel() throws {
    let cache = try ModelCache(ModelArchive.content(of: Stores.trips))
    var expected = Stores.trips
    expected.entities.sort { $0.name < $1.name }
    for index in expected.entities.indices {
      // In the archive a to-one relationship has a maximum of 1.
      for place in expected.entities[index].relationships.indices
      where !expected.entities[index].relationships[place].isToMany {
        expected.entities[index].relationships[place].maximumCount = 1
      }
    }
    #expect(cache.model == expected)
    #expect(cache.notes.isEmpty)
  }

  @Test(
    arguments: [
      (Data(), "it cannot be expanded"), (Data("hello".utf8), "it cannot be expanded"),
      (ModelArchive.deflated(Array("hello".utf8)), "it is not a property list"),
    ])
  func refuses(_ content: Data, _ reason: String) {
    #expect(throws: StoreError(.notAStore, "the store's model cache cannot be read: \(reason)")) {
      try ModelCache(content)
    }
  }

  /// A gigabyte of zeros deflates to a megabyte, and 80 MB to 80 KB. The blocks of copies are written by hand.
  @Test func aBombIsNotExpanded() {
    // Fixed codes: a literal zero, then copies of length 258 and distance 1.
    var bits: [UInt8] = [1, 1, 0]
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<300_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() { bytes[index / 8] |= bit << UInt8(index % 8) }
    #expect(
      throws: StoreError(
        .notAStore,
        "the store's model cache cannot be read: expanded, it would have more than 64 MB")
    ) { try ModelCache(Data(bytes)) }
  }

  @Test func entitiesThatInheritInCirclesAreRefused() {
    var model = Stores.trips
    model.entities[0].superentity = "Stop"
    model.entities[1].superentity = "Trip"
    #expect(throws: StoreError.self) { try ModelCache(ModelArchive.content(of: model)) }
  }

  @Test(
    "A model that would take hours to lay out is refused", .enabled(if: Checkout.runsEverything)
  )
  func hugeModels() {
    let attributes = (0..<3_000).map { ManagedAttribute(name: "a\($0)", type: .string) }
    let root = ManagedEntity(name: "Root", attributes: attributes)
    let tree = (0..<1_000).map { ManagedEntity(name: "E\($0)", superentity: "Root") }
    let wide = (0..<10).map { ManagedEntity(name: "W\($0)", attributes: attributes) }
    for entities in [tree + [root], wide] {
      let model = ManagedModel(entities: entities, versionIdentifier: "1")
      #expect(
        throws: StoreError(
          .notAStore,
          "the store's model cache cannot be read: it has more properties than any app's model")
      ) { try ModelCache(ModelArchive.content(of: model)) }
    }
  }
}
