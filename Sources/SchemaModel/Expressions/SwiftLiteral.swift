/// What an expression plainly is: one literal of Swift.
package enum SwiftLiteral: Hashable, Sendable {
  case text, number, fraction, boolean, list, dictionary, nothing

  /// With its article, as in `"x" is a String`.
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
  /// The literal that the whole expression is; nil for all else, of which only the compiler knows the type.
  package var literal: SwiftLiteral? {
    switch text {
    case "nil": return .nothing
    case "true", "false": return .boolean
    default: break
    }
    if isText { return .text }
    if text.wholeMatch(of: /-?(0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|[0-9][0-9_]*)/) != nil {
      return .number
    }
    if text.wholeMatch(of: /-?[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?/) != nil {
      return .fraction
    }
    guard text.hasPrefix("["), endsWithFirstBracket else { return nil }
    if text == "[:]" { return .dictionary }
    // A colon may be a dictionary's, a label's or a condition's.
    return text.contains(":") ? nil : .list
  }
}

extension TypeReference {
  /// Whether a literal can be a value of the type; nil where that is for the compiler to say: an app's own types may take
  /// any literal.
  package func accepts(_ literal: SwiftLiteral) -> Bool? {
    let isNothing = literal == .nothing
    switch self {
    case .optional(let wrapped): return isNothing ? true : wrapped.accepts(literal)
    case .array: return literal == .list
    case .dictionary: return literal == .dictionary
    case .named("Set", _): return literal == .list
    case .named(let name, arguments: []):
      guard let primitive = StorageType.Primitive.bySwiftName[name] else { return nil }
      switch primitive {
      case .string: return literal == .text
      case .bool: return literal == .boolean
      case .int16, .int32, .int64: return literal == .number
      case .decimal, .double, .float: return literal == .number || literal == .fraction
      // Apps let some of these be written as text.
      case .date, .data, .uuid, .url: return literal == .text ? nil : false
      }
    case .named: return nil
    }
  }
}
