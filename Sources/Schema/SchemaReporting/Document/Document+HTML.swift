internal import SchemaModel

extension Document {
  package var html: String { map(\.html).joined() }
}

extension Block {
  fileprivate var html: String {
    switch self {
    case .heading(let words, let level): "<h\(level)>\(words.html)</h\(level)>\n"
    case .paragraph(let words): "<p>\(words.html)</p>\n"
    case .list(let items, let marks):
      switch marks {
      case .numbers: "<ol>\n\(Self.items(items))</ol>\n"
      case .none, .bullets, .boxes: "<ul>\n\(Self.items(items))</ul>\n"
      }
    case .table(let table): table.html
    case .code(let code, _):
      "<pre><code>\(XMLText.content(code.visibleLines.joined(separator: "\n")))</code></pre>\n"
    case .findings(let findings):
      Block.list(
        findings.map { finding in
          [.paragraph("\("\(finding.severity.rawValue)", finding.severity.style) \(finding.words)")]
            + finding.help.map { .paragraph("\($0)") }
        }
      ).html
    case .folded(let title, let content, let id, let isOpen):
      "<details\(id.map { XMLText.attribute("id", $0) } ?? "")\(isOpen ? " open" : "")>"
        + "<summary>\(title.html)</summary>\n\(content.html)</details>\n"
    case .picture(let html): html
    }
  }

  private static func items(_ items: [Document]) -> String {
    items.map { item in
      // A single line is not a paragraph, which would have a margin.
      guard case .paragraph(let words)? = item.first else { return "<li>\(item.html)</li>\n" }
      return "<li>\(words.html)\(Array(item.dropFirst()).html)</li>\n"
    }.joined()
  }
}

extension Diagnostic.Severity {
  fileprivate var style: Inline.Style {
    switch self {
    case .error: .bad
    case .warning: .warning
    case .note: .faint
    }
  }
}

extension Table {
  fileprivate var html: String {
    func row(_ cells: [Inline], _ open: String, _ close: String) -> String {
      "<tr>\(cells.map { "<\(open)>\($0.html)</\(close)>" }.joined())</tr>\n"
    }
    let head = heads.isEmpty ? "" : "<thead>\(row(heads, "th scope=\"col\"", "th"))</thead>"
    return "<div class=\"scroll\"><table>\(head)<tbody>\n"
      + rows.map { row($0, "td", "td") }.joined() + "</tbody></table></div>\n"
  }
}

extension Inline {
  package var html: String {
    parts.map { part in
      switch part {
      case .text(let text): XMLText.text(text.visible)
      case .code(let code): "<code>\(XMLText.text(code.visible))</code>"
      case .link(let words, let address):
        "<a\(XMLText.attribute("href", address.visible))>\(words.html)</a>"
      case .styled(let words, .strong): "<strong>\(words.html)</strong>"
      case .styled(let words, .emphasis): "<em>\(words.html)</em>"
      case .styled(let words, let style): "<span class=\"\(style.rawValue)\">\(words.html)</span>"
      case .lineBreak: "<br>"
      }
    }.joined()
  }
}
