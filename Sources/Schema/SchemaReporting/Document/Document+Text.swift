internal import SchemaModel

extension Document {
  /// The document for a terminal. It ends in a line break unless it is empty.
  ///
  /// - Parameter sources: The texts of files by path, from which lines are shown.
  package func text(on terminal: TerminalText = .plain, sources: [String: String] = [:]) -> String {
    DocumentText(terminal: terminal, sources: sources).lines(self, indent: 0)
      .map { $0 + "\n" }.joined()
  }
}

extension Inline {
  /// The words without any markup. Lines are separated by LF, which the words themselves do not contain.
  package func text(on terminal: TerminalText = .plain) -> String {
    parts.map { part in
      switch part {
      case .text(let text), .code(let text): text.visibleInOneLine
      case .link(let words, _): words.text(on: terminal)
      case .styled(let words, .emphasis): words.text(on: terminal)
      case .styled(let words, let style): terminal.styled(words.text(on: terminal), style.style)
      case .lineBreak: "\n"
      }
    }.joined()
  }
}

extension Inline.Style {
  fileprivate var style: TerminalText.Style {
    switch self {
    case .strong, .emphasis: .bold
    case .faint: .faint
    case .good: .green
    case .warning: .yellow
    case .bad: .boldRed
    }
  }
}

/// Writes a document for a terminal. Lists and tables are indented below the block that introduces them.
private struct DocumentText {
  let terminal: TerminalText
  let sources: [String: String]

  func lines(_ document: Document, indent: Int, isLoose: Bool = true) -> [String] {
    var lines: [String] = []
    var before: Block?
    for block in document {
      let own = self.lines(block, indent: indent)
      guard !own.isEmpty else { continue }
      if let before, isLoose, !before.introduces(block) { lines.append("") }
      lines += own
      before = block
    }
    return lines
  }

  private func lines(_ block: Block, indent: Int) -> [String] {
    switch block {
    case .heading(let words, _): fitted("\(words, .strong)", indent)
    case .paragraph(let words): fitted(words, indent)
    case .list(let items, .none): items.flatMap { lines($0, indent: indent, isLoose: false) }
    case .list(let items, let marks):
      items.enumerated().flatMap { place, item in
        let mark = mark(marks, place)
        var own = lines(item, indent: indent + 2 + mark.count, isLoose: false)
        if !mark.isEmpty, !own.isEmpty {
          own[0] = spaces(indent + 2) + mark + own[0].drop { $0 == " " }
        }
        return own
      }
    case .table(let table): lines(table, indent: table.numbersFrom == nil ? indent + 2 : indent)
    case .code(let code, _): code.visibleLines.map { spaces(indent + 2) + $0 }
    case .findings(let findings):
      TextReport(sources: sources, terminal: terminal).render(findings)
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map { spaces(indent) + $0 }
    case .folded(let title, let content, _, _):
      fitted("\(title):", indent) + lines(content, indent: indent + 2)
    case .picture: []
    }
  }

  private func mark(_ marks: Block.Marks, _ place: Int) -> String {
    switch marks {
    case .none, .bullets: ""
    case .numbers: "\(place + 1). "
    case .boxes: "[ ] "
    }
  }

  private func fitted(_ words: Inline, _ indent: Int) -> [String] {
    words.text(on: terminal).split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { terminal.lines(spaces(indent) + $0) }
  }

  private func lines(_ table: Table, indent: Int) -> [String] {
    let rows = table.rows.map { $0.map { $0.text(on: terminal) } }
    guard !rows.isEmpty else { return [] }
    let heads = table.heads.map { $0.text() }
    let all = heads.isEmpty ? rows : [heads] + rows
    let columns = TextColumns(
      all, rightAlignedFrom: table.numbersFrom, on: terminal, indent: indent)
    func isHead(_ place: Int) -> Bool { place == 0 && !heads.isEmpty }
    guard table.numbersFrom == nil else {
      return columns.groups.flatMap { group in
        all.enumerated().map { place, row in
          let cells = columns.padded(row)
          return styled(group.map { cells[$0] }.joined(separator: "  "), isHead(place), indent)
        }
      }
    }
    return all.enumerated().flatMap { place, row in
      columns.lines(row).map { styled($0, isHead(place), indent) }
    }
  }

  private func styled(_ line: String, _ isHead: Bool, _ indent: Int) -> String {
    let line = String(line.reversed().drop { $0 == " " }.reversed())
    return spaces(indent) + (isHead ? terminal.styled(line, .faint) : line)
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension Block {
  /// Whether text has no empty line between the block and the next one.
  fileprivate func introduces(_ next: Block) -> Bool {
    switch (self, next) {
    case (.heading, .heading): false
    case (.heading, _), (.paragraph, .list), (.paragraph, .table), (.paragraph, .code): true
    default: false
    }
  }
}
