/// A Swift literal that is a whole expression.
package enum SwiftLiteral: Hashable, Sendable {
  case text, number, fraction, boolean, list, dictionary, nothing

  package var words: String {
    switch self {
    case .text: "a String"
    case .number: "a number"
    case .fraction: "a number with a fraction"
    case .boolean: "a Bool"
    case .list: "an array"
    case .dictionary: "a dictionary"
    case .nothing: "no value"
    }
  }
}

extension SwiftExpression {
  /// The literal that makes up the whole expression. `nil` for anything else, because only the compiler knows its type.
  package var literal: SwiftLiteral? {
    switch text {
    case "nil": return .nothing
    case "true", "false": return .boolean
    default: break
    }
    if isText { return .text }
    var number = NumberReader(text)
    if let number = number.read() { return number }
    guard text.hasPrefix("["), endsWithFirstBracket else { return nil }
    if text == "[:]" { return .dictionary }
    // A colon may belong to a dictionary, a label or a condition.
    return text.contains(":") ? nil : .list
  }
}

/// Reads a number in Swift's syntax. The reader is written by hand for speed, because a history has thousands of
/// defaults.
private struct NumberReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func read() -> SwiftLiteral? {
    _ = take(oneOf: "-")
    if rest.first == UInt8(ascii: "0"), let digits = Self.digits[rest.dropFirst().first ?? 0] {
      rest = rest.dropFirst(2)
      return !rest.isEmpty && rest.allSatisfy(digits.contains) ? .number : nil
    }
    guard take(Self.decimalDigits) else { return nil }
    if rest.isEmpty { return .number }
    if take(oneOf: "."), !take(Self.decimalDigits) { return nil }
    if take(oneOf: "eE") {
      _ = take(oneOf: "+-")
      guard take("0123456789".utf8) else { return nil }
    }
    return rest.isEmpty ? .fraction : nil
  }

  private static let decimalDigits = "0123456789_".utf8
  private static let digits = [
    UInt8(ascii: "x"): "0123456789ABCDEFabcdef_".utf8, UInt8(ascii: "b"): "01_".utf8,
    UInt8(ascii: "o"): "01234567_".utf8,
  ]

  /// Consumes digits. The first digit cannot be `_`.
  private mutating func take(_ digits: String.UTF8View) -> Bool {
    guard let first = rest.first, first != UInt8(ascii: "_"), digits.contains(first) else {
      return false
    }
    rest = rest.drop(while: digits.contains)
    return true
  }

  private mutating func take(oneOf characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension TypeReference {
  /// Whether a literal can be a value of the type. `nil` if only the compiler can tell, because an app's types may
  /// accept any literal.
  package func accepts(_ literal: SwiftLiteral) -> Bool? {
    let isNothing = literal == .nothing
    switch self {
    case .optional(let wrapped): return isNothing ? true : wrapped.accepts(literal)
    case .array: return literal == .list
    case .dictionary: return literal == .dictionary
    case .named("Set", _): return literal == .list
    case .named(let name, arguments: []):
      guard let primitive = StorageType.Primitive.bySwiftName[name] else { return nil }
      let literals = primitive.row.literals
      // Apps create some types without literals from a string.
      return literals.isEmpty && literal == .text ? nil : literals.contains(literal)
    case .named: return nil
    }
  }
}
