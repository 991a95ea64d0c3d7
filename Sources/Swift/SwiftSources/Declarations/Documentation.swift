internal import SchemaModel
package import SwiftSyntax

/// Reads documentation comments.
package enum Documentation {
  /// The text of the `///` lines or the `/** */` block directly before the declaration; nil if there is none. The
  /// lines of a paragraph are joined. Characters that a manifest cannot contain are left out.
  package static func text(before node: some SyntaxProtocol) -> String? {
    var lines: [Substring] = []
    for piece in node.leadingTrivia {
      switch piece {
      case .docLineComment(let text): lines.append(text.dropFirst(3))
      case .docBlockComment(let text): lines += block(text)
      // An empty line separates the comment from the declaration.
      case .newlines(let count) where count > 1: lines = []
      default: continue
      }
    }
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map {
      $0.prefix { $0 == " " }.count
    }
    let indent = indents.min() ?? 0
    let text = joined(lines.map { String($0.dropFirst(min(indent, $0.count))) }).manifestText
    return text.isEmpty ? nil : text
  }

  static func block(_ text: String, marks: Int = 3) -> [Substring] {
    text.dropFirst(marks).dropLast(2).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .map { line in
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      return trimmed.hasPrefix("*") ? trimmed.dropFirst() : trimmed
    }
  }

  private static func joined(_ lines: [String]) -> String {
    var result: [String] = []
    var isCode = false
    for line in lines {
      let line = line.trimmedEnd
      let isFence = line.hasPrefix("```")
      if let last = result.last, !isCode, !isFence, !last.isEmpty, !line.isEmpty,
        !startsBlock(line), !last.hasPrefix("```")
      {
        result[result.count - 1] = last + " " + line
      } else {
        result.append(line)
      }
      if isFence { isCode.toggle() }
    }
    while result.last?.isEmpty ?? false { result.removeLast() }
    while result.first?.isEmpty ?? false { result.removeFirst() }
    return result.joined(separator: "\n")
  }

  private static func startsBlock(_ line: String) -> Bool {
    if let first = line.first, "-*+#>| \t".contains(first) { return true }
    let rest = line.drop(while: \.isNumber)
    return rest.count < line.count && (rest.hasPrefix(". ") || rest.hasPrefix(") "))
  }
}

extension String {
  package var trimmedEnd: String {
    var text = self[...]
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
