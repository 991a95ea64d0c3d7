import Testing

@testable import SchemaModel

/// The literal types of defaults, with which lint recognises a default of another type.
@Suite struct SwiftLiteralTests {
  /// Every short text of the characters in numbers, compared with the grammar as a regular expression.
  @Test func numbersAreWhatTheGrammarSays() throws {
    let whole = /-?(0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|[0-9][0-9_]*)/
    let fraction = /-?[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?/
    var texts = [""]
    for _ in 0..<4 {
      texts = [""] + texts.flatMap { text in "-+019_.xboe".map { "\(text)\($0)" } }
      for text in Set(texts) {
        guard let expression = try? SwiftExpression(text) else { continue }
        let expected: SwiftLiteral? =
          text.wholeMatch(of: whole) != nil
          ? .number : text.wholeMatch(of: fraction) != nil ? .fraction : nil
        #expect(expression.literal == expected, "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("0xFf_0", SwiftLiteral.number), ("0o17", .number), ("0b1_0", .number), ("-1_000", .number),
    ("1_0.2_5e-3", .fraction), ("-2E10", .fraction), ("nil", .nothing), ("false", .boolean),
    ("\"1\"", .text), ("[1, 2]", .list), ("[:]", .dictionary),
  ])
  func literalsAreKnown(text: String, literal: SwiftLiteral) throws {
    #expect(try SwiftExpression(text).literal == literal)
  }

  @Test(arguments: [
    "0xG", "0x1.8p3", ".5", "1.e3", "1e", "1e1_0", "1._5", "--1", "1 + 1", "٣", "Int(1)",
    "[\"a\": 1]", "[1][0]", "[a ? b : c]",
  ])
  func allElseIsForTheCompiler(text: String) throws {
    #expect(try SwiftExpression(text).literal == nil)
  }
}
