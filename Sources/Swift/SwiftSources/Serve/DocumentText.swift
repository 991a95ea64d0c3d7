package import SchemaModel

/// A text with its lines, for turning an editor's positions into ours and back.
///
/// An editor counts the UTF-16 units or the bytes of a line, and ends lines where LSP says. A `SourceLocation` counts
/// scalars, and libyaml ends lines of manifests at three more characters.
package struct DocumentText: Sendable {
  /// How an editor counts within a line.
  package enum Encoding: String, Hashable, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"

    fileprivate func width(_ scalar: Unicode.Scalar) -> Int {
      switch self {
      case .utf8: UTF8.width(scalar)
      case .utf16: UTF16.width(scalar)
      }
    }
  }

  /// A place as an editor counts it: from 0.
  package struct Position: Hashable, Sendable, Comparable {
    package var line: Int
    package var character: Int

    package init(line: Int, character: Int) {
      self.line = line
      self.character = character
    }

    package static func < (lhs: Position, rhs: Position) -> Bool {
      (lhs.line, lhs.character) < (rhs.line, rhs.character)
    }
  }

  package let text: String
  let scalars: [Unicode.Scalar]
  /// Where an editor's lines begin.
  private let lines: [Int]
  /// Where libyaml's lines begin; nil where they are the same.
  private let manifestLines: [Int]?

  package init(_ text: String) {
    self.text = text
    let scalars = Array(text.unicodeScalars)
    self.scalars = scalars
    var lines = [0]
    var others = [0]
    var index = 0
    while index < scalars.count {
      let value = scalars[index].value
      index += 1
      if value == 13, index < scalars.count, scalars[index] == "\n" { continue }
      switch value {
      case 10, 13:
        lines.append(index)
        others.append(index)
      case 0x85, 0x2028, 0x2029: others.append(index)
      default: break
      }
    }
    self.lines = lines
    manifestLines = others.count == lines.count ? nil : others
  }

  package var lineCount: Int { lines.count }

  /// A line without its end.
  package func line(_ number: Int) -> ArraySlice<Unicode.Scalar> {
    guard lines.indices.contains(number) else { return [] }
    let end = number + 1 < lines.count ? lines[number + 1] : scalars.count
    var line = scalars[lines[number]..<end]
    while let last = line.last, last == "\n" || last == "\r" { line.removeLast() }
    return line
  }

  /// The scalar at a position; the line's end where the line is shorter, the text's where it has fewer lines.
  package func offset(of position: Position, _ encoding: Encoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lines.count else { return scalars.count }
    let line = line(position.line)
    var left = position.character
    for index in line.indices {
      guard left > 0 else { return index }
      left -= encoding.width(line[index])
      // In the middle of a scalar is before it.
      if left < 0 { return index }
    }
    return line.endIndex
  }

  /// Where an editor finds a scalar.
  package func position(of offset: Int, _ encoding: Encoding) -> Position {
    let offset = min(max(0, offset), scalars.count)
    var low = 0
    var high = lines.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    let width = scalars[lines[low]..<offset].reduce(0) { $0 + encoding.width($1) }
    return Position(line: low, character: width)
  }

  /// The scalars that a finding underlines; they end with the line.
  package func range(of location: SourceLocation, isManifest: Bool = true) -> Range<Int> {
    let lines = isManifest ? manifestLines ?? lines : lines
    guard lines.indices.contains(location.line - 1) else { return scalars.count..<scalars.count }
    // A byte-order mark is not a column.
    let mark = isManifest && location.line == 1 && scalars.first?.value == 0xFEFF ? 1 : 0
    let limit = location.line < lines.count ? lines[location.line] : scalars.count
    var end = limit
    while end > lines[location.line - 1], scalars[end - 1] == "\n" || scalars[end - 1] == "\r" {
      end -= 1
    }
    let start = min(lines[location.line - 1] + max(0, location.column - 1) + mark, end)
    return start..<min(start + location.length, end)
  }

  /// The smallest edit that makes another text of this one; nil where they are alike.
  package func edit(to other: String) -> (range: Range<Int>, text: String)? {
    let new = Array(other.unicodeScalars)
    var start = 0
    while start < min(scalars.count, new.count), scalars[start] == new[start] { start += 1 }
    guard start < max(scalars.count, new.count) else { return nil }
    var (oldEnd, newEnd) = (scalars.count, new.count)
    while oldEnd > start, newEnd > start, scalars[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    // Not between the two halves of a line's end.
    if start > 0, scalars[start - 1] == "\r" { start -= 1 }
    return (start..<oldEnd, String(String.UnicodeScalarView(new[start..<newEnd])))
  }

  /// The text with a part of it replaced.
  package func replacing(_ range: Range<Int>, with replacement: String) -> String {
    var result = String.UnicodeScalarView(scalars[..<range.lowerBound])
    result += replacement.unicodeScalars
    result += scalars[range.upperBound...]
    return String(result)
  }
}
