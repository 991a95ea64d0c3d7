/// A Swift expression from a manifest, used verbatim, that cannot affect the code around it.
///
/// The text is scanned, not parsed: brackets and quotes are balanced, and nothing in it ends the expression and begins
/// something else (no top-level comma or semicolon, no comment, no line break, no directive). Only the Swift compiler
/// can tell whether it is valid.
package struct SwiftExpression: Hashable, Sendable {
  /// The expression as written, without white space around it.
  package let text: String
  private let traits: ExpressionTraits

  /// Scans the expression as far as needed to use it safely.
  ///
  /// - Throws: `SyntaxError`, with the place in the text.
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
    /// What is wrong, as a clause.
    package var reason: String
    /// UTF-8 bytes before the place, counted from the trimmed text's start.
    package var offset: Int
    /// Other ways to write it.
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
  /// How many values the expression takes: 2 when `$1` is the highest placeholder, 0 when there is none.
  package var placeholderCount: Int { traits.placeholderCount }

  /// Whether the expression needs no parentheses before `.member` or as an operand.
  package var isPrimary: Bool { traits.isPrimary }

  /// Whether it names a member without its type in a place where nothing provides the type: `.current`, `[.monday]`.
  ///
  /// `@Model` copies a default into an `Any?`, where such a name does not compile
  /// (docs/facts/swiftdata.md#defaults-are-qualified).
  package var isUnqualified: Bool { traits.isUnqualified }

  /// All words in it, including those in strings, so that every name it uses is among them.
  package var words: [String] {
    text.utf8.split { !ExpressionScanner.isWord($0) }.compactMap(String.init)
  }

  /// The expression with spaces in place of string contents, except interpolations; its bytes keep their places.
  package var code: String {
    var scanner = ExpressionScanner(text)
    scanner.notesTexts = true
    // The text was scanned when the expression was created, so this cannot fail.
    try? scanner.scan()
    var bytes = Array(text.utf8)
    for range in scanner.texts { for place in range { bytes[place] = UInt8(ascii: " ") } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The members that it uses of a name: `price` in `old.price`, for `old`.
  package func members(of name: String) -> Set<String> {
    Set(uses(of: name).compactMap(\.self))
  }

  /// The member taken at each use of a name as a value: `price` in `old.price`; nil if the value is used as a whole.
  /// Members and argument labels with that name do not count.
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
    /// The two bytes before the place that are not spaces, the nearest first.
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

  /// The expression as an initial value: in parentheses if a brace could be read as an accessor block.
  package var initializerText: String { traits.hasTopLevelBrace ? "(\(text))" : text }

  package var operandText: String { isPrimary ? text : "(\(text))" }

  /// Whether each evaluation may give another value: a clock, a random source, the device's settings.
  ///
  /// Such a default is evaluated once and used for every migrated row (docs/facts/migration.md#shared-default).
  package var isVolatile: Bool {
    Self.volatileMarks.contains { text.containsMark($0) }
  }

  /// Whether each evaluation certainly gives another value: a clock, a new identifier or a random number.
  package var differsEachTime: Bool {
    Self.clockMarks.contains { text.containsMark($0) }
  }

  private static let clockMarks = [
    "Date()", "Date.now", "Date.init()", "UUID()", "UUID.init()", ".random", ".now",
    "UUID().uuidString", "timeIntervalSinceNow", "CFAbsoluteTimeGetCurrent",
  ]

  /// Marks of volatile values that are no clock: a device's settings are stable between launches, but differ among
  /// devices.
  private static let volatileMarks =
    clockMarks + [".current", "ProcessInfo", "autoupdatingCurrent"]

  /// Whether the value is certainly not nil: a literal, also after `??`, a `String(…)` of a value, or a value that
  /// Foundation always provides.
  package var isPlainlyThere: Bool {
    let last = traits.fallback.map { String(decoding: text.utf8.dropFirst($0), as: UTF8.self) }
    if let last { return (try? SwiftExpression(last))?.isPlainlyThere ?? false }
    return traits.isString || Double(text) != nil || Self.neverNil.contains(text)
      || traits.isOneCall && text.hasPrefix("String(")
        && text.prefixMatch(of: /String\([A-Za-z_]+:/) == nil
  }

  /// Whether the whole expression is one string.
  var isText: Bool { traits.isString }

  var endsWithFirstBracket: Bool { traits.isOneCall }

  /// The operand after the last `??`, and the text before it; nil if there is none, or if it is not a single operand.
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

  /// A primary expression made by the generator: a name or a member path.
  package static func name(_ path: String) -> SwiftExpression {
    SwiftExpression(trusted: path, traits: ExpressionTraits(isPrimary: true))
  }

  /// An expression made by the generator that needs parentheses as an operand.
  package static func compound(_ text: String) -> SwiftExpression {
    SwiftExpression(trusted: text, traits: ExpressionTraits(isPrimary: false))
  }

  /// The expression with `$0`, `$1`, … replaced by other expressions.
  ///
  /// Arguments are inserted as text if that cannot change the meaning. The result is an immediately applied closure if
  /// an argument that is more than a name would be used twice, or if one with a string would be inside a string's
  /// interpolation.
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
    // The text was scanned when the expression was created, so this cannot fail.
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
