internal import SchemaModel
internal import SwiftSyntax

/// A comment that begins with `//`, without the slashes.
package struct SourceComment: Sendable {
  package var text: String
  package var location: Place
  /// The line that the comment applies to: the next line with code, or its own line if code precedes the comment; nil
  /// at the end of the file.
  package var subject: Int?
}

extension SwiftSource {
  /// The comments that begin with the word. Nearly all files do not contain the word, and are not searched.
  package func comments(beginningWith word: String) -> [SourceComment] {
    guard file.bytes.withUnsafeBytes(Prefilter([word]).matches) else { return [] }
    var comments: [SourceComment] = []
    forEachTrivia { piece, offset, subject in
      guard case .lineComment(let comment) = piece else { return }
      let text = comment.dropFirst(2).drop { $0 == " " || $0 == "\t" }
      guard text.hasPrefix(word) else { return }
      let range = offset..<(offset + comment.utf8.count)
      comments.append(
        SourceComment(
          text: String(text).trimmedEnd, location: location(range), subject: subject()))
    }
    return comments
  }

  /// Comments with a misspelt `schemagen:`, each with its probable text.
  ///
  /// Examples: `/// schemagen:fill 1`, `// Schemagn:fill 1`, and `// schema-gen fill 1`.
  package var misspeltComments: [SourceComment] {
    let spellings = ["chem", "Schem", "agen"]
    guard file.bytes.withUnsafeBytes(Prefilter(spellings).matches) else { return [] }
    var comments: [SourceComment] = []
    forEachTrivia { piece, offset, subject in
      guard let line = piece.commentLines?.first(where: { !$0.isEmpty }) else { return }
      let text = line.drop { "/*!@ \t".contains($0) }
      let head = text.prefix { $0.isLetter || $0 == "-" || $0 == "_" }
      let rest = text.dropFirst(head.count)
      guard
        head.filter(\.isLetter).lowercased() == "schemagen"
          || rest.first == ":" && Suggestion.nearest(to: String(head), among: ["schemagen"]) != nil
      else { return }
      if case .lineComment = piece {
        guard !(head == "schemagen" && rest.first == ":") || line.first == "@" else { return }
      } else if rest.first != ":" {
        // Prose may begin with the name.
        return
      }
      let range = offset..<(offset + piece.sourceLength.utf8Length)
      comments.append(
        SourceComment(
          text: "schemagen:" + String(rest.drop { ": \t".contains($0) }).trimmedEnd,
          location: location(range), subject: subject()))
    }
    return comments
  }

  /// Calls a closure for each piece of trivia, with its offset and the line of code that a comment there applies to.
  private func forEachTrivia(_ body: (TriviaPiece, Int, _ subject: () -> Int?) -> Void) {
    for token in syntax.tokens(viewMode: .sourceAccurate) {
      var offset = token.position.utf8Offset
      for piece in token.leadingTrivia {
        body(piece, offset) { token.tokenKind == .endOfFile ? nil : location(of: token).line }
        offset += piece.sourceLength.utf8Length
      }
      offset = token.endPositionBeforeTrailingTrivia.utf8Offset
      for piece in token.trailingTrivia {
        let start = offset
        body(piece, start) { location(start..<start).line }
        offset += piece.sourceLength.utf8Length
      }
    }
  }

  package var hasErrors: Bool { syntax.hasError }
}

extension TriviaPiece {
  var commentLines: [String]? {
    switch self {
    case .lineComment(let text): [Self.line(text.dropFirst(2))]
    case .docLineComment(let text): [Self.line(text.dropFirst(3))]
    case .blockComment(let text): Documentation.block(text, marks: 2).map(Self.line)
    case .docBlockComment(let text): Documentation.block(text).map(Self.line)
    default: nil
    }
  }

  var isDocumentation: Bool {
    switch self {
    case .docLineComment, .docBlockComment: true
    default: false
    }
  }

  private static func line(_ text: Substring) -> String {
    String(text.hasPrefix(" ") ? text.dropFirst() : text).trimmedEnd
  }
}
