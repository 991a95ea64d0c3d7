internal import SchemaModel

/// Formats Swift as swift-format would: two spaces, a hundred columns.
enum SwiftText {
  static let width = 100

  static func indentation(_ columns: Int) -> String { String(repeating: " ", count: columns) }

  static func block(_ lines: [String], indent: Int) -> String {
    let margin = indentation(indent)
    var text = ""
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\n" }
      if !line.isEmpty {
        text += margin
        text += line
      }
    }
    return text
  }

  /// A call or a declaration with its arguments on one line if they fit, otherwise one per line.
  ///
  /// `indent` is the template's indentation of each line.
  static func list(
    _ head: String, _ arguments: [String], _ tail: String = "", indent: Int
  ) -> [String] {
    // The length is counted first, since a long line need not be created.
    let columns = arguments.reduce(head.columns + tail.columns + 2 * arguments.count) {
      $0 + $1.columns
    }
    if indent + columns <= width || arguments.isEmpty {
      return ["\(head)(\(arguments.joined(separator: ", ")))\(tail)"]
    }
    var lines = ["\(head)("]
    for (index, argument) in arguments.enumerated() {
      lines.append("  \(argument)\(index == arguments.count - 1 ? "" : ",")")
    }
    lines.append(")\(tail)")
    return lines
  }

  /// `target = value`, broken as swift-format breaks a line that is too long.
  static func assignment(_ target: String, _ value: String, indent: Int) -> [String] {
    let line = "\(target) = \(value)"
    if indent + line.columns <= width { return [line] }
    if let call = brokenCall(value), indent + target.columns + 3 + call.head.columns <= width,
      indent + 2 + call.tail.columns <= width
    {
      return ["\(target) = \(call.head)", "  \(call.tail)"]
    }
    if indent + 2 + value.columns <= width { return ["\(target) =", "  \(value)"] }
    // The user's code is longer than any layout allows, so the line stays as it is.
    return ["// swift-format-ignore", line]
  }

  /// Lines of one declaration or statement, with swift-format turned off if the user's code fits no layout.
  static func guarded(_ lines: [String], indent: Int) -> [String] {
    guarding(lines, indent: indent) + lines
  }

  /// The comment that turns swift-format off for a declaration with these lines; empty if every line fits.
  static func guarding(_ lines: [String], indent: Int) -> [String] {
    // Text has at most as many columns as bytes.
    lines.contains { indent + $0.utf8.count > width && indent + $0.columns > width }
      ? ["// swift-format-ignore"] : []
  }

  /// Elements of an array literal, one per line. A single element has no comma, as swift-format requires.
  static func elements(_ elements: [String]) -> [String] {
    elements.count == 1 ? elements : elements.map { $0 + "," }
  }

  static func separated(_ elements: [[String]]) -> [String] {
    guard elements.count > 1 else { return elements.first ?? [] }
    return elements.flatMap { lines in lines.dropLast() + lines.suffix(1).map { $0 + "," } }
  }

  static func alias(
    _ access: String, _ name: String, _ target: String, indent: Int = 0
  ) -> [String] {
    let line = "\(access)typealias \(name) = \(target)"
    return indent + line.columns <= width
      ? [line] : ["\(access)typealias \(name) =", "  \(target)"]
  }

  /// `label: value` as an argument. Its note becomes a comment, above the argument if the line would be too long.
  static func argument(
    _ label: String, _ value: String, end: String, note: String?, indent: Int
  ) -> [String] {
    let line = "\(label): \(value)\(end)"
    let comment = note.map { "  // \($0)" } ?? ""
    if indent + line.columns + comment.columns <= width { return [line + comment] }
    let above = note.map { ["// \($0)"] } ?? []
    if indent + line.columns <= width { return above + [line] }
    if let call = brokenCall(value), indent + label.columns + 2 + call.head.columns <= width,
      indent + 2 + call.tail.columns + end.columns <= width
    {
      return above + ["\(label): \(call.head)", "  \(call.tail)\(end)"]
    }
    return above + [line]
  }

  /// Splits a call at the end of the expression after its first bracket: `StoredJSON.data(` and `x)`.
  private static func brokenCall(_ value: String) -> (head: String, tail: String)? {
    let name = value.hasPrefix("try ") ? value.dropFirst(4) : value[...]
    guard value.hasSuffix(")"), let open = value.firstIndex(of: "("), open != name.startIndex,
      name[..<open].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" })
    else { return nil }
    // The bracket must close at the very end.
    var depth = 0
    for index in value[open...].indices {
      if value[index] == "(" { depth += 1 }
      if value[index] == ")" {
        depth -= 1
        if depth == 0 {
          return value.index(after: index) == value.endIndex ? split(value, open) : nil
        }
      }
    }
    return nil
  }

  private static func split(_ value: String, _ open: String.Index) -> (String, String) {
    let behind = value.index(after: open)
    return (String(value[..<behind]), String(value[behind...]))
  }

  /// A string as the lines of a documentation comment, each with its leading space, wrapped to the width.
  static func documentation(_ text: String?, indent: Int = 0) -> [String] {
    guard let text else { return [] }
    let room = width - indent - 4
    if isPlainLine(text, of: room) { return [" " + text] }
    var lines: [String] = []
    let paragraphs = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for paragraph in paragraphs {
      // Spaces at the start of a line mean code or a list in Markdown.
      let lead = String(paragraph.prefix { $0 == " " })
      let words = paragraph.split(separator: " ")
      var wrapped = wrap(words, lead, to: room)
      // A single word on the last line looks wrong, so the lines become shorter until another word joins it.
      var narrower = room
      while let last = wrapped.last, wrapped.count > 1, !last.dropFirst(lead.count).contains(" "),
        narrower > room - 24
      {
        narrower -= 1
        let lines = wrap(words, lead, to: narrower)
        if lines.count > wrapped.count { break }
        wrapped = lines
      }
      lines += wrapped.isEmpty ? [""] : wrapped.map { " " + $0 }
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Whether a string is one line of words with single spaces, as most are.
  private static func isPlainLine(_ text: String, of columns: Int) -> Bool {
    let space = UInt8(ascii: " ")
    guard (1...max(1, columns)).contains(text.utf8.count), text.utf8.last != space else {
      return false
    }
    var last = space
    for byte in text.utf8 {
      guard (0x20..<0x7F).contains(byte), byte != space || last != space else { return false }
      last = byte
    }
    return true
  }

  private static func wrap(_ words: [Substring], _ lead: String, to room: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, line.columns + 1 + word.count > room {
        lines.append(line)
        line = lead + word
      } else {
        line += line.isEmpty ? lead + word : " " + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  static func storeVersion(_ version: VersionNumber) -> String {
    "StoreVersion(\(version.major), \(version.minor), \(version.patch))"
  }

  static func names(_ names: [String: String]) -> String {
    let pairs = names.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value)\"" }
    return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A type with models qualified by their version: `[SchemaV9.HabitModel]`.
  static func qualified(_ property: Property, in schema: String) -> String {
    guard let relationship = property.relationship else {
      return (property.attribute?.storedType ?? property.type).description
    }
    let model = "\(schema).\(relationship.destination.value)"
    return switch relationship.cardinality {
    case .optionalOne: "\(model)?"
    case .one: model
    case .many: "[\(model)]"
    case .optionalMany: "[\(model)]?"
    }
  }
}

extension String {
  /// The number of columns. Counting characters is slow, and nearly all strings are ASCII.
  var columns: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : count }

  var sentence: String {
    let text = uppercasedFirst
    return text.hasSuffix(".") || text.hasSuffix("!") || text.hasSuffix("?") ? text : text + "."
  }
}
