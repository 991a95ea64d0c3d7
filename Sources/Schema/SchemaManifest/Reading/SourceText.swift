internal import SchemaModel

/// A part of a scalar's text, with the place of each character unless YAML's escapes or folding shift them.
struct SourceText {
  let text: String
  let location: SourceLocation
  /// Whether the file contains the text unchanged from `location` on.
  private let isVerbatim: Bool

  init(_ scalar: YAMLScalar, at location: SourceLocation) {
    let count = scalar.text.unicodeScalars.count
    text = scalar.text
    var start = location
    switch scalar.style {
    case .plain: isVerbatim = location.length == count
    case .quoted:
      // If the scalar is only two quotes longer than its text, nothing in it is escaped or folded.
      isVerbatim = location.length == count + 2
      if isVerbatim, count > 0 {
        start.column += 1
        start.length = count
      }
    case .block: isVerbatim = false
    }
    self.location = start
  }

  private init(text: String, location: SourceLocation, isVerbatim: Bool) {
    self.text = text
    self.location = location
    self.isVerbatim = isVerbatim
  }

  /// The place of a character at an offset in scalars; the place of the whole text if YAML shifted its characters.
  func place(at offset: Int, length: Int = 1) -> SourceLocation {
    guard isVerbatim else { return location }
    return SourceLocation(
      file: location.file, line: location.line, column: location.column + offset, length: length)
  }

  func place(atByte offset: Int) -> SourceLocation {
    let scalars = text.unicodeScalars
    let index = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
    return place(at: scalars.distance(from: scalars.startIndex, to: index))
  }

  /// The place of a name that is a whole word in the text.
  func place(of name: String) -> SourceLocation {
    let bytes = Array(text.utf8)
    let wanted = Array(name.utf8)
    guard !wanted.isEmpty, bytes.count >= wanted.count else { return location }
    for start in 0...(bytes.count - wanted.count) {
      let end = start + wanted.count
      guard bytes[start..<end].elementsEqual(wanted),
        start == 0 || !Self.isNamePart(bytes[start - 1]),
        end == bytes.count || !Self.isNamePart(bytes[end])
      else { continue }
      return place(at: start, length: wanted.count)
    }
    return location
  }

  func trimmed(_ range: Range<String.Index>) -> SourceText {
    var part = text[range]
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    let offset = text.unicodeScalars.distance(from: text.startIndex, to: part.startIndex)
    return SourceText(
      text: String(part), location: place(at: offset, length: part.unicodeScalars.count),
      isVerbatim: isVerbatim)
  }

  var trimmed: SourceText { trimmed(text.startIndex..<text.endIndex) }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}

extension SourceText {
  /// The two parts of `Type = default`, separated at the first `=` outside brackets that is not part of `==`.
  var typeAndDefault: (type: SourceText, defaultValue: SourceText?) {
    let bytes = text.utf8
    var depth = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let next = bytes.index(after: index)
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: "=") where depth == 0:
        if next < bytes.endIndex, bytes[next] == UInt8(ascii: "=") { return (trimmed, nil) }
        return (trimmed(text.startIndex..<index), trimmed(next..<text.endIndex))
      default: break
      }
      index = next
    }
    return (trimmed, nil)
  }
}
