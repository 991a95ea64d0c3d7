/// Operations that end the process on some values.
extension SwiftExpression {
  /// The first part of the expression that can trap, as written: `!`, `try!`, `fatalError`.
  package var trap: String? {
    let code = code
    if let call = Self.trappingCalls.first(where: code.contains) { return call }
    let letters = Array(code)
    for index in letters.indices.dropFirst() where letters[index] == "!" {
      let before = letters[index - 1]
      let after = index + 1 < letters.count ? letters[index + 1] : " "
      if before.isLetter || before.isNumber || ")]}_".contains(before), after != "=" { return "!" }
    }
    // An argument with bounds, such as `max(0, $0)`, does not trap.
    return Self.bounds.lazy.compactMap { code.firstMatch(of: $0)?.output }
      .first { !$0.argument.contains("max(") }.map { text(of: $0.0, in: code) }
  }

  /// Calls that trap on a negative or too large number, an empty string, or equal keys. Each pattern captures the
  /// argument that decides whether the call traps.
  private nonisolated(unsafe) static let bounds: [Regex<(Substring, argument: Substring)>] = [
    // Lengths: `String(repeating: "x", count: $0)`, `$0.prefix($1)`.
    /\bcount: *(?<argument>[^,()]*\$\d[^)]*)\)/,
    /\.(?:prefix|suffix|dropFirst|dropLast|removeFirst|removeLast)\((?<argument>[^()]*\$\d[^)]*)\)/,
    // Places: `$0.index(after: $0.startIndex)`, `["low", "high"][$0]`, `$0[$1...]`.
    /\.(?:index|formIndex)\((?<argument>(?:after|before):[^)]*)\)/,
    /\[[^\[\]:]*,[^\[\]:]*\]\[(?<argument>[^\]]*\$\d[^\]]*)\]/,
    /\.(?:prefix|suffix)\((?<argument>(?:from|through|upTo):[^)]*)\)/,
    /\.substring\((?<argument>[^)]*)\)/,
    /\b(?:maxSplits|radix|toLength): *(?<argument>[^,)]*\$\d[^,)]*)/,
    /\$\d\??\[(?<argument>\d+ *\.\.[.<] *\d*)\]/,
    // Ranges whose end may be before their beginning.
    /\bDateInterval\((?<argument>start: *[^)]*\$\d[^)]*)\)/,
    /\.\.[.<] *(?<argument>\$\d[\w.]*)/,
    /\bstride\((?<argument>[^)]*by: *[^)]*\$\d[^)]*)\)/,
    // Calls that trap on an empty value, several characters, or equal keys.
    /\.(?:removeFirst|removeLast)\((?<argument> *)\)/,
    /\bCharacter\((?<argument>\$\d[^)]*)\)/,
    /(?<argument>\buniqueKeysWithValues:)/,
  ]

  private static let trappingCalls = [
    "try!", "as!", "fatalError", "preconditionFailure", "unsafelyUnwrapped",
  ]

  /// A whole number made from a fraction. The conversion traps on NaN, infinity or a number that is too large.
  package struct Cast: Hashable, Sendable {
    package var text: String
    /// The expression that returns nil where `text` traps: if the fraction is not finite or is too large.
    package var safe: String
    /// Whether the conversion traps. If not, it returns an arbitrary number.
    package var isTrap = true
    /// Whether a closure of `map` returns the conversion. If so, `map` must become `flatMap` or `compactMap`.
    package var isMapped = false
  }
}
