package import SchemaModel

/// A text with its lines, which converts between an editor's positions and schemagen's locations.
///
/// An editor counts a line's UTF-16 units from 0. A `SourceLocation` counts its scalars from 1. Offsets are in UTF-16
/// units.
package struct DocumentText: Sendable {
  package struct Position: Hashable, Sendable {
    package var line: Int
    package var character: Int

    package init(line: Int, character: Int) {
      self.line = line
      self.character = character
    }
  }

  package let text: String
  let units: [UInt16]
  private let lines: [Int]

  package init(_ text: String) {
    self.text = text
    units = Array(text.utf16)
    var lines = [0]
    for (place, unit) in units.enumerated() {
      guard unit == 10 || unit == 13 && (place + 1 == units.count || units[place + 1] != 10) else {
        continue
      }
      lines.append(place + 1)
    }
    self.lines = lines
  }

  /// The range of a line without its line break.
  private func line(_ number: Int) -> Range<Int> {
    var end = number + 1 < lines.count ? lines[number + 1] : units.count
    while end > lines[number], units[end - 1] == 10 || units[end - 1] == 13 { end -= 1 }
    return lines[number]..<end
  }

  /// The offset of a position: the line's end if the line is shorter, the text's end if the text has fewer lines.
  package func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lines.count else { return units.count }
    let line = line(position.line)
    return min(line.lowerBound + max(0, position.character), line.upperBound)
  }

  package func position(of offset: Int) -> Position {
    let line = lines.lastIndex { $0 <= offset } ?? 0
    return Position(line: line, character: offset - lines[line])
  }

  /// The range that a finding underlines. It ends at the line's end at the latest.
  package func range(of location: SourceLocation) -> Range<Int> {
    guard lines.indices.contains(location.line - 1) else { return units.count..<units.count }
    let line = line(location.line - 1)
    func place(_ scalars: Int, behind start: Int) -> Int {
      var place = start
      for _ in 0..<max(0, scalars) where place < line.upperBound {
        place += UTF16.isLeadSurrogate(units[place]) ? 2 : 1
      }
      return place
    }
    let start = place(location.column - 1, behind: line.lowerBound)
    return start..<place(location.length, behind: start)
  }

  /// The smallest edit that turns this text into another; nil if they are equal.
  package func edit(to other: String) -> (range: Range<Int>, text: String)? {
    let new = Array(other.utf16)
    guard new != units else { return nil }
    var start = zip(units, new).prefix { $0 == $1 }.count
    // Do not split a character or a CR LF.
    while start > 0, units[start - 1] == 13 || UTF16.isLeadSurrogate(units[start - 1]) {
      start -= 1
    }
    let rest = min(units.count, new.count) - start
    var end = zip(units.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(rest).count
    while end > 0, UTF16.isTrailSurrogate(units[units.count - end]) { end -= 1 }
    return (
      start..<units.count - end, String(decoding: new[start..<new.count - end], as: UTF16.self)
    )
  }

  package func replacing(_ range: Range<Int>, with replacement: String) -> String {
    String(decoding: units[..<range.lowerBound], as: UTF16.self) + replacement
      + String(decoding: units[range.upperBound...], as: UTF16.self)
  }
}
