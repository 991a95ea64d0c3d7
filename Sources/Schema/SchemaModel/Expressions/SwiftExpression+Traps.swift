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
}
