internal import SchemaModel

/// One element of an XML document, with its place.
struct MarkupElement {
  var name: String
  var attributes: [String: String]
  var children: [MarkupElement] = []
  /// The text between the tags; empty if the element has children.
  var text = ""
  var location: SourceLocation
}

/// Why a document cannot be read as XML.
struct MarkupFailure: Error {
  /// The reason, for a message: `the file has no elements`.
  var reason: String
  var location: SourceLocation
}

/// Reads the XML that Xcode writes as a tree: elements, attributes, text, and the five entities that need no
/// declaration.
///
/// Foundation's parser is not used. Outside Apple's systems it is libxml2, which a release would have to include
/// (docs/decisions.md, 12). A document type with declarations is refused, so no other entity can be expanded.
struct MarkupReader {
  /// More than enough: a model has five levels.
  private static let mostDepth = 32
  /// More than enough: ten times as many elements as in a model with a thousand entities.
  private static let mostElements = 500_000

  private let path: String
  private let bytes: [UInt8]
  private var place = 0
  private var count = 0
  /// The byte offset at which each line begins.
  private let lines: [Int]

  static func read(_ file: SourceFile) throws(MarkupFailure) -> MarkupElement {
    var reader = Self(path: file.path, bytes: file.bytes)
    return try reader.document()
  }

  private init(path: String, bytes: [UInt8]) {
    self.path = path
    // Drop the byte order mark.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.bytes = bytes
    lines = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  // MARK: The document

  private mutating func document() throws(MarkupFailure) -> MarkupElement {
    var open: [MarkupElement] = []
    while true {
      let start = place
      guard place < bytes.count else {
        let reason = open.isEmpty ? "the file has no elements" : "the file ends too early"
        throw failure(reason, at: max(bytes.count - 1, 0))
      }
      guard bytes[place] == UInt8(ascii: "<") else {
        let text = try text(until: UInt8(ascii: "<"))
        if !open.isEmpty, open[open.count - 1].children.isEmpty {
          open[open.count - 1].text += text
        } else if text.contains(where: { !$0.isWhitespace }) {
          throw failure("there is text between elements", at: start)
        }
        continue
      }
      if try isPassed() { continue }
      if take("</") {
        let name = try name()
        skipSpace()
        guard take(">") else { throw failure("a tag has no '>'", at: start) }
        guard let element = open.popLast(), element.name == name else {
          throw failure("an end tag does not match its start tag", at: start)
        }
        if open.isEmpty { return try ended(element) }
        close(element, in: &open)
        continue
      }
      let (element, isEmpty) = try startTag()
      count += 1
      guard open.count < Self.mostDepth, count <= Self.mostElements else {
        throw failure("the file has more elements than any model", at: start)
      }
      if !isEmpty {
        open.append(element)
      } else if open.isEmpty {
        return try ended(element)
      } else {
        close(element, in: &open)
      }
    }
  }

  private func close(_ element: MarkupElement, in open: inout [MarkupElement]) {
    open[open.count - 1].text = ""
    open[open.count - 1].children.append(element)
  }

  /// Checks that only spaces and comments follow the outermost element.
  private mutating func ended(_ root: MarkupElement) throws(MarkupFailure) -> MarkupElement {
    while true {
      skipSpace()
      guard place < bytes.count else { return root }
      if try !isPassed() { throw failure("there is more after the outermost element", at: place) }
    }
  }

  /// Skips a comment, a processing instruction or a document type; false if none is next.
  private mutating func isPassed() throws(MarkupFailure) -> Bool {
    let start = place
    if take("<!--") {
      try skip(behind: "-->", "a comment is never closed", from: start)
    } else if take("<?") {
      try skip(behind: "?>", "a processing instruction is never closed", from: start)
    } else if take("<!DOCTYPE") {
      try skip(behind: ">", "the document type is never closed", from: start)
      guard !bytes[start..<place].contains(UInt8(ascii: "[")) else {
        throw failure("the document type has declarations, which no model has", at: start)
      }
    } else {
      return false
    }
    return true
  }

  // MARK: Tags

  private mutating func startTag() throws(MarkupFailure) -> (MarkupElement, isEmpty: Bool) {
    let start = place
    place += 1
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      let hasSpace = skipSpace()
      let isEmpty = take("/>")
      if isEmpty || take(">") {
        let element = MarkupElement(
          name: name, attributes: attributes, location: location(start, length: place - start))
        return (element, isEmpty)
      }
      guard place < bytes.count, bytes[place] != UInt8(ascii: "<") else {
        throw failure("a tag has no '>'", at: start)
      }
      guard hasSpace else { throw failure("a space is missing between two attributes", at: place) }
      let key = try self.name()
      skipSpace()
      guard take("=") else { throw failure("the attribute '\(key)' has no value", at: place) }
      skipSpace()
      guard place < bytes.count,
        bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
      else { throw failure("the value of '\(key)' has no quotes", at: place) }
      let quote = bytes[place]
      place += 1
      let value = try text(until: quote, isValue: true)
      guard take(quote == UInt8(ascii: "'") ? "'" : "\"") else {
        throw failure("the value of '\(key)' is never closed", at: start)
      }
      if attributes.updateValue(value, forKey: key) != nil {
        throw failure("the attribute '\(key)' appears twice", at: start)
      }
    }
  }

  private mutating func name() throws(MarkupFailure) -> String {
    let start = place
    while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
    guard place > start else { throw failure("a name is missing", at: start) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 10 || byte == 9 || byte == 13
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: byte >= 0x80
    }
  }

  // MARK: Text

  /// Reads text up to a byte, which is not consumed. In attribute values, line breaks become spaces.
  private mutating func text(
    until end: UInt8, isValue: Bool = false
  ) throws(MarkupFailure) -> String {
    var text: [UInt8] = []
    let start = place
    while place < bytes.count, bytes[place] != end {
      switch bytes[place] {
      case UInt8(ascii: "&"): try entity(&text)
      case UInt8(ascii: "<") where isValue: throw failure("a value contains a '<'", at: place)
      case 0..<9, 11, 12, 14..<32: throw failure("the file contains a control character", at: place)
      case let byte where isValue && byte < 32:
        text.append(UInt8(ascii: " "))
        place += 1
      case let byte:
        text.append(byte)
        place += 1
      }
    }
    let decoded = String(decoding: text, as: UTF8.self)
    guard decoded.utf8.elementsEqual(text) else {
      throw failure("a character is not in UTF-8", at: start)
    }
    return decoded
  }

  private mutating func entity(_ text: inout [UInt8]) throws(MarkupFailure) {
    let start = place
    // No known entity is as long.
    guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw failure("an '&' does not begin an entity", at: start)
    }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    place = end + 1
    let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    if let character = known[name] {
      text += Array(character.utf8)
      return
    }
    let number =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    guard let number, number >= 32 || number == 9 || number == 10 || number == 13,
      let scalar = Unicode.Scalar(number)
    else { throw failure("the entity '&\(name);' is unknown", at: start) }
    text += Array(String(scalar).utf8)
  }

  // MARK: Places

  private mutating func take(_ text: StaticString) -> Bool {
    let isThere = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    if isThere { place += text.utf8CodeUnitCount }
    return isThere
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place > start
  }

  private mutating func skip(
    behind text: StaticString, _ reason: String, from start: Int
  ) throws(MarkupFailure) {
    while place < bytes.count {
      if take(text) { return }
      place += 1
    }
    throw failure(reason, at: start)
  }

  private func failure(_ reason: String, at place: Int) -> MarkupFailure {
    MarkupFailure(reason: reason, location: location(place, length: 1))
  }

  private func location(_ place: Int, length: Int) -> SourceLocation {
    var below = 0
    var above = lines.count
    while above - below > 1 {
      let middle = (below + above) / 2
      if lines[middle] <= place { below = middle } else { above = middle }
    }
    let shown = bytes[min(place, bytes.count)...].prefix(length)
    return SourceLocation(
      file: path, line: below + 1, column: place - lines[below] + 1,
      length: shown.prefix { $0 != UInt8(ascii: "\n") }.count)
  }
}
