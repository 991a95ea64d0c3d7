package import SwiftSyntax

/// Finds comments that are not documentation, such as the reason for a property.
package enum Remarks {
  /// The comment lines directly before the declaration, in it, and at the end of its line, without `//`.
  ///
  /// - Parameter body: Accessors whose inner comments are about code, so they are left out.
  package static func lines(
    of node: some SyntaxProtocol, without body: AccessorBlockSyntax? = nil
  ) -> [String] {
    let tokens = Array(node.tokens(viewMode: .sourceAccurate))
    let isInner = { (token: TokenSyntax) in
      body.map { $0.position <= token.position && token.position < $0.endPosition } ?? false
    }
    return lines(tokens.filter { !isInner($0) || $0 == tokens.last }, isInner)
  }

  /// The comment lines before the type and in its header.
  package static func lines(ofHead node: some DeclGroupSyntax) -> [String] {
    let end = node.memberBlock.leftBrace.endPosition
    return lines(Array(node.tokens(viewMode: .sourceAccurate).prefix { $0.position < end }))
  }

  private static func lines(
    _ tokens: [TokenSyntax], _ isInner: (TokenSyntax) -> Bool = { _ in false }
  ) -> [String] {
    var lines: [String] = []
    for token in tokens {
      if token == tokens.first {
        lines += paragraph(token.leadingTrivia)
      } else if !isInner(token) {
        lines += token.leadingTrivia.flatMap { $0.commentLines ?? [] }
      }
      lines += token.trailingTrivia.flatMap { $0.commentLines ?? [] }
    }
    return lines.filter(isSaidOfData).trimmed
  }

  /// The comments after the last empty line.
  private static func paragraph(_ trivia: Trivia) -> [String] {
    var lines: [String] = []
    var breaks = 0
    for piece in trivia {
      switch piece {
      case .newlines(let count), .carriageReturnLineFeeds(let count), .carriageReturns(let count):
        breaks += count
        if breaks > 1 { lines = [] }
      case .spaces, .tabs: continue
      default:
        breaks = 0
        if !piece.isDocumentation { lines += piece.commentLines ?? [] }
      }
    }
    return lines
  }

  /// Whether a comment line is meant for people. `MARK:`, `swiftlint:disable` and `schemagen:fill` are meant for
  /// tools.
  private static func isSaidOfData(_ line: String) -> Bool {
    let text = line.trimmingPrefix(while: \.isWhitespace)
    guard !text.hasPrefix("MARK:"), !text.hasPrefix("swift-format-ignore") else { return false }
    let word = text.prefix { $0.isLowercase || $0 == "-" }
    let rest = text.dropFirst(word.count)
    return word.isEmpty || rest.first != ":" || rest.dropFirst().first?.isLowercase != true
  }
}

extension [String] {
  fileprivate var trimmed: [String] {
    var lines = self[...]
    while lines.first?.isEmpty ?? false { lines.removeFirst() }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return Array(lines)
  }
}
