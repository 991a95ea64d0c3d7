import Foundation
import SchemaReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of a parsed XML file.
struct XMLElement {
  var name: String
  var attributes: [String: String]
  var text = ""
}

/// Reads reports as other programs do.
enum ReadBack {
  /// The elements of an XML file in the order of their start, each with its own text; nil if it is not well formed.
  static func xml(_ text: String) -> [XMLElement]? {
    let parser = XMLParser(data: Data(text.utf8))
    let reader = ElementReader()
    parser.delegate = reader
    return parser.parse() ? reader.elements : nil
  }

  private final class ElementReader: NSObject, XMLParserDelegate {
    var elements: [XMLElement] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(XMLElement(name: name, attributes: attributes))
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }
  }

  /// The value of a JSON file; nil if it is not JSON.
  static func json(_ text: String) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  /// A command of GitHub's workflows.
  struct Command: Equatable {
    var name: String
    var properties: [String: String]
    var data: String
  }

  /// Lines as GitHub's runner reads them; nil if one is not a command.
  static func commands(_ text: String) -> [Command]? {
    var commands: [Command] = []
    for line in lines(text) {
      guard line.hasPrefix("::"), let end = line.dropFirst(2).firstRange(of: "::") else {
        return nil
      }
      let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
      let parts = head.split(separator: " ", maxSplits: 1)
      var properties: [String: String] = [:]
      for property in parts.dropFirst().joined().split(separator: ",") {
        let pair = property.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else { return nil }
        properties[pair[0]] = unescaped(pair[1], ["%3A": ":", "%2C": ","])
      }
      commands.append(
        Command(
          name: String(parts[0]), properties: properties,
          data: unescaped(String(line[end.upperBound...]), [:])))
    }
    return commands
  }

  private static func unescaped(_ text: String, _ more: [String: String]) -> String {
    var text = text
    for (code, value) in more.merging(["%0D": "\r", "%0A": "\n"], uniquingKeysWith: { $1 }) {
      text = replacing(code, value, in: text)
    }
    return replacing("%25", "%", in: text)
  }

  /// Replaces scalars, whatever characters they form with their neighbours.
  private static func replacing(_ old: String, _ new: String, in text: String) -> String {
    let parts = Array(text.utf8).split(
      separator: Array(old.utf8), omittingEmptySubsequences: false)
    return String(decoding: Array(parts.joined(separator: Array(new.utf8))), as: UTF8.self)
  }

  /// Lines that end in LF, CR LF or CR, as terminals and runners see them; the last break ends the last line.
  static func lines(_ text: String) -> [String] {
    let bytes = Array(text.utf8).split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 13 }
    let lines = bytes.map { String(decoding: $0, as: UTF8.self) }
    return lines.last == "" ? lines.dropLast() : lines
  }
}
