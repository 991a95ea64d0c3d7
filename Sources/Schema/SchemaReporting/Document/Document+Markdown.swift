package import SchemaModel

extension Document {
  /// The document in the Markdown of GitHub and GitLab. Each block ends in a line break, and an empty line separates
  /// two blocks.
  package var markdown: String {
    map(\.markdown).filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension Block {
  fileprivate var markdown: String {
    switch self {
    case .heading(let words, let level):
      "\(String(repeating: "#", count: level)) \(words.markdown)\n"
    case .paragraph(let words): MarkdownText.atStart(words.markdown) + "\n"
    case .list(let items, let marks):
      items.enumerated().map { Self.item($1, marks, $0) }.joined()
    case .table(let table): table.markdown
    case .code(let code, let language): MarkdownText.block(code, language: language)
    case .findings(let findings): findings.map(\.document.markdown).joined(separator: "\n")
    case .folded(let title, let content, _, _):
      // The contents of `<summary>` are HTML, not Markdown.
      "<details><summary>\(XMLText.text(MarkdownText.unreferring(title.text())))</summary>\n\n\(content.markdown)\n</details>\n"
    case .picture: ""
    }
  }

  private static func item(_ item: Document, _ marks: Marks, _ place: Int) -> String {
    let mark =
      switch marks {
      case .numbers: "\(place + 1). "
      case .boxes: "- [ ] "
      case .none, .bullets: "- "
      }
    let indent = String(repeating: " ", count: marks == .numbers ? mark.count : 2)
    // A list after a line needs no empty line between them, and is easier to read without one.
    var text = ""
    for (index, block) in item.enumerated() {
      if index > 0, !block.isList { text += "\n" }
      text += block.markdown
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.enumerated().map { index, line in
      (index == 0 ? mark : line.isEmpty ? "" : indent) + line + "\n"
    }.joined()
  }

  private var isList: Bool { if case .list = self { true } else { false } }
}

extension Table {
  fileprivate var markdown: String {
    let heads = heads.isEmpty ? (rows.first ?? []).map { _ in "" } : heads
    let titles = heads.map { $0.isEmpty ? " |" : " \($0.markdown(inTable: true)) |" }.joined()
    let rule = heads.indices.map { $0 < numbersFrom ?? .max ? "---|" : "---:|" }.joined()
    let lines = rows.map { row in
      row.map { $0.isEmpty ? " |" : " \($0.markdown(inTable: true)) |" }.joined()
    }
    return ([titles, rule] + lines).map { "|\($0)\n" }.joined()
  }
}

extension Inline {
  package var markdown: String { markdown(inTable: false) }

  fileprivate func markdown(inTable: Bool) -> String {
    parts.map { part in
      switch part {
      case .text(let text): MarkdownText.text(text)
      case .code(let code): MarkdownText.code(code, inTable: inTable)
      case .link(let words, let address):
        "[\(words.markdown(inTable: inTable))](\(MarkdownText.target(address)))"
      case .styled(let words, .strong), .styled(let words, .bad):
        "**\(words.markdown(inTable: inTable))**"
      case .styled(let words, .emphasis): "*\(words.markdown(inTable: inTable))*"
      case .styled(let words, _): words.markdown(inTable: inTable)
      case .lineBreak: "<br>"
      }
    }.joined()
  }
}

extension Diagnostic {
  /// The finding's rule, place and message, in one line.
  package var words: Inline {
    let place: Inline = location.map { " \(code: $0.place)" } ?? ""
    return "\("\("\(rule.id)", to: page)", .strong)\(place): \(message)"
  }

  package var page: String { "\(Basis.documentation)rules/\(rule.id).md" }

  fileprivate var document: Document {
    let places: [Inline] = related.map { "\(code: $0.location.place): \($0.message)" }
    return [.paragraph(words)] + (places.isEmpty ? [] : [.lines(places, .bullets)])
      // Help is formatted as code, since it often consists of lines to copy.
      + help.map { .code($0, language: "text") }
  }
}

/// Escapes text for the Markdown of GitHub and GitLab, also in a table cell.
enum MarkdownText {
  /// Text without any markup, also in HTML. It mentions no account, and links no issue or address.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in unreferring(text.visible).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "|": result += "&#124;"
      case "\\", "`", "*", "_", "[", "]", "~", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Visible text with a zero-width space in each reference. GitHub and GitLab look for references after rendering
  /// Markdown, when backslashes are gone.
  static func unreferring(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if completesReference(scalars, at: index) { result.append("\u{200B}") }
      result.append(scalar)
    }
    return String(result)
  }

  /// A line that begins a paragraph. A sign at its start is escaped if it would make the line another block, or a
  /// command of GitLab.
  static func atStart(_ line: String) -> String {
    let line = line.drop { $0 == " " || $0 == "\t" }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count)
    return digits + (rest.first.map { "#+-=/.):".contains($0) } ?? false ? "\\" : "") + rest
  }

  /// Whether a character completes a reference with the characters before it: `@ada`, `#12`, `!12`, `GH-12`, `www.`,
  /// `https://`.
  private static func completesReference(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0 else { return false }
    func follows(_ word: String) -> Bool {
      let before = scalars[max(0, index - word.utf8.count)..<index]
      return before.elementsEqual(word.unicodeScalars) {
        $0.properties.lowercaseMapping == String($1)
      }
    }
    switch scalars[index] {
    case "/": return scalars[index - 1] == ":"
    case ".": return follows("www")
    case let scalar:
      guard
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
          || scalar == "\""
      else { return false }
      return "@#!~%$^&".unicodeScalars.contains(scalars[index - 1]) || follows("gh-")
    }
  }

  /// Text formatted as code, with HTML tags if it has special characters.
  static func code(_ text: String, inTable: Bool) -> String {
    let content = text.visible
    guard content.contains(where: { $0 != " " }) else { return "" }
    // Readers disagree about backslashes, backticks and pipes in a code span in a table.
    let special = inTable ? "\\`|" : "`"
    let isPlain = !content.unicodeScalars.contains { special.unicodeScalars.contains($0) }
    return isPlain ? "`\(content)`" : "<code>\(self.text(content))</code>"
  }

  static func block(_ text: String, language: String) -> String {
    let content = text.visibleLines.joined(separator: "\n")
    var (longest, run) = (2, 0)
    for byte in content.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence)\(language)\n\(content)\n\(fence)\n"
  }

  static func target(_ address: String) -> String {
    address.visible.unicodeScalars.map { scalar in
      " ()<>|\\`".unicodeScalars.contains(scalar)
        ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
    }.joined()
  }
}
