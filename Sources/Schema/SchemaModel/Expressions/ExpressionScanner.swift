/// The properties of an expression that a scan finds.
struct ExpressionTraits: Hashable, Sendable {
  var placeholderUses: [Int] = []
  var isPrimary = true
  var isUnqualified = false
  var hasTopLevelBrace = false
  var isString = false
  /// Whether the expression ends with the bracket that its first bracket opens.
  var isOneCall = false
  var fallback: Int?
  var interpolated: Set<Int> = []
  /// Whether the expression is more than a name and should be evaluated only once.
  var isCostly = false

  var placeholderCount: Int { placeholderUses.count }
}

/// Scans an expression once: checks it, notes its traits and, on request, replaces placeholders.
struct ExpressionScanner {
  static let deepest = 64

  let bytes: [UInt8]
  var position = 0
  var brackets: [UInt8] = []
  var traits = ExpressionTraits()
  var replacements: [SwiftExpression]?
  var output = ""
  var notesTexts = false
  private(set) var texts: [Range<Int>] = []
  private var copied = 0
  private var hasClosed = false
  /// The last byte that is not a space; 0 at the start. It distinguishes infix from postfix operators.
  private var previous: UInt8 = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func scan() throws(SwiftExpression.SyntaxError) {
    guard !bytes.isEmpty else { throw error("an expression is missing", at: 0) }
    try refuseHiddenCharacters()
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""): try skipString(hashes: 0)
      case UInt8(ascii: "#"): try skipRawString()
      case UInt8(ascii: "`"): try skipQuotedName()
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): try open(byte)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): try close(byte)
      case UInt8(ascii: "$"): try placeholder()
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        if brackets.isEmpty {
          throw error("'\(Character(Unicode.Scalar(byte)))' would end the expression")
        }
        if byte == UInt8(ascii: ";"), brackets.last != UInt8(ascii: "{") {
          throw error("';' would end the expression")
        }
        advance()
      case UInt8(ascii: "/"):
        if position + 1 < bytes.count,
          bytes[position + 1] == UInt8(ascii: "/") || bytes[position + 1] == UInt8(ascii: "*")
        {
          throw error("a comment would hide what follows it")
        }
        if couldBeginRegex() {
          throw error("a '/' here could begin a regular expression; put spaces around it")
        }
        operatorByte()
      case UInt8(ascii: "*"):
        if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "/") {
          throw error("'*/' would end a comment")
        }
        operatorByte()
      case UInt8(ascii: "'"): throw error("Swift strings are written with '\"'")
      case 0xE2 where bytes[position...].starts(with: "…".utf8):
        var error = error("'…' is a placeholder")
        error.help = ["replace the placeholder with Swift"]
        throw error
      case UInt8(ascii: "@"): throw error("'@' does not belong in an expression")
      case UInt8(ascii: "\\") where !followsWithDot(): throw error("'\\' does not belong here")
      case UInt8(ascii: "."):
        noteImplicitMember()
        advance()
      case UInt8(ascii: " "): position += 1
      case UInt8(ascii: "?"), UInt8(ascii: "!"):
        if isPostfixPlace(), nextByte() != byte { advance() } else { operatorByte() }
      case let byte where Self.isOperator(byte): operatorByte()
      default: word()
      }
    }
    if let bracket = brackets.last {
      throw error("'\(Character(Unicode.Scalar(bracket)))' is never closed", at: bytes.count)
    }
    if let last = bytes.last, endsWithOperator(last) {
      throw error("a value must follow '\(Character(Unicode.Scalar(last)))'", at: bytes.count)
    }
    if replacements != nil { output += text(copied..<bytes.count) }
  }

  /// Whether the expression ends with an operator. A '?' or '>' may also end a type, as in `$0 as Set<String>?`.
  private func endsWithOperator(_ last: UInt8) -> Bool {
    if last == UInt8(ascii: "?") {
      return bytes.dropLast().last { $0 != last } == UInt8(ascii: " ")
    }
    return "+-*/%=<&|^~:.".utf8.contains(last)
  }

  // MARK: Pieces

  private mutating func word() {
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    if position == start {
      // A `.member` after a key path would become part of the key path.
      if brackets.isEmpty, bytes[position] == UInt8(ascii: "\\") { traits.isPrimary = false }
      position += 1
    }
    let isFirst = previous == 0
    let follows = previous != 0 && Self.endsOperand(previous) && brackets.isEmpty
    previous = bytes[position - 1]
    guard brackets.isEmpty else { return }
    // Two words in a row (`try x`, `a as B`, `await x`) are not a primary expression.
    if follows { traits.isPrimary = false }
    if isFirst || !traits.isPrimary {
      let word = text(start..<position)
      if ["try", "await", "if", "switch", "repeat"].contains(word) { traits.isPrimary = false }
    }
  }

  private mutating func operatorByte() {
    if brackets.isEmpty {
      traits.isPrimary = false
      let isCoalescing = bytes[position...].starts(with: "??".utf8)
      if isCoalescing { traits.fallback = position + 2 }
    }
    advance()
  }

  private mutating func placeholder() throws(SwiftExpression.SyntaxError) {
    let start = position
    position += 1
    guard position < bytes.count, (48...57).contains(bytes[position]) else {
      throw error("'$' must be followed by a digit, as in '$0'", at: start)
    }
    let index = Int(bytes[position] - 48)
    position += 1
    if position < bytes.count, Self.isWord(bytes[position]) {
      throw error("at most ten values can be named: '$0' to '$9'", at: start)
    }
    // In a closure within the expression, `$0` is the closure's parameter.
    if !brackets.contains(UInt8(ascii: "{")) { use(index, at: start) }
    previous = UInt8(ascii: "0")
  }

  /// Counts a placeholder that ends here, and replaces it on request.
  ///
  /// - Parameter isWhole: Whether the placeholder is alone inside brackets.
  private mutating func use(_ index: Int, at start: Int, isWhole: Bool = false) {
    while traits.placeholderUses.count <= index { traits.placeholderUses.append(0) }
    traits.placeholderUses[index] += 1
    guard let replacements, index < replacements.count else { return }
    let argument = replacements[index]
    output += text(copied..<start) + (isWhole ? argument.text : argument.operandText)
    copied = position
  }

  private mutating func open(_ byte: UInt8) throws(SwiftExpression.SyntaxError) {
    guard brackets.count < Self.deepest else {
      throw error("brackets nest more than \(Self.deepest) deep")
    }
    if byte == UInt8(ascii: "{") {
      if brackets.isEmpty { traits.hasTopLevelBrace = true }
    }
    if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "["), previous != 0,
      Self.endsOperand(previous)
    {
      traits.isCostly = true
    }
    brackets.append(byte)
    advance()
  }

  private mutating func close(_ byte: UInt8) throws(SwiftExpression.SyntaxError) {
    let partner: UInt8 =
      byte == UInt8(ascii: ")")
      ? UInt8(ascii: "(") : byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{")
    guard brackets.last == partner else {
      throw error("'\(Character(Unicode.Scalar(byte)))' closes nothing")
    }
    brackets.removeLast()
    if brackets.isEmpty {
      traits.isOneCall = !hasClosed && position == bytes.count - 1
      hasClosed = true
    }
    advance()
  }

  /// Records a `.member` with no operand before it. Only the context could give the member's type.
  private mutating func noteImplicitMember() {
    guard !Self.endsOperand(previous) || previous == 0 else { return }
    let inArrayLiteral = brackets.allSatisfy { $0 == UInt8(ascii: "[") }
    if inArrayLiteral,
      previous == 0 || previous == UInt8(ascii: "[") || previous == UInt8(ascii: ",")
        || previous == UInt8(ascii: ":")
    {
      traits.isUnqualified = true
    }
  }

  private mutating func skipQuotedName() throws(SwiftExpression.SyntaxError) {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`") { position += 1 }
    guard position < bytes.count else { throw error("'`' is never closed", at: start) }
    previous = UInt8(ascii: "a")
    position += 1
  }

  private mutating func skipRawString() throws(SwiftExpression.SyntaxError) {
    let start = position
    var hashes = 0
    while position < bytes.count, bytes[position] == UInt8(ascii: "#") {
      hashes += 1
      position += 1
    }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw error("'#' does not belong in an expression", at: start)
    }
    try skipString(hashes: hashes)
  }

  private mutating func skipString(hashes: Int) throws(SwiftExpression.SyntaxError) {
    let start = position
    position += 1
    if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\""),
      bytes[position + 1] == UInt8(ascii: "\"")
    {
      throw error("a multi-line string is not allowed here", at: start)
    }
    var textStart = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\"):
        guard hasHashes(hashes, at: position + 1) else {
          position += 1
          continue
        }
        let escaped = position + 1 + hashes
        if escaped < bytes.count, bytes[escaped] == UInt8(ascii: "(") {
          if notesTexts { texts.append(textStart..<escaped) }
          position = escaped
          try skipInterpolation()
          textStart = position
        } else {
          position = escaped + 1
        }
      case UInt8(ascii: "\""):
        guard hasHashes(hashes, at: position + 1) else {
          position += 1
          continue
        }
        if notesTexts { texts.append(textStart..<position) }
        position += 1 + hashes
        previous = UInt8(ascii: "\"")
        traits.isString = start == hashes && position == bytes.count
        return
      default: position += 1
      }
    }
    throw error("the string is never closed", at: start)
  }

  /// Skips `( … )` within a string. Its contents are a separate expression.
  private mutating func skipInterpolation() throws(SwiftExpression.SyntaxError) {
    let start = position
    var depth = 0
    // Counts the open closures inside and around the interpolation, in which `$0` is the closure's parameter.
    var braces = brackets.count { $0 == UInt8(ascii: "{") }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        braces += bytes[position] == UInt8(ascii: "{") ? 1 : -1
        position += 1
      case UInt8(ascii: "("):
        depth += 1
        guard depth <= Self.deepest else {
          throw error("brackets nest more than \(Self.deepest) deep")
        }
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
        if depth == 0 { return }
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        var refusal = error(
          "a string inside a string's interpolation is not allowed: schemagen does not parse Swift, and could take the "
            + "inner quote for the end of the outer string")
        refusal.help = [
          "join the parts with '+' instead: \"to \" + name($0, \"x\")",
          "or write a function, where one is allowed: { function: name }",
        ]
        throw refusal
      case UInt8(ascii: "/")
      where nextByte() == UInt8(ascii: "/") || nextByte() == UInt8(ascii: "*"):
        throw error("a comment would hide what follows it")
      case UInt8(ascii: "$"):
        let digit = position + 1 < bytes.count ? bytes[position + 1] : 0
        position += 1
        guard (48...57).contains(digit) else { continue }
        position += 1
        guard braces == 0 else { continue }
        traits.interpolated.insert(Int(digit - 48))
        let isWhole =
          bytes[position - 3] == UInt8(ascii: "(") && position < bytes.count
          && bytes[position] == UInt8(ascii: ")")
        use(Int(digit - 48), at: position - 2, isWhole: isWhole)
      default: position += 1
      }
    }
    throw error("'(' is never closed", at: start)
  }

  // MARK: Characters

  private func refuseHiddenCharacters() throws(SwiftExpression.SyntaxError) {
    // Nearly every expression is printable ASCII. Only other expressions are checked scalar by scalar.
    guard bytes.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return }
    var offset = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n" || scalar == "\r" {
        throw error(
          "an expression must be on one line; put a longer expression into a function", at: offset)
      }
      if scalar.isHidden {
        let code = String(scalar.value, radix: 16, uppercase: true)
        throw error("the invisible character U+\(code) is not allowed here", at: offset)
      }
      offset += String(scalar).utf8.count
    }
  }

  private mutating func advance() {
    previous = bytes[position]
    position += 1
  }

  private func hasHashes(_ count: Int, at start: Int) -> Bool {
    guard start + count <= bytes.count else { return false }
    return bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private func nextByte() -> UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private func followsWithDot() -> Bool {
    guard let next = nextByte() else { return false }
    return next == UInt8(ascii: ".") || Self.isWord(next)
  }

  /// Whether Swift could read a `/` as the start of a regular expression, in which quotes and brackets have no meaning.
  /// Swift reads a division if the `/` directly follows an operand, or follows a space after an operand and precedes
  /// another space.
  private func couldBeginRegex() -> Bool {
    if position > 0, Self.endsOperand(bytes[position - 1]) { return false }
    return previous == 0 || !Self.endsOperand(previous) || nextByte() != UInt8(ascii: " ")
  }

  private func isPostfixPlace() -> Bool {
    position > 0 && Self.endsOperand(bytes[position - 1])
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func error(_ reason: String, at offset: Int? = nil) -> SwiftExpression.SyntaxError {
    SwiftExpression.SyntaxError(reason: reason, offset: offset ?? position)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    SwiftIdentifier.isHead(byte) || (48...57).contains(byte) || byte >= 0x80
  }

  static func isOperator(_ byte: UInt8) -> Bool { "+-=<>&|^~%:".utf8.contains(byte) }

  /// Whether a byte can end an operand: as part of a word, a closing bracket, a quote or a postfix operator.
  static func endsOperand(_ byte: UInt8) -> Bool {
    isWord(byte) || ")]}\"?!".utf8.contains(byte)
  }
}

extension Unicode.Scalar {
  /// Characters that are invisible but change how text reads: controls, line separators, direction marks.
  package var isHidden: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    default: false
    }
  }
}

extension String {
  /// Whether the string contains a mark that is not followed by more letters of a name.
  func containsMark(_ mark: String) -> Bool {
    guard let last = mark.utf8.last, ExpressionScanner.isWord(last) else { return contains(mark) }
    let parts = split(separator: mark, omittingEmptySubsequences: false)
    return parts.dropFirst().contains { part in
      part.utf8.first.map { !ExpressionScanner.isWord($0) } ?? true
    }
  }

  package func trimmingSpaces() -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    let bytes = utf8
    guard let first = bytes.first, let last = bytes.last, isSpace(first) || isSpace(last) else {
      return self
    }
    let head = bytes.drop(while: isSpace)
    let tail = head.reversed().prefix(while: isSpace).count
    return String(head.dropLast(tail)) ?? self
  }
}
