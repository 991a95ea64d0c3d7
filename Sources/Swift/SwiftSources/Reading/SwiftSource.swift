package import SchemaModel
internal import SwiftParser
package import SwiftSyntax

/// SwiftSyntax also has a `SourceLocation`.
package typealias Place = SchemaModel.SourceLocation

package struct SwiftSource: Sendable {
  package let file: SourceFile
  package let syntax: SourceFileSyntax
  /// The offsets at which lines begin, in UTF-8 units.
  private let lines: [Int]
  /// The offsets of continuation bytes of UTF-8, ascending. With this list, the place of a name is found without
  /// counting through the name's line.
  private let continuations: [Int]

  /// Must be called on a `DeepStack`, because code may be deeply nested.
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

  /// The place of the first mark of a merge conflict, or else of the first syntax error; nil if there is neither.
  package var firstError: Place? {
    if let mark = Self.conflictMark(in: file.bytes) { return location(mark) }
    guard syntax.hasError else { return nil }
    let finder = ErrorFinder(viewMode: .all)
    finder.walk(syntax)
    return finder.offset.map { location($0..<($0 + 1)) } ?? Place(file: file.path)
  }

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

  /// Whether the file may declare models or versions. If not, it may still declare types that models use.
  package var mayHaveModels: Bool {
    file.text.contains("Model") || file.text.contains("VersionedSchema")
  }

  /// The imported modules, without imports inside `#if`.
  package var imports: Set<String> {
    Set(
      syntax.statements.compactMap { statement in
        statement.item.as(ImportDeclSyntax.self)?.path.first?.name.plain
      })
  }

  package func location(of node: some SyntaxProtocol) -> Place {
    location(
      node.positionAfterSkippingLeadingTrivia
        .utf8Offset..<node.endPositionBeforeTrailingTrivia
        .utf8Offset)
  }

  /// The place of a range of UTF-8 units, cut off at the end of its first line.
  package func location(_ range: Range<Int>) -> Place {
    let line = Self.count(in: lines, upTo: range.lowerBound) - 1
    let lineEnd = line + 1 < lines.count ? lines[line + 1] - 1 : file.bytes.count
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    return Place(
      file: file.path, line: line + 1, column: scalars(lines[line]..<range.lowerBound) + 1,
      length: scalars(range.lowerBound..<end))
  }

  /// The range of a line without its line break. Lines are counted from 1.
  package func lineRange(_ number: Int) -> Range<Int> {
    let end = number < lines.count ? lines[number] - 1 : file.bytes.count
    return lines[number - 1]..<end
  }

  private func scalars(_ range: Range<Int>) -> Int {
    range.count
      - (Self.count(in: continuations, upTo: range.upperBound - 1)
        - Self.count(in: continuations, upTo: range.lowerBound - 1))
  }

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

/// Finds the first token that is missing or unexpected.
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
