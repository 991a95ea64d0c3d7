internal import SchemaModel
internal import SwiftSyntax

/// A comment of a Swift file: `// …`.
package struct SourceComment: Sendable {
  /// Without `//` and the spaces around it.
  package var text: String
  package var location: Place
  /// The line that it speaks of: its own, or the next one with code; nil where none follows.
  package var subject: Int?
}

extension SwiftSource {
  /// The comments that begin with a word. Files without the word, which are nearly all, are not walked through.
  package func comments(beginningWith word: String) -> [SourceComment] {
    guard file.bytes.withUnsafeBytes(Prefilter([word]).matches) else { return [] }
    var comments: [SourceComment] = []
    for token in syntax.tokens(viewMode: .sourceAccurate) {
      var offset = token.position.utf8Offset
      for piece in token.leadingTrivia {
        let line = token.tokenKind == .endOfFile ? nil : location(of: token).line
        add(piece, at: offset, subject: line, beginningWith: word, to: &comments)
        offset += piece.sourceLength.utf8Length
      }
      offset = token.endPositionBeforeTrailingTrivia.utf8Offset
      for piece in token.trailingTrivia {
        let line = location(offset..<offset).line
        add(piece, at: offset, subject: line, beginningWith: word, to: &comments)
        offset += piece.sourceLength.utf8Length
      }
    }
    return comments
  }

  private func add(
    _ piece: TriviaPiece, at offset: Int, subject: Int?, beginningWith word: String,
    to comments: inout [SourceComment]
  ) {
    guard case .lineComment(let comment) = piece else { return }
    let text = comment.dropFirst(2).drop { $0 == " " || $0 == "\t" }
    guard text.hasPrefix(word) else { return }
    var trimmed = text
    while let last = trimmed.last, last.isWhitespace { trimmed.removeLast() }
    let range = offset..<(offset + comment.utf8.count)
    comments.append(
      SourceComment(text: String(trimmed), location: location(range), subject: subject))
  }

  /// Whether the file has syntax that Swift does not take.
  package var hasErrors: Bool { syntax.hasError }
}
