package import SchemaModel

/// What is reported, without how it looks: text for a terminal, Markdown and HTML are written from the same value.
package typealias Document = [Block]

/// A part of a document that begins on a line of its own.
package enum Block: Sendable {
  /// How the items of a list begin.
  package enum Marks: Sendable {
    /// By nothing in text, where each is a line.
    case none
    case bullets
    case numbers
    /// By boxes to tick.
    case boxes
  }

  case heading(Inline, level: Int = 2)
  case paragraph(Inline)
  case list([Document], Marks = .bullets)
  case table(Table)
  /// Lines to be copied.
  case code(String, language: String = "sh")
  /// Findings with their places and ways out; text has them in the order of a report, with the lines of their files.
  case findings([Diagnostic])
  /// What is shown once somebody opens it; in text below its title. An id is for links in a page.
  case folded(Inline, Document, id: String? = nil, isOpen: Bool = false)
  /// HTML of our own making. Only a page has it.
  case picture(String)

  package static func lines(_ lines: [Inline], _ marks: Marks = .none) -> Block {
    .list(lines.map { [.paragraph($0)] }, marks)
  }

  package static func lines(_ lines: [String], _ marks: Marks = .none) -> Block {
    self.lines(lines.map { Inline($0) }, marks)
  }

  /// A line, and below it others.
  package static func item(_ line: Inline, _ lines: [String]) -> Document {
    [.paragraph(line)] + (lines.isEmpty ? [] : [.lines(lines, .bullets)])
  }
}

/// Rows of cells. The last cell of a row may have several lines.
package struct Table: Sendable {
  /// The titles of the columns; none for a table that explains itself.
  package var heads: [Inline]
  package var rows: [[Inline]]
  /// The first right-aligned column, as for numbers.
  package var numbersFrom: Int?

  package init(_ heads: [Inline] = [], _ rows: [[Inline]], numbersFrom: Int? = nil) {
    self.heads = heads
    self.rows = rows
    self.numbersFrom = numbersFrom
  }

  /// A table of plain text.
  package init(_ heads: [String] = [], cells: [[String]]) {
    self.init(heads.map { Inline($0) }, cells.map { $0.map { Inline($0) } })
  }
}

/// Words in a line: text, code, links and emphasis. A string is text whatever is in it; only an interpolation that says
/// so is anything else.
package struct Inline: Sendable, Equatable {
  package enum Style: String, Sendable {
    case strong, emphasis, faint, good, warning, bad
  }

  indirect enum Part: Sendable, Equatable {
    case text(String)
    case code(String)
    case link(Inline, to: String)
    case styled(Inline, Style)
    case lineBreak
  }

  var parts: [Part]

  package init(_ text: String) { parts = text.isEmpty ? [] : [.text(text)] }

  package init(_ text: Inline, _ style: Style) { parts = [.styled(text, style)] }

  package static func code(_ code: some CustomStringConvertible) -> Inline { "\(code: code)" }

  package static func + (left: Inline, right: Inline) -> Inline { "\(left)\(right)" }

  package static func += (left: inout Inline, right: Inline) { left = left + right }

  package var isEmpty: Bool { parts.isEmpty }
}

extension Inline: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation words: StringInterpolation) { parts = words.parts }

  package struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) {
      guard !text.isEmpty else { return }
      // What is escaped depends on what stands before it: a name becomes a mention after an `@`.
      if case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + text)
      } else {
        parts.append(.text(text))
      }
    }

    package mutating func appendInterpolation(_ text: some CustomStringConvertible) {
      appendLiteral(text.description)
    }

    package mutating func appendInterpolation(_ words: Inline) {
      for part in words.parts {
        if case .text(let text) = part { appendLiteral(text) } else { parts.append(part) }
      }
    }

    package mutating func appendInterpolation(_ words: Inline, _ style: Style) {
      if !words.isEmpty { parts.append(.styled(words, style)) }
    }

    package mutating func appendInterpolation(code: some CustomStringConvertible) {
      parts.append(.code(code.description))
    }

    package mutating func appendInterpolation(_ words: Inline, to address: String) {
      parts.append(.link(words, to: address))
    }
  }
}

extension [Inline] {
  package func joined(_ separator: Inline) -> Inline {
    dropFirst().reduce(first ?? "") { $0 + separator + $1 }
  }

  /// One below the other.
  package var lines: Inline {
    var lines = self.first ?? ""
    for line in dropFirst() { lines.parts += [.lineBreak] + line.parts }
    return lines
  }

  /// Up to three of them, and how many more there are.
  package var firstThree: Inline {
    prefix(3).map(\.self).joined(", ") + (count > 3 ? " and \(count - 3) more" : "")
  }
}
