package import SchemaModel

/// Changes to a text at places that a parser named, applied from the end so that places stay right.
package struct TextEdits {
  private let scalars: [Unicode.Scalar]
  /// The scalar offset at which each line begins.
  private let lines: [Int]
  private var edits: [(range: Range<Int>, text: String, column: Int)] = []

  package init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  private mutating func edit(_ range: Range<Int>, _ text: String) {
    edits.append((range, text, 1))
  }

  /// Replaces a value that is in one line.
  package mutating func replace(at location: SourceLocation, with text: String) {
    let start = offset(location)
    edit(start..<min(start + location.length, scalars.count), text)
  }

  package mutating func removeEntry(at key: SourceLocation) {
    let start = offset(key)
    var before = start - 1
    while before >= 0, scalars[before] == " " { before -= 1 }
    if before >= 0, scalars[before] == "{" || scalars[before] == "," {
      removeFlowEntry(from: start, behind: before)
    } else {
      removeBlockEntry(key)
    }
  }

  /// The entry's lines, up to the next one that is not indented deeper.
  private mutating func removeBlockEntry(_ key: SourceLocation) {
    let end = endOfBlock(key)
    let start = lines[key.line - 1]
    // The first key of a list's item stands behind the dash, which stays for the next key.
    if scalars[start..<offset(key)].contains("-"), end < scalars.count {
      let next = scalars[end...].firstIndex { $0 != " " } ?? scalars.count
      edit(offset(key)..<next, "")
    } else {
      edit(start..<end, "")
    }
  }

  /// The end of a block mapping's entry: behind its last line's break.
  private func endOfBlock(_ start: SourceLocation) -> Int {
    end(from: start.line) { indent, line in
      indent >= start.column || (indent == start.column - 1 && isListItem(line))
    }
  }

  /// The end of the last consecutive line whose indentation is deep enough.
  private func end(from start: Int, _ isInside: (_ indent: Int, _ line: Int) -> Bool) -> Int {
    // Blank lines and comments belong to what follows, unless something deeper comes after them.
    var last = start
    for line in start..<max(start, lines.count) {
      guard let indent = indentation(line) else { continue }
      guard isInside(indent, line) else { break }
      last = line + 1
    }
    return last < lines.count ? lines[last] : scalars.count
  }

  /// Removes an item of a list, in block or in flow style; returns whether it could.
  package mutating func removeItem(at location: SourceLocation) -> Bool {
    let start = offset(location)
    var before = start - 1
    while before >= 0, scalars[before] == " " { before -= 1 }
    guard before >= 0 else { return false }
    switch scalars[before] {
    case "[", ",":
      removeFlowEntry(from: start, behind: before)
      return true
    case "-":
      // The dash's own column is the item's: its lines are those that are indented deeper.
      let line = location.line
      let column = before - lines[line - 1] + 1
      guard scalars[lines[line - 1]..<before].allSatisfy({ $0 == " " }) else { return false }
      edit(lines[line - 1]..<end(from: line) { indent, _ in indent >= column }, "")
      return true
    default: return false
    }
  }

  /// Removes what extends to the end of a line, with the spaces before it; the whole line if nothing is left.
  package mutating func removeComment(at location: SourceLocation) {
    let lineStart = lines[location.line - 1]
    var start = offset(location)
    while start > lineStart, scalars[start - 1] == " " || scalars[start - 1] == "\t" { start -= 1 }
    var end = scalars[start...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
    if start == lineStart {
      end = location.line < lines.count ? lines[location.line] : scalars.count
    }
    edit(start..<end, "")
  }

  /// Puts a text in the place of an entry whose value is a mapping.
  ///
  /// - Parameter item: The list's item that the entry is alone in, if it is in one.
  package mutating func replaceEntry(
    at key: SourceLocation, value: SourceLocation, item: SourceLocation? = nil, with text: String
  ) {
    var start = offset(key)
    var end = endOfBlock(key)
    if let item, scalars[offset(item)] == "{" {
      start = offset(item)
      end = endOfFlow(from: start + 1).map { $0 + 1 } ?? end
    } else if scalars[offset(value)] == "{" {
      end = endOfFlow(from: offset(value) + 1).map { $0 + 1 } ?? end
    } else {
      while end > start, ["\n", "\r"].contains(scalars[end - 1]) { end -= 1 }
    }
    edit(start..<end, Self.indented(text, key.column, first: false))
  }

  // MARK: Insertions

  func isFlow(at location: SourceLocation) -> Bool {
    let start = offset(location)
    return start < scalars.count && (scalars[start] == "{" || scalars[start] == "[")
  }

  /// Whether a place's length covers all that begins there.
  func isOneLine(_ location: SourceLocation) -> Bool {
    let start = offset(location)
    guard start < scalars.count else { return false }
    // Of what goes over several lines the place has the length 1, as of a single letter.
    guard location.length == 1 else { return true }
    return scalars[start] != "\"" && scalars[start] != "'"
      && (start + 1 == scalars.count
        || [" ", "\n", "\r", ",", "}", "]"].contains(scalars[start + 1]))
  }

  /// Adds an entry to a flow mapping: behind its last one, or, where it goes over several lines and may have comments,
  /// before its first; returns whether its end was found.
  mutating func insertFlowEntry(_ entry: String, intoMappingAt location: SourceLocation) -> Bool {
    let start = offset(location) + 1
    guard let end = endOfFlow(from: start), scalars[end] == "}" else { return false }
    if scalars[start..<end].contains(where: { $0 == "\n" || $0 == "\r" }) {
      edit(start..<start, " \(entry),")
      return true
    }
    var last = end
    while last > start, scalars[last - 1] == " " { last -= 1 }
    let isEmpty = last == start
    let closing = isEmpty && scalars[end - 1] != " " ? " " : ""
    edit(last..<last, (isEmpty ? " " : ", ") + entry + closing)
    return true
  }

  /// Adds an entry to a block mapping, behind one of its entries.
  ///
  /// - Parameters:
  ///   - entry: Its lines, indented as if the mapping stood at the left margin.
  ///   - isOnly: Whether the mapping has no other entry. Of several, the spacing is that before the last.
  mutating func insertBlockEntry(
    _ entry: String, behind key: SourceLocation, isOnly: Bool = false
  ) {
    let above = key.line - 2
    let isApart = isOnly || above >= 0 && isBlank(above)
    insert(
      (isApart && entry.contains("\n") ? "\n" : "") + entry, at: endOfBlock(key),
      column: key.column)
  }

  private mutating func insert(_ text: String, at end: Int, column: Int) {
    let hasBreak = end == 0 || scalars[end - 1] == "\n"
    let text = (hasBreak ? "" : "\n") + Self.indented(text, column) + "\n"
    edits.append((end..<end, text, column))
  }

  private static func indented(_ text: String, _ column: Int, first: Bool = true) -> String {
    let margin = String(repeating: " ", count: column - 1)
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      $0.element.isEmpty || $0.offset == 0 && !first ? String($0.element) : margin + $0.element
    }.joined(separator: "\n")
  }

  private func isBlank(_ line: Int) -> Bool {
    let end = line + 1 < lines.count ? lines[line + 1] : scalars.count
    return scalars[lines[line]..<end].allSatisfy { [" ", "\n", "\r"].contains($0) }
  }

  /// Whether no change touches what another changes.
  var isDisjoint: Bool {
    let ranges = edits.map(\.range).sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
    return zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  /// Removes from the comma before the entry to its end, or from the entry to the comma behind it.
  private mutating func removeFlowEntry(from start: Int, behind before: Int) {
    let position = endOfFlow(from: start, stopsAtComma: true) ?? scalars.count
    if scalars[before] == "," {
      // Spaces before the closing bracket stay.
      var end = position
      let isLast = position < scalars.count && scalars[position] != ","
      while isLast, end > start, scalars[end - 1] == " " { end -= 1 }
      edit(before..<end, "")
    } else {
      var end = position
      if end < scalars.count, scalars[end] == "," { end += 1 }
      while end < scalars.count, scalars[end] == " " { end += 1 }
      edit(start..<end, "")
    }
  }

  /// The closing bracket, or the comma, that ends what begins inside a flow collection.
  private func endOfFlow(from start: Int, stopsAtComma: Bool = false) -> Int? {
    var position = start
    var depth = 0
    var quote: Unicode.Scalar?
    while position < scalars.count {
      let scalar = scalars[position]
      if let open = quote {
        if scalar == "\\", open == "\"" { position += 1 } else if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        // A quote inside a plain scalar is a letter like any other.
        if beginsValue(position) { quote = scalar }
      } else if scalar == "{" || scalar == "[" {
        depth += 1
      } else if scalar == "}" || scalar == "]" {
        if depth == 0 { return position }
        depth -= 1
      } else if scalar == ",", depth == 0, stopsAtComma {
        return position
      }
      position += 1
    }
    return nil
  }

  private func beginsValue(_ position: Int) -> Bool {
    var before = position - 1
    while before >= 0, scalars[before] == " " { before -= 1 }
    return before < 0 || [":", ",", "{", "["].contains(scalars[before])
  }

  /// Spaces before the first other character of a line (counted from 0); nil for a blank one or a comment.
  private func indentation(_ line: Int) -> Int? {
    var position = lines[line]
    var count = 0
    while position < scalars.count, scalars[position] == " " {
      position += 1
      count += 1
    }
    guard position < scalars.count, !["\n", "\r", "#"].contains(scalars[position]) else {
      return nil
    }
    return count
  }

  private func isListItem(_ line: Int) -> Bool {
    guard let indent = indentation(line) else { return false }
    return scalars[lines[line] + indent] == "-"
  }

  private func offset(_ location: SourceLocation) -> Int {
    // A byte-order mark is not a column.
    let mark = location.line == 1 && scalars.first?.value == 0xFEFF ? 1 : 0
    return lines[location.line - 1] + location.column - 1 + mark
  }

  package func apply() -> String {
    var result = scalars
    var floor = scalars.count
    // From the end. Of what is put into one place, what is deeper belongs to what stands above and comes first; the rest
    // keeps its order.
    let order = edits.indices.sorted { left, right in
      let (one, other) = (edits[left], edits[right])
      return (other.range.lowerBound, one.range.upperBound, one.column, right)
        < (one.range.lowerBound, other.range.upperBound, other.column, left)
    }
    for edit in order.map({ edits[$0] }) {
      let range = edit.range.lowerBound..<min(edit.range.upperBound, floor)
      result.replaceSubrange(range, with: Array(edit.text.unicodeScalars))
      floor = edit.range.lowerBound
    }
    return String(String.UnicodeScalarView(result))
  }
}
