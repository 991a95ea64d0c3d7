package import SchemaModel
internal import SwiftParser
package import SwiftSyntax

/// SwiftSyntax has a `SourceLocation` of its own.
package typealias Place = SchemaModel.SourceLocation

/// A file of Swift, parsed.
package struct SwiftSource: Sendable {
  package let file: SourceFile
  package let syntax: SourceFileSyntax
  /// Where each line begins, in UTF-8 units from the file's start.
  private let lines: [Int]

  package init(_ file: SourceFile) {
    self.file = file
    syntax = file.bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
    lines = [0] + file.bytes.indices.filter { file.bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  /// The place of a piece of syntax without the trivia around it.
  package func location(of node: some SyntaxProtocol) -> Place {
    location(
      node.positionAfterSkippingLeadingTrivia
        .utf8Offset..<node.endPositionBeforeTrailingTrivia
        .utf8Offset)
  }

  /// The place of a range of UTF-8 units. What goes beyond the line's end is cut off.
  package func location(_ range: Range<Int>) -> Place {
    var low = 0
    var high = lines.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= range.lowerBound { low = middle } else { high = middle }
    }
    let lineEnd = low + 1 < lines.count ? lines[low + 1] - 1 : file.bytes.count
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    return Place(
      file: file.path, line: low + 1, column: scalars(lines[low]..<range.lowerBound) + 1,
      length: scalars(range.lowerBound..<end))
  }

  /// The bytes of a line, counted from 1, without its break.
  func lineRange(_ number: Int) -> Range<Int> {
    let end = number < lines.count ? lines[number] - 1 : file.bytes.count
    return lines[number - 1]..<end
  }

  /// The number of scalars in a range of UTF-8 units: what is no continuation.
  private func scalars(_ range: Range<Int>) -> Int {
    file.bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }
}
