/// A Swift expression from a manifest, used verbatim, that cannot affect the code around it.
/// The text is scanned, not parsed: brackets and quotes are balanced, and nothing in it could end the expression and
/// begin something else (no top-level comma or semicolon, no comment, no line break, no directive). Only the Swift
/// compiler can tell whether the expression is valid.
package struct SwiftExpression: Hashable, Sendable {
  package let text: String
  private let traits: ExpressionTraits

  /// Scans the expression as far as needed to use it safely.
  ///
  /// - Throws: `SyntaxError`, with the offset in the text.
  package init(_ source: String) throws(SyntaxError) {
    let trimmed = source.trimmingSpaces()
    var scanner = ExpressionScanner(trimmed)
    try scanner.scan()
    text = trimmed
    traits = scanner.traits
  }

  private init(trusted text: String, traits: ExpressionTraits) {
    self.text = text
    self.traits = traits
  }

  package struct SyntaxError: Error, Hashable, Sendable {
    package var reason: String
    /// UTF-8 bytes between the start of the trimmed text and the error.
    package var offset: Int
    package var help: [String] = []
  }

  package static func == (lhs: SwiftExpression, rhs: SwiftExpression) -> Bool {
    lhs.text == rhs.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension SwiftExpression: CustomStringConvertible {
  package var description: String { text }
}

extension SwiftExpression {
  package var placeholderCount: Int { traits.placeholderCount }

  package var isPrimary: Bool { traits.isPrimary }

  /// Whether the expression has a member without its type, such as `.current` or `[.monday]`, where nothing provides
  /// the type.
  ///
  /// `@Model` copies a default into an `Any?`, where such a member does not compile
  /// (docs/facts/swiftdata.md#defaults-are-qualified).
  package var isUnqualified: Bool { traits.isUnqualified }

  /// All words in the expression. Words in strings are included, because interpolations use names.
  package var words: [String] {
    text.utf8.split { !ExpressionScanner.isWord($0) }.compactMap(String.init)
  }

  /// The expression with spaces in place of string contents, except interpolations. Byte offsets stay the same.
  package var code: String {
    var scanner = ExpressionScanner(text)
    scanner.notesTexts = true
    // The text was scanned when the expression was created, so the scan cannot fail.
    try? scanner.scan()
    var bytes = Array(text.utf8)
    for range in scanner.texts { for place in range { bytes[place] = UInt8(ascii: " ") } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The members of a name that the expression uses: `price` in `old.price`, for `old`.
  package func members(of name: String) -> Set<String> {
    Set(uses(of: name).compactMap(\.self))
  }

  /// The member taken at each use of a name as a value: `price` in `old.price`. `nil` if the value is used as a whole.
  /// Members and argument labels with that name do not count as uses.
  package func uses(of name: String) -> [String?] {
    let bytes = Array(code.utf8)
    func skippingSpaces(_ place: Int) -> Int {
      var place = place
      while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
      return place
    }
    func word(_ start: Int) -> Range<Int> {
      var end = start
      while end < bytes.count, ExpressionScanner.isWord(bytes[end]) { end += 1 }
      return start..<end
    }
    var uses: [String?] = []
    var place = 0
    var before: (UInt8, UInt8) = (0, 0)
    while place < bytes.count {
      let range = word(place)
      guard !range.isEmpty else {
        if bytes[place] != UInt8(ascii: " ") { before = (bytes[place], before.0) }
        place += 1
        continue
      }
      let isName = bytes[range].elementsEqual(name.utf8)
      let isMember = before.0 == UInt8(ascii: ".") && before.1 != UInt8(ascii: ".")
      var next = skippingSpaces(range.upperBound)
      if next < bytes.count, bytes[next] == UInt8(ascii: "`") { next += 1 }
      let isLabel =
        (before.0 == UInt8(ascii: "(") || before.0 == UInt8(ascii: ",")) && next < bytes.count
        && bytes[next] == UInt8(ascii: ":")
      if isName, !isMember, !isLabel, before.0 != UInt8(ascii: "$") {
        var use: String?
        if next < bytes.count, bytes[next] == UInt8(ascii: ".") {
          next = skippingSpaces(next + 1)
          if next < bytes.count, bytes[next] == UInt8(ascii: "`") { next += 1 }
          let member = word(next)
          if !member.isEmpty {
            use = String(decoding: bytes[member], as: UTF8.self)
          }
        }
        uses.append(use)
      }
      before = (
        bytes[range.upperBound - 1], range.count > 1 ? bytes[range.upperBound - 2] : before.0
      )
      place = range.upperBound
    }
    return uses
  }

  /// The expression as an initial value. It is in parentheses if its brace could be read as an accessor block.
  package var initializerText: String { traits.hasTopLevelBrace ? "(\(text))" : text }

  package var operandText: String { isPrimary ? text : "(\(text))" }

  /// Whether each evaluation may give another value: a clock, a random source, a setting of the device.
  ///
  /// Such a default is evaluated once and used for every migrated row (docs/facts/migration.md#shared-default).
  package var isVolatile: Bool {
    Self.volatileMarks.contains { text.containsMark($0) }
  }

  package var differsEachTime: Bool {
    Self.clockMarks.contains { text.containsMark($0) }
  }

  private static let clockMarks = [
    "Date()", "Date.now", "Date.init()", "UUID()", "UUID.init()", ".random", ".now",
    "UUID().uuidString", "timeIntervalSinceNow", "CFAbsoluteTimeGetCurrent",
  ]

  /// Settings of a device are volatile too: they are stable between launches, but differ among devices.
  private static let volatileMarks =
    clockMarks + [".current", "ProcessInfo", "autoupdatingCurrent"]

  /// Whether the value is certainly not nil: a literal (also after `??`), a `String(…)` of a value, or a value that
  /// Foundation always provides.
  package var isPlainlyThere: Bool {
    let last = traits.fallback.map { String(decoding: text.utf8.dropFirst($0), as: UTF8.self) }
    if let last { return (try? SwiftExpression(last))?.isPlainlyThere ?? false }
    return traits.isString || Double(text) != nil || Self.neverNil.contains(text)
      || traits.isOneCall && text.hasPrefix("String(")
        && text.prefixMatch(of: /String\([A-Za-z_]+:/) == nil
  }

  var isText: Bool { traits.isString }

  var endsWithFirstBracket: Bool { traits.isOneCall }

  /// The operand after the last `??`, and the text before the operand. `nil` if there is no `??`, or more than one
  /// operand follows it.
  package var fallback: (before: String, operand: SwiftExpression)? {
    guard let place = traits.fallback else { return nil }
    let text = String(decoding: text.utf8.dropFirst(place), as: UTF8.self)
    guard let operand = try? SwiftExpression(text),
      operand.isPrimary || Double(operand.text) != nil
    else { return nil }
    return (String(decoding: self.text.utf8.prefix(place), as: UTF8.self), operand)
  }

  private static let neverNil: Set<String> = [
    "true", "false", "[]", "[:]", "Date()", "Date.now", "Date.distantPast", "Date.distantFuture",
    "UUID()", "UUID().uuidString", "Data()", "TimeZone.current.identifier",
    "Locale.current.identifier",
  ]

  package static func name(_ path: String) -> SwiftExpression {
    SwiftExpression(trusted: path, traits: ExpressionTraits(isPrimary: true))
  }

  package static func compound(_ text: String) -> SwiftExpression {
    SwiftExpression(trusted: text, traits: ExpressionTraits(isPrimary: false))
  }

  /// The expression with `$0`, `$1`, … replaced by other expressions.
  ///
  /// Arguments are inserted as text if that cannot change the meaning. The result is an immediately applied closure in
  /// two cases: an argument that is more than a name would be used twice, or an argument with a string would be inside
  /// an interpolation.
  package func applied(to arguments: [SwiftExpression]) -> SwiftExpression {
    guard placeholderCount > 0 else { return self }
    let costly = traits.placeholderUses.enumerated().contains { index, uses in
      uses > 1 && index < arguments.count && arguments[index].traits.isCostly
    }
    let isQuoted = traits.interpolated.contains { index in
      index < arguments.count && arguments[index].text.contains { $0 == "\"" || $0 == "#" }
    }
    if costly || isQuoted {
      let list = arguments.prefix(placeholderCount).map(\.text).joined(separator: ", ")
      return SwiftExpression(
        trusted: "{ \(text) }(\(list))",
        traits: ExpressionTraits(isPrimary: true, hasTopLevelBrace: true, isCostly: true))
    }
    var scanner = ExpressionScanner(text)
    scanner.replacements = arguments
    // The text was scanned when the expression was created, so the scan cannot fail.
    try? scanner.scan()
    return SwiftExpression(
      trusted: scanner.output,
      traits: ExpressionTraits(
        isPrimary: isPrimary,
        hasTopLevelBrace: traits.hasTopLevelBrace
          || arguments.contains { $0.traits.hasTopLevelBrace },
        isCostly: true))
  }
}
