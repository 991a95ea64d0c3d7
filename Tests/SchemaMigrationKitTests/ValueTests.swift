import Foundation
import Testing

@testable import SchemaMigrationKit

@Suite struct DigestTests {
  /// FIPS 180-4's examples, and NIST's long one.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      "a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func vectors(text: String, count: Int, expected: String) {
    var digest = StreamedDigest()
    Data(String(repeating: text, count: count).utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.finalize() == expected)
  }

  @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 127, 128, 1000])
  func piecesGiveWhatTheWholeGives(length: Int) {
    let data = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) })
    var whole = StreamedDigest()
    data.withUnsafeBytes { whole.update($0) }
    var pieces = StreamedDigest()
    for start in stride(from: 0, to: data.count, by: length) {
      data[start..<min(start + length, data.count)].withUnsafeBytes { pieces.update($0) }
    }
    #expect(pieces.finalize() == whole.finalize())
  }
}

@Suite struct TimestampTests {
  @Test func isUTCAndSortable() throws {
    let timestamp = Timestamp(Date(timeIntervalSince1970: 1_763_199_011.123))
    #expect(timestamp.text == "20251115T093011123Z")
    #expect(Timestamp(timestamp.text) == timestamp)
    #expect(Timestamp(Date(timeIntervalSince1970: -0.5)).text == "19691231T235959500Z")
  }

  @Test(arguments: [
    "", "20251115T093011123", "20250231T093011123Z", "20251115T093011123ZZ", "2025111ST093011123Z",
    "20251115T253011123Z", "20251115 093011123Z",
  ])
  func refuses(text: String) { #expect(Timestamp(text) == nil) }
}

@Suite struct StoreVersionTests {
  @Test(arguments: [("9", "9.0.0"), ("9.1", "9.1.0"), ("10.2.3", "10.2.3")])
  func reads(text: String, expected: String) {
    #expect(StoreVersion(text)?.description == expected)
  }

  @Test(arguments: ["", "1.", ".1", "1.2.3.4", "-1", "V1", "1 ", "+1", "99999999999999999999"])
  func refuses(text: String) { #expect(StoreVersion(text) == nil) }

  @Test func ordersByNumber() {
    #expect(StoreVersion(9, 0, 0) < StoreVersion(10, 0, 0))
    #expect(StoreVersion(1, 2, 9) < StoreVersion(1, 10, 0))
  }
}
