internal import SchemaModel

/// Splits a schema file into words, quoted names and symbols, without comments.
struct CloudSchemaLexer {
  struct Token: Equatable {
    enum Kind: Equatable {
      case word(String)
      case quoted(String)
      case symbol(Character)
      case broken(String)
      case end
    }

    var kind: Kind
    var range: Range<Int>

    func isWord(_ keyword: String) -> Bool {
      guard case .word(let word) = kind, word.utf8.count == keyword.utf8.count else { return false }
      return zip(word.utf8, keyword.utf8).allSatisfy { $0 & 0xDF == $1 & 0xDF }
    }

    var shown: String {
      switch kind {
      case .word(let word): "'\(Self.short(word))'"
      case .quoted(let name): "'\"\(Self.short(name))\"'"
      case .symbol(let symbol): "'\(symbol)'"
      case .broken: "something else"
      case .end: "the end of the file"
      }
    }

    private static func short(_ text: String) -> String {
      text.count <= 60 ? text : text.prefix(60) + "…"
    }
  }

  private let file: SourceFile
  private var place = 0
  private let lineStarts: [Int]
  /// The last computed location, which saves counting a long line again for each token.
  private var counted = (line: 0, offset: 0, scalars: 0)

  init(_ file: SourceFile) {
    self.file = file
    lineStarts = [0] + file.bytes.indices.filter { file.bytes[$0] == Self.newline }.map { $0 + 1 }
    // The byte order mark.
    if file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  var isEmpty: Bool { file.bytes.allSatisfy(Self.isSpace) }

  mutating func next() -> Token {
    let bytes = file.bytes
    if let broken = skipSpace() { return broken }
    guard place < bytes.count else { return Token(kind: .end, range: place..<place) }
    let start = place
    let first = bytes[place]
    if CloudName.isLetter(first) {
      repeat { place += 1 } while place < bytes.count && CloudName.isInPlainName(bytes[place])
      return Token(kind: .word(text(start..<place)), range: start..<place)
    }
    if first == UInt8(ascii: "\"") {
      place += 1
      while place < bytes.count, bytes[place] != first, bytes[place] != Self.newline { place += 1 }
      guard place < bytes.count, bytes[place] == first else {
        return broken("a quoted name is never closed", start..<place)
      }
      place += 1
      return Token(kind: .quoted(text(start + 1..<place - 1)), range: start..<place)
    }
    place += 1
    if "(),;<>".utf8.contains(first) {
      return Token(kind: .symbol(Character(UnicodeScalar(first))), range: start..<place)
    }
    while place < bytes.count, bytes[place] >= 0x80 { place += 1 }
    return broken(
      "'\(text(start..<place).prefix(20))' does not belong in a schema file", start..<place)
  }

  /// The token's location. Columns count Unicode scalars.
  mutating func location(of token: Token) -> SourceLocation {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= token.range.lowerBound { low = middle } else { high = middle }
    }
    if counted.line != low || counted.offset > token.range.lowerBound {
      counted = (low, lineStarts[low], 0)
    }
    counted.scalars += scalars(counted.offset..<token.range.lowerBound)
    counted.offset = token.range.lowerBound
    return SourceLocation(
      file: file.path, line: low + 1, column: counted.scalars + 1, length: scalars(token.range))
  }

  // MARK: Bytes

  private static let newline = UInt8(ascii: "\n")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: file.bytes[range], as: UTF8.self)
  }

  /// Counts the scalars in a range: each has exactly one byte that is not a continuation byte.
  private func scalars(_ range: Range<Int>) -> Int {
    file.bytes[range].count { $0 & 0xC0 != 0x80 }
  }

  private func broken(_ reason: String, _ range: Range<Int>) -> Token {
    Token(kind: .broken(reason), range: range)
  }

  /// Skips white space and comments. Returns a broken token if a comment has no end.
  private mutating func skipSpace() -> Token? {
    let bytes = file.bytes
    func isHere(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }
    while place < bytes.count {
      if Self.isSpace(bytes[place]) {
        place += 1
      } else if isHere("//") || isHere("--") {
        while place < bytes.count, bytes[place] != Self.newline { place += 1 }
      } else if isHere("/*") {
        let start = place
        place += 2
        while place < bytes.count, !isHere("*/") { place += 1 }
        guard place < bytes.count else {
          return broken("a comment is never closed", start..<start + 2)
        }
        place += 2
      } else {
        return nil
      }
    }
    return nil
  }
}
