import SchemaModel
import Testing

/// Expressions that end a migration on a number that does not fit, and similar ones that do not.
@Suite struct CastTests {
  private static let fraction: [String: SwiftExpression.Number] = ["$0": .fraction]
  private static let whole: [String: SwiftExpression.Number] = [
    "$0": .integer(bits: 64, isSigned: true), "$1": .integer(bits: 64, isSigned: true),
  ]

  @Test(arguments: [
    ("Int($0 * 100)", "Int(exactly: ($0 * 100).rounded())"),
    ("Int($0)", "Int(exactly: $0.rounded())"),
    ("Int($0.rounded())", "Int(exactly: $0.rounded())"),
    ("Int(($0 * 100).rounded())", "Int(exactly: ($0 * 100).rounded())"),
    ("UInt8($0)", "UInt8(exactly: $0.rounded())"),
    ("$0 == 0 ? 1 : Int32($0 + 1)", "Int32(exactly: ($0 + 1).rounded())"),
    ("$0.map { Int($0) }", "Int(exactly: $0.rounded())"),
    ("$0.map(Int.init)", "flatMap { Int(exactly: $0.rounded()) }"),
    ("Int.init($0)", "Int(exactly: $0.rounded())"),
    ("Int($0.rounded(.up) * 2)", "Int(exactly: ($0.rounded(.up) * 2).rounded())"),
    ("Int(max($0, 0))", "Int(exactly: (max($0, 0)).rounded())"),
    ("Int(max(min($0, 9), 0))", "Int(exactly: (max(min($0, 9), 0)).rounded())"),
    ("\"\" + String(Int($0))", "Int(exactly: $0.rounded())"),
    ("Int($0 ?? 0)", "Int(exactly: ($0 ?? 0).rounded())"),
    ("lround($0 * 100)", "Int(exactly: ($0 * 100).rounded())"),
    ("Int(lround($0))", "Int(exactly: $0.rounded())"),
    ("Int16(llrint($0 + 1))", "Int16(exactly: ($0 + 1).rounded())"),
    ("Int(lround($0) + 1)", "Int(exactly: $0.rounded())"),
  ]) func fractions(_ text: String, _ safe: String) throws {
    #expect(try SwiftExpression(text).cast(of: Self.fraction)?.safe == safe)
    #expect(
      try SwiftExpression(safe.hasPrefix("flatMap") ? "$0." + safe : safe).cast(of: Self.fraction)
        == nil)
  }

  @Test(
    "A cast is recognised whatever the closure calls its parameter",
    arguments: [
      "$0.map { x in Int(x * 100) }", "$0.map { (x: Double) in Int(x) }",
      "$0.map { (x: Double) -> Int in return Int(x) }", "[$0].map { x in lround(x) }.first ?? 0",
      "{ price in Int(price.rounded()) }($0)",
    ]) func named(_ text: String) throws
  {
    let cast = try #require(try SwiftExpression(text).cast(of: Self.fraction))
    #expect(cast.safe.contains("exactly: ") && cast.isMapped == text.contains("map"))
    #expect(cast.isTrap == !text.contains("lround"))
  }

  @Test(arguments: [
    ("UInt8($0)", "UInt8(exactly: $0)"), ("UInt($0)", "UInt(exactly: $0)"),
    ("Int(UInt8(bitPattern: Int8($0)))", "Int8(exactly: $0)"),
    ("String(Int64($0)) + String(Int8($0))", "Int8(exactly: $0)"),
    ("Int32($0 + $1)", "Int32(exactly: $0 + $1)"), ("$0 / $1", "$1 == 0 ? nil : … / $1"),
    ("$0.map(Int16.init)", "flatMap { Int16(exactly: $0) }"),
  ]) func wholeNumbers(_ text: String, _ safe: String) throws {
    #expect(try SwiftExpression(text).cast(of: Self.whole)?.safe == safe)
  }

  /// A conversion from a text, and one from a date.
  @Test(arguments: ["Int((Double($0) ?? 0) * 100)", "Int32($0.timeIntervalSince1970)"])
  func whatIsMadeOfOthers(_ text: String) throws {
    #expect(try SwiftExpression(text).cast(of: ["$1": .fraction]) != nil)
  }

  @Test(arguments: [
    "Int(exactly: $0) ?? 0", "Int(exactly: ($0 * 100).rounded())", "String($0)", "Double($0)",
    "Int(clamping: $0)", "$0.isFinite ? Int(max(min($0, 9), 0)) : 0", "Int($0 > 5 ? 1 : 0)",
    "$0 > 0 && $0 < 1e9 ? Int($0) : 0", "$0.description.count", "Int(\"7\") ?? 0",
    "\"Int($0)\"", "MyInt($0)", "$0 / 100", "$0.map { x in Int(exactly: x) }",
    "$0.description.map { x in Int(x) }.count", "$0.isFinite ? lround(max(min($0, 9), 0)) : 0",
  ]) func fractionsThatAreHeld(_ text: String) throws {
    #expect(try SwiftExpression(text).cast(of: Self.fraction) == nil)
  }

  @Test(arguments: [
    "Int($0)", "Int64($0)", "Double($0)", "UInt8(min(max($0, 0), 255))", "UInt8(clamping: $0)",
    "$1 == 0 ? 0 : $0 / $1", "$0 / 100", "Int32(truncatingIfNeeded: $0)", "$0 > 9 ? 9 : Int8($0)",
  ]) func wholeNumbersThatFit(_ text: String) throws {
    #expect(try SwiftExpression(text).cast(of: Self.whole) == nil)
  }

  @Test func elements() throws {
    #expect(
      try SwiftExpression("String($0.split(separator: \" \")[1])").element?.safe
        == ".dropFirst(1).first")
    #expect(try SwiftExpression("$0[0]").element?.safe == ".first")
    #expect(try SwiftExpression("[0, 1]").element == nil)
    #expect(try SwiftExpression("$0 + \"a[0]\"").element == nil)
  }
}
