import Foundation
import Testing

@testable import SchemaMigrationKit

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
