internal import Foundation
internal import SchemaModel

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// One element of an XML document, with its place.
struct MarkupElement {
  var name: String
  var attributes: [String: String]
  var children: [MarkupElement] = []
  /// What stands between its tags, where it has no children.
  var text = ""
  /// Of its start tag.
  var location: SourceLocation
}

/// Why a document is no XML that can be read.
struct MarkupFailure: Error {
  /// A clause.
  var reason: String
  var location: SourceLocation
}

/// Reads an XML document as a tree.
enum MarkupReader {
  /// Deeper than any model: it is five deep.
  private static let mostDepth = 32
  /// A model of a thousand entities has a tenth of them.
  private static let mostElements = 500_000

  /// The outermost element.
  static func read(_ file: SourceFile) throws(MarkupFailure) -> MarkupElement {
    let builder = Builder(file)
    let parser = XMLParser(data: Data(file.bytes))
    parser.delegate = builder
    // On Linux it returns true after an error: what counts is what the delegate was told.
    let isRead = parser.parse()
    if let failure = builder.failure { throw failure }
    guard let root = builder.root, isRead else {
      throw MarkupFailure(
        reason: "there is no element in it", location: SourceLocation(file: file.path))
    }
    return root
  }

  private final class Builder: NSObject, XMLParserDelegate {
    private(set) var root: MarkupElement?
    private(set) var failure: MarkupFailure?
    private var open: [MarkupElement] = []
    private var count = 0
    private let path: String
    private let bytes: [UInt8]
    /// Where each line begins.
    private let lines: [Int]

    init(_ file: SourceFile) {
      path = file.path
      bytes = file.bytes
      lines =
        [0] + file.bytes.indices.filter { file.bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let location = self.location(parser)
      count += 1
      guard open.count < mostDepth, count <= mostElements else {
        fail("it has more elements than any model", location, parser)
        return
      }
      open.append(MarkupElement(name: name, attributes: attributes, location: location))
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].text = ""
        open[open.count - 1].children.append(element)
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      guard !open.isEmpty, open[open.count - 1].children.isEmpty else { return }
      open[open.count - 1].text += text
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
      let code = (error as NSError).code
      fail(
        MarkupReader.reasons[code] ?? "it is no well-formed XML (error \(code) of libxml2)",
        location(parser), parser)
    }

    /// What was told first counts: the rest follows from it.
    private func fail(_ reason: String, _ location: SourceLocation, _ parser: XMLParser) {
      if failure == nil { failure = MarkupFailure(reason: reason, location: location) }
      parser.abortParsing()
    }

    /// The parser is behind the tag, which may begin on a line before: no value in it has a bare "<".
    private func location(_ parser: XMLParser) -> SourceLocation {
      var line = min(max(parser.lineNumber, 1), lines.count) - 1
      let end = min(lines[line] + max(parser.columnNumber - 2, 0), bytes.count - 1)
      guard end >= 0 else { return SourceLocation(file: path) }
      let start = bytes[...end].lastIndex(of: UInt8(ascii: "<")) ?? end
      while line > 0, lines[line] > start { line -= 1 }
      return SourceLocation(
        file: path, line: line + 1, column: start - lines[line] + 1,
        length: bytes[start...end].prefix { $0 != UInt8(ascii: "\n") }.count)
    }
  }

  /// What people break, by libxml2's numbers.
  private static let reasons = [
    4: "the file is empty", 5: "the file ends too early", 42: "an attribute is there twice",
    38: "a value has a '<'", 39: "a value has no quotes", 41: "an attribute has no value",
    65: "a blank is missing between two attributes", 68: "a name is missing",
    73: "a tag has no '>'", 76: "an end tag does not fit its start tag",
    81: "a character is not in UTF-8", 89: "its entities refer to each other without end",
  ]
}
