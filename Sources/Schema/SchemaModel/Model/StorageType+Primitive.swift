internal import Foundation
package import ManagedModels

extension StorageType {
  package enum Primitive: String, Hashable, Sendable, CaseIterable {
    case int16, int32, int64, decimal, double, float, bool, string, date, data, uuid, url
  }
}

extension StorageType.Primitive {
  package struct Row: Sendable {
    package let attribute: AttributeType
    /// The Swift types stored this way. Unsigned types are stored in the width of signed ones
    /// (docs/facts/identity.md#type-narrow).
    package let swift: [String]
    package var literals: Set<SwiftLiteral> = []
    /// The field's type in CloudKit (docs/facts/cloudkit.md#attributes).
    package let cloudKit: CloudType
    package var isLong = false
    package var hasOrder = true
    /// Swift expressions of a small value, a usual one and an unusual one. `$0` is the name of the type.
    package let samples: [String]
    /// Makes a value from a number, as `JSONEncoder` writes it. `nil` for a type that accepts any string.
    package var json: (@Sendable (Int) -> String)?
    /// The least and the greatest value; `nil` if there are none, or if they depend on the Swift type.
    package var bounds: (least: StoredValue, greatest: StoredValue)?
    /// Two values that break careless code; empty for most types.
    package var odd: [StoredValue] = []
  }

  package var row: Row { Self.rows[self] ?? ownRow }

  /// The rows are in a dictionary, because a history looks them up tens of thousands of times.
  private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.ownRow) })

  private var ownRow: Row {
    switch self {
    case .int16: Self.whole(.integer16, ["Int16", "Int8", "UInt8", "UInt16"]) { "\($0 % 100)" }
    case .int32: Self.whole(.integer32, ["Int32", "UInt32"]) { "\($0)" }
    case .int64: Self.whole(.integer64, ["Int", "Int64", "UInt", "UInt64"]) { "\($0)" }
    case .decimal:
      Row(
        attribute: .decimal, swift: ["Decimal"], literals: [.number, .fraction], cloudKit: .double,
        samples: ["1", "12.5", "-0.01"], json: { "\($0)" },
        bounds: (.real(-999_999_999_999.25), .real(999_999_999_999.25)),
        odd: [.real(-0.5), .real(0)])
    case .double:
      Row(
        attribute: .double, swift: ["Double", "TimeInterval", "CGFloat"],
        literals: [.number, .fraction], cloudKit: .double, samples: ["1", "2.5", "-0.1"],
        json: { "\($0).5" },
        bounds: (.real(-.greatestFiniteMagnitude), .real(.greatestFiniteMagnitude)),
        odd: [.real(0.1 + 0.2), .real(-0.0)])
    case .float:
      Row(
        attribute: .float, swift: ["Float"], literals: [.number, .fraction], cloudKit: .double,
        samples: ["1", "2.5", "-0.1"], json: { "\($0).5" },
        bounds: (
          .real(-Double(Float.greatestFiniteMagnitude)),
          .real(Double(Float.greatestFiniteMagnitude))
        ), odd: [.real(Double(Float.leastNonzeroMagnitude)), .real(-0.0)])
    case .bool:
      Row(
        attribute: .boolean, swift: ["Bool"], literals: [.boolean], cloudKit: .int64,
        hasOrder: false, samples: ["true", "true", "false"],
        json: { "\($0.isMultiple(of: 2))" }, bounds: (.integer(0), .integer(1)))
    case .string:
      Row(
        attribute: .string, swift: ["String"], literals: [.text], cloudKit: .string, isLong: true,
        samples: ["\"sample\"", "\"usual\"", "\"Ünüsual 'quoted' 日本 \\u{1F600}\""])
    case .date:
      Row(
        attribute: .date, swift: ["Date"], cloudKit: .timestamp,
        samples: ["0", "700_000_000.25", "-1"].map {
          "Date(timeIntervalSinceReferenceDate: \($0))"
        }, json: { "\(700_000_000 + $0)" },
        bounds: (
          .real(Date.distantPast.timeIntervalSinceReferenceDate),
          .real(Date.distantFuture.timeIntervalSinceReferenceDate)
        ),
        odd: [.real(-31_557_600_000_000_000), .real(0.000_000_001)])
    case .data:
      Row(
        attribute: .binary, swift: ["Data"], cloudKit: .bytes, isLong: true, hasOrder: false,
        samples: ["Data([1])", "Data([0, 255])", "Data()"],
        bounds: (.blob(Data([0])), .blob(Data([0xFF]))))
    case .uuid:
      Row(
        attribute: .uuid, swift: ["UUID"], cloudKit: .string,
        samples: Array(repeating: "UUID()", count: 3), json: Self.uuid,
        bounds: (.blob(Data(count: 16)), .blob(Data(repeating: 0xFF, count: 16))))
    case .url:
      Row(
        attribute: .uri, swift: ["URL"], cloudKit: .string, isLong: true, hasOrder: false,
        samples: ["/", "/usual", "/ü n"].map { "URL(filePath: \"\($0)\")" },
        json: { "\"https://example.com/\($0)\"" })
    }
  }

  private static func whole(
    _ attribute: AttributeType, _ swift: [String], json: @escaping @Sendable (Int) -> String
  ) -> Row {
    Row(
      attribute: attribute, swift: swift, literals: [.number], cloudKit: .int64,
      samples: ["1", "42", "$0.max"], json: json, odd: [.integer(-1), .integer(0)])
  }

  private static func uuid(_ number: Int) -> String {
    let digits = String(UInt32(truncatingIfNeeded: number), radix: 16, uppercase: true)
    return "\"00000000-0000-4000-8000-0000" + String(repeating: "0", count: 8 - digits.count)
      + digits + "\""
  }

  package static let bySwiftName: [String: Self] = Dictionary(
    allCases.flatMap { type in type.row.swift.map { ($0, type) } },
    uniquingKeysWith: { first, _ in first })

  /// Swift types that have not been seen in any store, and for which Core Data's public interface has no attribute type
  /// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
  package static let uncertainNames: Set<String> = ["Int8", "UInt16", "UInt", "CGFloat"]

  package var isNumeric: Bool { row.attribute.isNumeric }
}

/// The types of fields in CloudKit, with their names in CloudKit schemas.
package enum CloudType: String, Hashable, Sendable, CaseIterable {
  case asset = "ASSET"
  case bytes = "BYTES"
  case double = "DOUBLE"
  case int64 = "INT64"
  case location = "LOCATION"
  case reference = "REFERENCE"
  case string = "STRING"
  case timestamp = "TIMESTAMP"

  package var canBeEncrypted: Bool { self != .asset && self != .reference }
}

/// One of Swift's types of whole numbers.
package struct SwiftInteger: Equatable, Sendable {
  package let bits: Int
  package let isSigned: Bool

  package init?(_ name: String) {
    isSigned = !name.hasPrefix("U")
    let sizes = ["Int": 64, "Int8": 8, "Int16": 16, "Int32": 32, "Int64": 64]
    guard let bits = sizes[isSigned ? name : String(name.dropFirst())] else { return nil }
    self.bits = bits
  }

  package var greatest: UInt64 { .max >> UInt64(isSigned ? 65 - bits : 64 - bits) }

  /// The values that a store can hold. The column is an Int64 at most.
  package var stored: ClosedRange<Int64> {
    (isSigned ? Int64.min >> Int64(64 - bits) : 0)...Int64(clamping: greatest)
  }
}
