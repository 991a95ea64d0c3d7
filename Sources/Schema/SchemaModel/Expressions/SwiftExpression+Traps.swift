/// What ends the process on some values.
extension SwiftExpression {
  /// What can trap, as it is written: `!`, `try!`, `fatalError`.
  package var trap: String? {
    let code = code
    if let call = Self.trappingCalls.first(where: code.contains) { return call }
    let letters = Array(code)
    for index in letters.indices.dropFirst() where letters[index] == "!" {
      let before = letters[index - 1]
      let after = index + 1 < letters.count ? letters[index + 1] : " "
      if before.isLetter || before.isNumber || ")]}_".contains(before), after != "=" { return "!" }
    }
    return nil
  }

  private static let trappingCalls = [
    "try!", "as!", "fatalError", "preconditionFailure", "unsafelyUnwrapped",
  ]

  /// A whole number that is made of a fraction, and traps where that is none, or is too large.
  package struct Cast: Hashable, Sendable {
    /// `Int(old.price * 100)`.
    package var text: String
    /// The same without the trap: nil where the fraction is none, or is too large.
    package var safe: String
    /// Whether the process ends there; else any number is made of it.
    package var isTrap = true
    /// Whether a closure of `map` returns it, which has to be `flatMap` or `compactMap` then.
    package var isMapped = false
  }

  /// The first whole number that is made of nothing but fractions and numbers.
  ///
  /// - Parameter fractions: What is known to be one: `old.price`.
  package func cast(ofFractions fractions: Set<String>) -> Cast? {
    guard !fractions.isEmpty else { return nil }
    for match in code.matches(of: /(?<type>U?Int(8|16|32|64)?)\((?<rest>.*)/) {
      let before = code[..<match.range.lowerBound].last
      guard before.map({ !($0.isLetter || $0.isNumber || "_.".contains($0)) }) ?? true else {
        continue
      }
      var depth = 1
      let argument = match.rest.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      }
      guard Self.isFraction(argument, of: fractions) else { continue }
      return Cast(
        text: "\(match.type)(\(argument))",
        safe: "\(match.type)(exactly: (\(argument)).rounded(.towardZero))")
    }
    return nil
  }

  /// Whether a fraction is reckoned from fractions and numbers alone.
  private static func isFraction(_ text: Substring, of fractions: Set<String>) -> Bool {
    let words = text.split { "+-*/() ".contains($0) }.map { word in
      word.hasSuffix(".rounded") ? word.dropLast(8) : word
    }
    return words.contains { fractions.contains(String($0)) }
      && words.allSatisfy { word in
        fractions.contains(String(word)) || Double(word) != nil || word.isEmpty
          || [".up", ".down", ".towardZero", ".awayFromZero", ".toNearestOrEven"].contains(word)
      }
  }
}
