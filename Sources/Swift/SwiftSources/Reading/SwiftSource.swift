package import SchemaModel
internal import SwiftParser
package import SwiftSyntax

/// SwiftSyntax also has a `SourceLocation`.
package typealias Place = SchemaModel.SourceLocation

package struct SwiftSource: Sendable {
  package let file: SourceFile
  package let syntax: SourceFileSyntax
  /// The offset at which each line begins, in UTF-8 units from the file's start.
  private let lines: [Int]
  /// Ascending offsets of continuation bytes, so that a long line is not counted again for each name.
  private let continuations: [Int]

  /// Call it on a `DeepStack`, which deeply nested code needs.
  package init(_ file: SourceFile) {
    self.file = file
    syntax = file.bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
    var lines = [0]
    var continuations: [Int] = []
    file.bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == 0x0A { lines.append(index) }
        if byte & 0xC0 == 0x80 { continuations.append(index - 1) }
      }
    }
    self.lines = lines
    self.continuations = continuations
  }

  func sharedFolders(with other: SwiftSource) -> Int {
    func folders(_ source: SwiftSource) -> [Substring] {
      source.file.path.split(separator: "/").dropLast()
    }
    return zip(folders(self), folders(other)).prefix { $0 == $1 }.count
  }

  /// The first conflict marker of a merge, or the first syntax error; nil if there is none.
  package var firstError: Place? {
    if let mark = Self.conflictMark(in: file.bytes) { return location(mark) }
    guard syntax.hasError else { return nil }
    let finder = ErrorFinder(viewMode: .all)
    finder.walk(syntax)
    return finder.offset.map { location($0..<($0 + 1)) } ?? Place(file: file.path)
  }

  /// A line that git writes into a file with a merge conflict.
  private static func conflictMark(in bytes: [UInt8]) -> Range<Int>? {
    let marks = ["<<<<<<< ", "=======\n", ">>>>>>> "].map { Array($0.utf8) }
    guard bytes.withUnsafeBytes(Prefilter(["<<<<<<< ", ">>>>>>> "]).matches) else { return nil }
    var start = 0
    while start < bytes.count {
      let line = bytes[start...]
      if marks.contains(where: line.starts) { return start..<(start + 7) }
      guard let end = line.firstIndex(of: 0x0A) else { return nil }
      start = end + 1
    }
    return nil
  }

  /// Whether the file may declare models or versions, not only types that they use.
  package var mayHaveModels: Bool {
    file.text.contains("Model") || file.text.contains("VersionedSchema")
  }

  /// The modules that the file imports on every platform.
  package var imports: Set<String> {
    Set(
      syntax.statements.compactMap { statement in
        statement.item.as(ImportDeclSyntax.self)?.path.first?.name.plain
      })
  }

  /// The place of a piece of syntax without the trivia around it.
  package func location(of node: some SyntaxProtocol) -> Place {
    location(
      node.positionAfterSkippingLeadingTrivia
        .utf8Offset..<node.endPositionBeforeTrailingTrivia
        .utf8Offset)
  }

  /// The place of a range of UTF-8 units. The part after the line's end is cut off.
  package func location(_ range: Range<Int>) -> Place {
    let line = Self.count(in: lines, upTo: range.lowerBound) - 1
    let lineEnd = line + 1 < lines.count ? lines[line + 1] - 1 : file.bytes.count
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    return Place(
      file: file.path, line: line + 1, column: scalars(lines[line]..<range.lowerBound) + 1,
      length: scalars(range.lowerBound..<end))
  }

  /// The bytes of a line, counted from 1, without its break.
  package func lineRange(_ number: Int) -> Range<Int> {
    let end = number < lines.count ? lines[number] - 1 : file.bytes.count
    return lines[number - 1]..<end
  }

  /// The number of scalars in a range of UTF-8 units.
  private func scalars(_ range: Range<Int>) -> Int {
    range.count
      - (Self.count(in: continuations, upTo: range.upperBound - 1)
        - Self.count(in: continuations, upTo: range.lowerBound - 1))
  }

  /// The number of offsets, in ascending order, up to a given one.
  private static func count(in offsets: [Int], upTo offset: Int) -> Int {
    var low = 0
    var high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [SourceFile] {
  package var concurrentlyParsed: [SwiftSource] {
    DeepStack.concurrentMap(count) { SwiftSource(self[$0]) }
  }
}

/// Finds the first missing or unexpected token.
private final class ErrorFinder: SyntaxAnyVisitor {
  private(set) var offset: Int?

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    guard offset == nil, node.hasError || node.is(UnexpectedNodesSyntax.self) else {
      return .skipChildren
    }
    if node.is(UnexpectedNodesSyntax.self) {
      offset = node.positionAfterSkippingLeadingTrivia.utf8Offset
      return .skipChildren
    }
    return .visitChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if offset == nil, token.hasError {
      offset = token.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    return .skipChildren
  }
}
